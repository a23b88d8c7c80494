// Which order and throttle of messages suits an access.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace muster {

// Who talks to whom in a round, estimated from what all ranks know.
struct Traffic {
    int ranks{0};  // that have data
    int aggregators{1};
    Size rounds{1};
    Size senders{0};       // ranks an aggregator hears from in a round, at most
    Size mean_message{0};  // bytes
    bool operator==(Traffic const&) const = default;
};
// `summary` in `rounds` rounds: a window holds so many pieces, each of another rank at worst.
Traffic estimate_traffic(Summary const& summary, int aggregators, Size rounds);

struct KernelChoice {
    Kernel kernel{Kernel::balanced};
    int throttle{0};
    std::string reason;
};

// Metadata: every rank tells every aggregator in one go, so balanced and throttled.
// Data: balanced and throttled where an aggregator hears from half of the ranks or more in a round; with fewer senders
// ascending, unthrottled, by synchronous sends, which keep ranks from running ahead into later rounds.
KernelChoice choose_metadata_kernel(Traffic const& traffic, Hints const& hints);
KernelChoice choose_data_kernel(Traffic const& traffic, Hints const& hints);

char const* kernel_name(Kernel kernel);  // as in hints

}  // namespace muster
