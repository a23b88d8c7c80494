#include "preload/accounts.hpp"

#include <algorithm>

namespace muster::preload {

namespace {

bool same(PatternAccount const& account, CallName call, Session const& session) {
    return account.call == call && account.report.operation == session.report.operation &&
           account.summary.bytes == session.asked.bytes && account.summary.pieces == session.asked.pieces &&
           account.report.rounds == session.report.rounds && account.report.decisions == session.report.decisions;
}

}  // namespace

void Accounts::add(CallName call, Session const& session) {
    std::lock_guard const lock{mutex_};
    auto known = std::find_if(patterns_.begin(), patterns_.end(),
                              [&](PatternAccount const& account) { return same(account, call, session); });
    if (known == patterns_.end() && patterns_.size() < most_patterns) {
        known = patterns_.insert(patterns_.end(), {call, session.asked, session.report, 0, 0});
        known->report.mine = {};
        known->report.flow = {};
    }
    if (known == patterns_.end()) --known;
    ++known->calls;
    known->reused += session.report.plan_reused ? 1 : 0;
    known->report.mine += session.report.mine;
    known->report.flow += session.report.flow;
}

void Accounts::add_failure(CallName call, Status const& status) {
    std::lock_guard const lock{mutex_};
    if (failure_.empty()) failure_ = std::string{name_of(call)} + ": " + status.text();
}

std::vector<Size> Accounts::counts() const {
    std::vector<Size> values;
    for (auto const& count : counts_) values.push_back(count.load(std::memory_order_relaxed));
    return values;
}

}  // namespace muster::preload
