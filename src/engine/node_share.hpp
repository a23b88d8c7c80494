// What the ranks of a communicator share when all of them are on one node: a board to vote on, and window slots.
#pragma once

#include <optional>

#include "memory/tier.hpp"
#include "mpi/comm.hpp"
#include "node/board.hpp"
#include "node/shared_memory.hpp"
#include "node/slots.hpp"

namespace muster {

// Collective. The same zeroed bytes in the memory of every rank of a node, or the same error. The name of the memory is gone
// again when this returns.
Result<SharedMemory> share_memory(Comm const& comm, Size size);

// Memory for windows that all ranks of the node see: shared memory, or a mapped file.
struct NodeMemory {
    std::string directory{};  // of the file; empty: shared memory
    SharedMemory memory{};
    MappedFile file{};

    std::span<std::byte> bytes() const { return directory.empty() ? memory.bytes() : file.bytes(); }
};

class NodeShare {
public:
    static constexpr Size tallied_windows = 4096;  // windows whose tallies fit at once

    // Collective. For ranks of one node, on which there are `neighbours` in all. Without shared memory to be had, every rank gets
    // the same error.
    static Result<NodeShare> make(Comm const& comm, int neighbours);

    Board& board() { return board_; }
    Slots& slots() { return slots_; }
    int cores() const { return cores_; }  // of the node

    // Collective. Makes sure that there are slots for such windows; they are kept for later calls.
    Status provide_slots(Comm const& comm, int count, Size window);

    // Memory that was given back, if it is of that kind and large enough. Both only where all ranks do the same.
    std::optional<NodeMemory> take_spare(std::string const& directory, Size size);
    void give_spare(NodeMemory memory) { spare_ = std::move(memory); }

private:
    SharedMemory hall_;
    Board board_;
    SharedMemory windows_;
    Slots slots_;
    Slots::Layout layout_{0, 0, tallied_windows};
    int cores_{1};
    std::optional<NodeMemory> spare_;
};

}  // namespace muster
