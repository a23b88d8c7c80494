// What to change, and what that would gain.
#pragma once

#include "findings.hpp"

namespace muster::tool {

struct Advice {
    std::string subject;  // "aggregators", "window", "calls", "stripes", "late rank", "holes", "drop-in"
    std::string where;    // the finding's title
    std::string problem;  // in plain words
    std::string change;   // what to do
    double gain{0};       // seconds
    double of{0};         // seconds that it takes now
};

// The cost model for what was planned only: a call, a round, a message and a byte have a price, and so has a stripe that two
// aggregators write. Prices are those of a common cluster; they are good for comparing plans, not for promises.
double expected_seconds(Finding const& finding);

// The largest gain first; empty: nothing to be gained.
std::vector<Advice> advise(Source source, Json const& json);
std::vector<Advice> advise(Finding const& finding);

Json to_json(std::vector<Advice> const& list);

}  // namespace muster::tool
