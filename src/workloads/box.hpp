// Boxes cut out of three-dimensional arrays, z slowest, x contiguous.
#pragma once

#include <array>

#include "core/shape.hpp"

namespace muster {

using Triple = std::array<Size, 3>;  // z, y, x

struct Array3 {
    Triple extent{};
    Size element{8};

    Size row() const { return extent[2] * element; }
    Size plane() const { return extent[1] * row(); }
    Size bytes() const { return extent[0] * plane(); }
};

// The array's elements from `begin` up to `end`.
Shape box(Array3 const& array, Triple const& begin, Triple const& end);

// One of parts[0] x parts[1] x parts[2] boxes of nearly equal size; index by index, as (z, y, x).
Shape share_of(Array3 const& array, Triple const& parts, Triple const& index);

}  // namespace muster
