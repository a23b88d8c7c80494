#include "preload/communicator.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

namespace muster::preload {

namespace {

constexpr int files_worth_a_board = 16;  // making one takes a millisecond, and saves 20 microseconds each time

struct Duplicate {
    Comm comm;
    int users{0};
    int files{0};       // that have been opened with it
    bool stays{false};  // until the end: the processes of the world, or one alone
};

std::vector<Duplicate>& duplicates() {
    static std::vector<Duplicate> all;
    return all;
}

std::mutex& duplicates_mutex() {
    static std::mutex mutex;
    return mutex;
}

bool congruent(MPI_Comm one, MPI_Comm other) {
    int outcome = MPI_UNEQUAL;
    MPI_Comm_compare(one, other, &outcome);
    return outcome == MPI_CONGRUENT || outcome == MPI_IDENT;
}

Duplicate* find(MPI_Comm comm) {
    auto& all = duplicates();
    auto const found = std::find_if(all.begin(), all.end(),
                                    [&](Duplicate const& known) { return congruent(known.comm.handle, comm); });
    return found == all.end() ? nullptr : &*found;
}

Comm make_duplicate(MPI_Comm comm) {
    MPI_Comm own = MPI_COMM_NULL;
    MPI_Comm_dup(comm, &own);
    MPI_Comm_set_errhandler(own, MPI_ERRORS_ARE_FATAL);
    return Comm::of(own);
}

}  // namespace

MPI_Comm find_duplicate(MPI_Comm comm) {
    std::lock_guard const lock{duplicates_mutex()};
    auto const* const known = find(comm);
    return known != nullptr ? known->comm.handle : MPI_COMM_NULL;
}

bool has_lasting_duplicate(MPI_Comm comm) {
    std::lock_guard const lock{duplicates_mutex()};
    auto const* const known = find(comm);
    return known != nullptr && known->stays;
}

std::optional<Quorum> quorum_of_duplicate(MPI_Comm own) {
    {
        std::lock_guard const lock{duplicates_mutex()};
        if (find(own)->files < files_worth_a_board) return known_quorum_of(own);
    }
    return quorum_of(own);
}

// Files of the same processes come and go, one for each time step; what is known about their nodes and the memory that they
// share stays. Only one thread of a process is in here at a time where that is done.
FileComm duplicate(MPI_Comm comm, bool share) {
    if (!share) return {make_duplicate(comm), false};
    if (find_duplicate(comm) == MPI_COMM_NULL) {
        auto const own = make_duplicate(comm);
        auto const stays = own.size == 1 || congruent(comm, MPI_COMM_WORLD);
        std::lock_guard const lock{duplicates_mutex()};
        duplicates().push_back({own, 0, 0, stays});
    }
    std::lock_guard const lock{duplicates_mutex()};
    auto* const known = find(comm);
    ++known->users;
    ++known->files;
    return {known->comm, true};
}

void release(FileComm& comm) {
    if (comm.comm.handle == MPI_COMM_NULL) return;
    if (comm.shared) {
        std::lock_guard const lock{duplicates_mutex()};
        auto& all = duplicates();
        auto const known = std::find_if(all.begin(), all.end(), [&](Duplicate const& duplicate) {
            return duplicate.comm.handle == comm.comm.handle;
        });
        if (--known->users > 0 || known->stays) return;
        all.erase(known);
    }
    MPI_Comm_free(&comm.comm.handle);
}

}  // namespace muster::preload
