// Dividing a number of things into shares whose sizes differ by one at most, the larger ones first.
#pragma once

#include <algorithm>

namespace muster {

// Index of the first thing of share `index`: ceil(total/shares) each for the first total mod shares, floor afterwards.
constexpr int share_start(int total, int shares, int index) {
    return total / shares * index + std::min(index, total % shares);
}

}  // namespace muster
