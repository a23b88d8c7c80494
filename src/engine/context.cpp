#include "engine/context.hpp"

#include "discovery/network.hpp"
#include "discovery/nodes.hpp"

namespace muster {

namespace {

using Kept = std::shared_ptr<Context>;

// MPI calls this when the user frees the communicator, which is collective: the right moment to free our duplicate.
// A session that is still open holds the context, but not the communicator: using it then is the user's mistake.
int forget(MPI_Comm comm, int, void* value, void*) {
    auto* kept = static_cast<Kept*>(value);
    int finalized = 0;
    MPI_Finalized(&finalized);
    // World and self are torn down by MPI_Finalize itself, where freeing others is not safe.
    if (finalized == 0 && comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF) MPI_Comm_free(&(*kept)->comm.handle);
    delete kept;
    return MPI_SUCCESS;
}

int context_key() {
    static int const key = [] {
        int made = MPI_KEYVAL_INVALID;
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &made, nullptr);
        return made;
    }();
    return key;
}

Kept make_context(MPI_Comm comm) {
    MPI_Comm own = MPI_COMM_NULL;
    MPI_Comm_dup(comm, &own);
    // An error of MPI itself cannot be agreed upon without MPI: better to end loudly than to hang.
    MPI_Comm_set_errhandler(own, MPI_ERRORS_ARE_FATAL);
    auto context = std::make_shared<Context>();
    context->comm = Comm::of(own);
    context->machine = discover_network(context->comm, discover_nodes(context->comm));
    if (context->machine.node_count() > 1) return context;
    if (auto share = NodeShare::make(context->comm); share) context->share = std::move(*share);
    return context;
}

}  // namespace

std::shared_ptr<Context> context_of(MPI_Comm comm) {
    void* value = nullptr;
    int found = 0;
    MPI_Comm_get_attr(comm, context_key(), static_cast<void*>(&value), &found);
    if (found != 0) return *static_cast<Kept*>(value);
    auto context = make_context(comm);
    MPI_Comm_set_attr(comm, context_key(), new Kept{context});
    return context;
}

}  // namespace muster
