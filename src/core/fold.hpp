// Finds the one pattern that most of a long list consists of, at equal distances: time steps, levels or variables of the same map.
#pragma once

#include "core/shape.hpp"

namespace muster {

// The same pieces. A list that is mostly a pattern of some length becomes a repeat of it, which stays in a core's cache where the list does
// not; anything else stays as it is. Takes about as long as looking at each piece: compact finds much more, and takes longer.
Shape folded(Shape const& shape);

}  // namespace muster
