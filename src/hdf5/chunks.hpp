// Where the bytes of a chunked dataset lie.
#pragma once

#include <hdf5.h>

#include <vector>

#include "core/shape.hpp"
#include "muster/status.hpp"

namespace muster::hdf5 {

struct ChunkGrid {
    std::vector<Size> extent;  // of the dataset
    std::vector<Size> chunk;
    Size element{0};  // bytes

    Size chunk_count() const;
    // Pieces that `elements` in runs of `run` are cut into at most.
    Size pieces(Size elements) const;
};

// `shape` is relative to the dataset as if it were contiguous; the result is in the file, in the same order.
Result<Shape> place_in_chunks(hid_t dataset, ChunkGrid const& grid, Shape const& shape);

}  // namespace muster::hdf5
