// Finds the structure in a shape that came as a list: patterns that return at other places become repeats.
#pragma once

#include "core/shape.hpp"

namespace muster {

// The same pieces in the same order; what returns at equal distances is a repeat, what returns at any distance is stored
// once. Takes time in proportion to the pieces listed, and little when there is nothing to find.
Shape compact(Shape const& shape);

}  // namespace muster
