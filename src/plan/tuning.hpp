// How large a stripe or a window should be: few rounds, no idle aggregators, within a memory budget. The rules are those of
// the paper on multi-dataset I/O: with a call for each variable, a variable divided by the stripe count; with one call for
// all, as large as memory allows.
#pragma once

#include <string>
#include <vector>

#include "plan/domains.hpp"

namespace muster {

struct TuningInput {
    std::vector<Extent> calls;  // the range that each collective call accesses
    Layout layout{Layout::striped};
    int aggregators{1};
    int windows{1};               // in flight per aggregator
    Size memory{Size{64} << 20};  // bytes of windows per aggregator
};

// A size that could be chosen, and what it would lead to.
struct TuningChoice {
    Size size{0};    // bytes of a stripe, or of a window of contiguous domains
    Size rounds{0};  // of all calls
    double idle{0};  // share of aggregators that have nothing to do in a call, on average
    Size memory{0};  // bytes of windows per aggregator
    bool operator==(TuningChoice const&) const = default;
};

struct Tuning {
    std::vector<TuningChoice> choices;  // by size, ascending; the best one is among them
    TuningChoice best;
    std::string reason;
};

// Sizes are powers of two from 64 KiB on, and multiples of 64 KiB that fit a call or the memory.
Tuning tune(TuningInput const& input);

}  // namespace muster
