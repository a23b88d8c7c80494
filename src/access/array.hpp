// Parts of n-dimensional arrays as shapes, without MPI.
#pragma once

#include <vector>

#include "core/shape.hpp"
#include "muster/status.hpp"

namespace muster {

enum class ArrayOrder { c, fortran };  // which dimension varies fastest: the last, or the first

// A box of a larger array; one entry per dimension, in elements.
struct SubArray {
    std::vector<Size> sizes;     // of the whole array
    std::vector<Size> subsizes;  // of the box
    std::vector<Size> starts;    // of the box's first corner
    ArrayOrder order{ArrayOrder::c};
};

// What lies `extent` bytes apart in an array.
struct Element {
    Shape shape;
    Size extent{0};
};

// The bytes of a box, relative to the beginning of the array. The arguments are checked.
Result<Shape> subarray_shape(SubArray const& box, Size element_size);
// The same for elements that may have holes; the arguments are taken as right.
Shape subarray_shape(SubArray const& box, Element const& element);

// What one process has of one dimension of a distributed array: blocks of `block` elements dealt to `processes` in turn.
// Only one turn: the usual block distribution.
struct Distribution {
    Size size;   // elements of the dimension
    Size block;  // elements
    Size processes;
    Size coordinate;  // which of the processes
};

// The process's elements; order as in the dimension.
Shape distributed_shape(Distribution const& part, Element const& element);

}  // namespace muster
