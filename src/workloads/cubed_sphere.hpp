// The grid of a spectral-element atmosphere: six faces of ne x ne elements with 4 x 4 points each, where elements share
// the points on their edges. 6 ne^2 9 + 2 different points (columns), numbered element by element: a point belongs to the
// first element that has it.
#pragma once

#include <vector>

#include "muster/extent.hpp"

namespace muster {

class CubedSphere {
public:
    explicit CubedSphere(Size elements_along_edge);

    Size elements() const { return static_cast<Size>(first_column_.size()) - 1; }
    Size columns() const { return first_column_.back(); }
    // The columns that belong to an element, as a run of numbers.
    Extent columns_of(Size element) const;
    // Elements in the order of a space-filling curve that runs over face after face.
    std::vector<Size> const& along_curve() const { return curve_; }

private:
    std::vector<Size> first_column_;  // by element, and one past the last
    std::vector<Size> curve_;
};

// How far along Hilbert's curve through a square of `side` (a power of two) the cell at (x, y) lies.
Size hilbert_distance(Size side, Size x, Size y);

}  // namespace muster
