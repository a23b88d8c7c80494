// Trying out what this processor does quickly.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

namespace muster {

// The shortest of several times, in seconds: others may have the core in between.
template <class Work>
double quickest_seconds(Work&& work) {
    using Clock = std::chrono::steady_clock;
    auto shortest = std::numeric_limits<double>::max();
    for (int i = 0; i < 10; ++i) {
        auto const start = Clock::now();
        work();
        shortest = std::min(shortest, std::chrono::duration<double>{Clock::now() - start}.count());
    }
    return shortest;
}

}  // namespace muster
