// What is selected in a dataspace, as a shape.
#pragma once

#include <hdf5.h>

#include <map>
#include <tuple>
#include <vector>

#include "core/shape.hpp"
#include "hdf5/blocks.hpp"
#include "muster/status.hpp"

namespace muster::hdf5 {

// Sizes of a dataspace, slowest first; none for a scalar.
std::vector<Size> extent_of(hid_t space);

// The bytes of the selected elements, relative to the first element, in the order in which HDF5 pairs the elements of a
// file and a memory selection: row by row, and points as they were given. Regular selections stay regular, and of a union
// every part that is.
Result<Shape> shape_of_selection(hid_t space, Size element);

// Bytes that such a shape takes at most: next to nothing for what is regular.
Size list_bytes(hid_t space);

// Selections and lists of blocks that come again in a call: hundreds of variables use the same few.
class Selections {
public:
    Result<Shape> shape(hid_t space, Size element);
    Arrangement arrangement(BlockList const& blocks, std::vector<Size> const& extent, Size element);

private:
    using BlockKey = std::tuple<void const*, void const*, std::size_t, std::vector<Size>, Size>;

    std::map<std::pair<hid_t, Size>, Shape> known_;
    std::map<BlockKey, Arrangement> known_blocks_;
};

}  // namespace muster::hdf5
