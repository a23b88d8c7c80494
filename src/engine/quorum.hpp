// How the ranks of a session come to one verdict: on the board of their node where they all share one, else by MPI.
#pragma once

#include <span>

#include "mpi/comm.hpp"
#include "node/board.hpp"

namespace muster {

class Quorum {
public:
    Quorum() = default;
    Quorum(Comm const& comm, Board* board) : comm_{comm}, board_{board} {}

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
};

}  // namespace muster
