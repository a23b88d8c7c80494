// Kernel "balanced": ranks are dealt to the aggregators in equal shares; each aggregator starts with its share and goes
// round (Algorithm 2 of the paper).
#pragma once

#include "plan/shares.hpp"

namespace muster {

struct Crowd {
    int ranks{0};
    int aggregators{1};
};

// `place` is the rank's in the list from which ranks are dealt.
constexpr int balanced_position(Crowd crowd, int aggregator, int place) {
    auto const start = share_start(crowd.ranks, crowd.aggregators, aggregator);
    return (place - start + crowd.ranks) % crowd.ranks;
}

}  // namespace muster
