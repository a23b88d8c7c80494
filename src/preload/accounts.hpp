// What became of the calls on one file: counted, and those of Muster added up by their pattern.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "engine/session.hpp"
#include "preload/call_names.hpp"
#include "preload/reasons.hpp"

namespace muster::preload {

// Calls that do the same: the same function, with the same amount of data and the same decisions.
struct PatternAccount {
    CallName call{};
    Summary summary;
    Report report;  // of the first call; `mine` and `flow` are the sums of all
    Size calls{0};
    Size reused{0};  // calls that ran the plan of an earlier one
};

class Accounts {
public:
    void count(CallName call, Reason reason) {
        counts_[static_cast<std::size_t>(call) * reason_count + static_cast<std::size_t>(reason)].fetch_add(
            1, std::memory_order_relaxed);
    }
    // The last call of the session. All ranks add the same calls in the same order.
    void add(CallName call, Session const& session);
    void add_failure(CallName call, Status const& status);

    std::vector<Size> counts() const;  // by call, then by reason
    std::vector<PatternAccount> const& patterns() const { return patterns_; }
    std::string const& failure() const { return failure_; }  // the first one

private:
    static constexpr std::size_t most_patterns = 200;  // more of them are added to the last one

    std::array<std::atomic<Size>, call_count * reason_count> counts_{};
    std::mutex mutex_;
    std::vector<PatternAccount> patterns_;
    std::string failure_;
};

}  // namespace muster::preload
