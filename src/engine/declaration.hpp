// What a rank declares, as shapes.
#pragma once

#include <span>

#include "access/access.hpp"
#include "engine/intervals.hpp"
#include "muster/declared.hpp"

namespace muster {

// One part of it.
struct Declaration {
    Shape shape;  // in stream order
    Intervals dealt_with{};
};

// Local. Refuses extents that cannot be.
Result<std::vector<Declaration>> make_declarations(std::span<Part const> parts);

// Local. All parts together, in file order; the same bytes twice are refused.
Result<Shape> joined(std::vector<Declaration> const& parts);

// Local. Contiguous pieces in which the parts will be handed over.
Size pieces_of(std::vector<Declaration> const& parts);

}  // namespace muster
