// Kernel "pairwise": in step s ranks r and r XOR s are partners where ranks are a power of two; else rank r sends to
// r + s.
#pragma once

#include <bit>

#include "muster/extent.hpp"

namespace muster {

constexpr int pairwise_position(int ranks, Rank aggregator, Rank rank) {
    auto const power_of_two = std::has_single_bit(static_cast<unsigned>(ranks));
    return power_of_two ? aggregator ^ rank : (aggregator - rank + ranks) % ranks;
}

}  // namespace muster
