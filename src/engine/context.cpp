#include "engine/context.hpp"

#include <algorithm>

#include "discovery/nodes.hpp"
#include "mpi/agree.hpp"
#include "plan/local_aggregators.hpp"

namespace muster {

namespace {

using Kept = std::shared_ptr<Context>;

// Collective.
void free_comms(Neighbourhood& neighbourhood) {
    MPI_Comm_free(&neighbourhood.node.handle);
    if (neighbourhood.leaders.handle != MPI_COMM_NULL) MPI_Comm_free(&neighbourhood.leaders.handle);
}

// MPI calls this when the user frees the communicator, which is collective: the right moment to free our duplicate.
// A session that is still open holds the context, but not the communicator: using it then is the user's mistake.
int forget(MPI_Comm comm, int, void* value, void*) {
    auto* kept = static_cast<Kept*>(value);
    int finalized = 0;
    MPI_Finalized(&finalized);
    // World and self are torn down by MPI_Finalize itself, where freeing others is not safe.
    if (finalized == 0 && comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF) {
        for (auto& group : (*kept)->groups) MPI_Comm_free(&group->comm.handle);
        for (auto& neighbourhood : (*kept)->neighbourhoods) free_comms(*neighbourhood);
        MPI_Comm_free(&(*kept)->comm.handle);
    }
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

// Collective. Those of `comm` with the same colour; nobody's handle without one.
MPI_Comm split(Comm const& comm, int colour) {
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(comm.handle, colour, comm.rank, &part);
    return part;
}

// Collective.
std::unique_ptr<Neighbourhood> make_neighbourhood(Context const& context, Machine const& machine) {
    auto const& everyone = context.comm;
    auto made = std::make_unique<Neighbourhood>(Neighbourhood{machine.node_of});
    made->node = Comm::of(split(everyone, machine.node_of[static_cast<std::size_t>(everyone.rank)]));
    made->leaders = {split(everyone, made->node.rank == 0 ? 0 : MPI_UNDEFINED), 0, machine.node_count()};
    auto share = NodeShare::make(made->node, context.neighbours());
    made->shares = agree(everyone, share.status()).ok();
    if (made->shares) made->share = std::move(*share);
    return made;
}

// Where each rank is alone on its node there is nothing to share.
bool has_neighbours(Machine const& machine) {
    return machine.node_count() > 1 && machine.node_count() < machine.rank_count();
}

Kept make_context(MPI_Comm comm) {
    MPI_Comm own = MPI_COMM_NULL;
    MPI_Comm_dup(comm, &own);
    // An error of MPI itself cannot be agreed upon without MPI: better to end loudly than to hang.
    MPI_Comm_set_errhandler(own, MPI_ERRORS_ARE_FATAL);
    auto context = std::make_shared<Context>();
    context->comm = Comm::of(own);
    context->machine = discover_nodes(context->comm);
    if (has_neighbours(context->machine)) {
        context->neighbourhoods.push_back(make_neighbourhood(*context, context->machine));
    }
    if (context->machine.node_count() > 1) return context;
    if (auto share = NodeShare::make(context->comm, context->comm.size); share) context->share = std::move(*share);
    return context;
}

// Which group a rank belongs to: the rank of its local aggregator.
Rank local_aggregator_of(Machine const& machine, int per_node, Rank rank) {
    auto const nodes = machine.ranks_by_node();
    auto const& ranks = nodes[static_cast<std::size_t>(machine.node_of[static_cast<std::size_t>(rank)])];
    auto const place = static_cast<int>(std::find(ranks.begin(), ranks.end(), rank) - ranks.begin());
    for (auto const& group : local_groups(static_cast<int>(ranks.size()), per_node)) {
        if (place < group.end) return ranks[static_cast<std::size_t>(group.first)];
    }
    return rank;
}

// Collective.
std::unique_ptr<Group> make_group(Context const& context, Machine const& machine, int per_node) {
    auto const& everyone = context.comm;
    auto const own = split(everyone, local_aggregator_of(machine, per_node, everyone.rank));
    auto group = std::make_unique<Group>();
    group->machine = machine;
    group->per_node = per_node;
    group->comm = Comm::of(own);
    auto share = NodeShare::make(group->comm, context.neighbours());
    if (share) group->share = std::move(*share);
    group->failure = agree(everyone, share.status());
    return group;
}

}  // namespace

int Context::neighbours() const {
    auto const mine = machine.node_of[static_cast<std::size_t>(comm.rank)];
    return static_cast<int>(std::count(machine.node_of.begin(), machine.node_of.end(), mine));
}

Group* group_of(Context& context, Machine const& machine, int per_node) {
    auto const fits = [&](auto const& group) { return group->per_node == per_node && group->machine == machine; };
    auto found = std::find_if(context.groups.begin(), context.groups.end(), fits);
    if (found == context.groups.end()) {
        context.groups.push_back(make_group(context, machine, per_node));
        found = context.groups.end() - 1;
    }
    return (*found)->failure.ok() ? found->get() : nullptr;
}

Quorum quorum_on(Context& context, Machine const& machine) {
    if (machine.node_count() == 1 && context.share) return {context.comm, &context.share->board(), {}};
    if (!has_neighbours(machine)) return {context.comm, nullptr, {}};
    auto& known = context.neighbourhoods;
    auto const fits = [&](auto const& each) { return each->node_of == machine.node_of; };
    auto found = std::find_if(known.begin(), known.end(), fits);
    if (found == known.end()) found = known.insert(known.end(), make_neighbourhood(context, machine));
    auto& there = **found;
    return {context.comm, there.shares ? &there.share.board() : nullptr, there.leaders};
}

NetworkedMachine const& networked(Context& context, Machine const& plain, int seconds) {
    auto const fits = [&](Networked const& kept) { return kept.seconds == seconds && kept.plain == plain; };
    auto found = std::find_if(context.networks.begin(), context.networks.end(), fits);
    if (found == context.networks.end()) {
        context.networks.push_back({plain, seconds, discover_network(context.comm, plain, seconds)});
        found = context.networks.end() - 1;
    }
    return found->found;
}

namespace {

std::shared_ptr<Context> known_context_of(MPI_Comm comm) {
    void* value = nullptr;
    int found = 0;
    MPI_Comm_get_attr(comm, context_key(), static_cast<void*>(&value), &found);
    return found != 0 ? *static_cast<Kept*>(value) : nullptr;
}

// Local: what belongs to a context's own machine is made with it.
Quorum quorum_in(Context& context) { return quorum_on(context, context.machine); }

}  // namespace

Quorum quorum_of(MPI_Comm comm) { return quorum_in(*context_of(comm)); }

std::optional<Quorum> known_quorum_of(MPI_Comm comm) {
    auto const known = known_context_of(comm);
    if (known == nullptr) return std::nullopt;
    return quorum_in(*known);
}

std::shared_ptr<Context> context_of(MPI_Comm comm) {
    if (auto known = known_context_of(comm)) return known;
    auto context = make_context(comm);
    MPI_Comm_set_attr(comm, context_key(), new Kept{context});
    return context;
}

}  // namespace muster
