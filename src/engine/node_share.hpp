// What the ranks of a communicator share when all of them are on one node: a board to vote on, and window slots.
#pragma once

#include "mpi/comm.hpp"
#include "node/board.hpp"
#include "node/shared_memory.hpp"
#include "node/slots.hpp"

namespace muster {

class NodeShare {
public:
    static constexpr Size tallied_windows = 4096;  // windows whose tallies fit at once

    // Collective. For the ranks of one node. Without shared memory to be had, every rank gets the same error.
    static Result<NodeShare> make(Comm const& comm);

    Board& board() { return board_; }
    Slots& slots() { return slots_; }
    int cores() const { return cores_; }  // of the node

    // Collective. Makes sure that there are slots for such windows; they are kept for later calls.
    Status provide_slots(Comm const& comm, int count, Size window);

private:
    SharedMemory hall_;
    Board board_;
    SharedMemory windows_;
    Slots slots_;
    Slots::Layout layout_{0, 0, tallied_windows};
    int cores_{1};
};

}  // namespace muster
