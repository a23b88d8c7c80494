// Many blocks of one array as one access in file order: sub-array aggregation.
#pragma once

#include <cstdint>
#include <vector>

#include "core/shape.hpp"
#include "muster/status.hpp"

namespace muster::hdf5 {

// Blocks of an array as the user lists them: for each the first index and the number of elements in every dimension. In
// memory they lie one behind the other, each row by row.
struct BlockList {
    std::size_t count{0};
    std::size_t dimensions{0};
    unsigned long long const* starts{nullptr};
    unsigned long long const* sizes{nullptr};

    Size start(std::size_t block, std::size_t d) const { return static_cast<Size>(starts[block * dimensions + d]); }
    Size size(std::size_t block, std::size_t d) const { return static_cast<Size>(sizes[block * dimensions + d]); }
    Size elements() const;
};

// The bytes of one stream, in file order: where they lie in the array, and where in memory.
struct Arrangement {
    Shape file;
    Shape memory;
};

// Refuses blocks that reach out of the array.
Status check_blocks(BlockList const& blocks, std::vector<Size> const& extent);

// Rows of different blocks that lie on one row of the array become neighbours. Blocks of equal size stay regular. Where
// blocks overlap the stream is in the order of the list instead, so that the last one wins.
Arrangement aggregate(BlockList const& blocks, std::vector<Size> const& extent, Size element);

}  // namespace muster::hdf5
