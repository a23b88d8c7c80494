// Where the bytes of a declared part belong: runs of its stream, each in one window.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "core/shape.hpp"
#include "exchange/route.hpp"

namespace muster {

// Windows round by round.
struct InRounds {
    bool operator()(WindowId const& left, WindowId const& right) const {
        return std::tie(left.round, left.domain) < std::tie(right.round, right.domain);
    }
};
template <class Value>
using ByWindow = std::map<WindowId, Value, InRounds>;

// The bytes [from, to) of a stream lie in one contiguous part of a window: that at file offset x belongs to place x + shift.
struct WindowRun {
    Size from{0};
    Size to{0};
    Offset shift{0};
};
using WindowRuns = ByWindow<std::vector<WindowRun>>;

// The stream's bytes [from, to), by windows. All must lie in the domains' range.
WindowRuns runs_of(Domains const& domains, Shape const& shape, Size from, Size to);

inline Size bytes_of(std::vector<WindowRun> const& runs) {
    Size bytes = 0;
    for (auto const& run : runs) bytes += run.to - run.from;
    return bytes;
}

}  // namespace muster
