// Kernel "spread-out": every aggregator starts with itself and goes round (Algorithm 1 of the paper).
#pragma once

#include "muster/extent.hpp"

namespace muster {

constexpr int spread_out_position(int ranks, Rank aggregator, Rank rank) { return (rank - aggregator + ranks) % ranks; }

}  // namespace muster
