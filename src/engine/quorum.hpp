// How the ranks of a session come to one verdict: on the boards of their nodes where they have them, the first ranks of the
// nodes by MPI, else all by MPI.
#pragma once

#include <span>

#include "mpi/comm.hpp"
#include "node/board.hpp"

namespace muster {

class Quorum {
public:
    Quorum() = default;
    // The board is that of this rank's node, null where there is none; `leaders`: the first ranks of all nodes, of which only
    // they have the handle.
    Quorum(Comm const& comm, Board* board, Comm const& leaders) : comm_{comm}, board_{board}, leaders_{leaders} {}

    static constexpr std::size_t votes = 24;

    // Collective. Combines `ballots`: of the first `maxima` the largest of all ranks, of the others the sum.
    MUSTER_API void vote(std::span<Size, votes> ballots, std::size_t maxima) const;
    // Collective. As muster::agree.
    MUSTER_API Status agree(Status const& mine) const;
    // Collective.
    void meet() const;

private:
    Comm comm_;
    Board* board_{nullptr};
    Comm leaders_;
};

}  // namespace muster
