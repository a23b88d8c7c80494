// Filling a Flow.
#pragma once

#include <algorithm>

#include "muster/report.hpp"

namespace muster {

inline Size flow_share(Size count) { return std::max<Size>((count + Flow::most - 1) / Flow::most, 1); }

// All zeros, with room for so many.
inline Flow make_flow(Size ranks, Size aggregators, Size rounds) {
    auto const places = [](Size count) {
        return static_cast<std::size_t>((count + flow_share(count) - 1) / flow_share(count));
    };
    Flow flow{flow_share(ranks), flow_share(aggregators), flow_share(rounds), {}, {}, {}};
    flow.bytes.assign(places(ranks), std::vector<Size>(places(aggregators)));
    flow.by_round.resize(places(rounds));
    return flow;
}

// Nothing where no flow is wanted.
inline void count_bytes(Flow& flow, int aggregator, Size round, Size bytes) {
    if (flow.empty()) return;
    flow.bytes.front()[static_cast<std::size_t>(aggregator / flow.aggregators_per_column)] += bytes;
    flow.by_round[static_cast<std::size_t>(round / flow.rounds_per_step)] += bytes;
}

inline void count_seconds(Flow& flow, Size round, double seconds) {
    if (flow.seconds_by_round.empty()) return;
    flow.seconds_by_round[static_cast<std::size_t>(round / flow.rounds_per_step)] += seconds;
}

}  // namespace muster
