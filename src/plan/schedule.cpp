#include "plan/schedule.hpp"

#include <algorithm>
#include <numeric>

#include "plan/order_ascending.hpp"
#include "plan/order_balanced.hpp"
#include "plan/order_pairwise.hpp"
#include "plan/order_spread_out.hpp"

namespace muster {

namespace {

using Index = std::size_t;

std::string listed(char const* what, std::vector<Rank> const& ranks) {
    std::string text = what;
    for (auto const rank : ranks) text += " " + std::to_string(rank);
    return text;
}

}  // namespace

Schedule::Schedule(Pattern pattern) : pattern_{std::move(pattern)}, place_(static_cast<Index>(pattern_.ranks)) {
    std::iota(place_.begin(), place_.end(), 0);
    for (Index i = 0; i < pattern_.rank_list.size(); ++i) {
        place_[static_cast<Index>(pattern_.rank_list[i])] = static_cast<int>(i);
    }
}

int Schedule::position(int aggregator, Rank rank) const {
    auto const server = pattern_.aggregators[static_cast<Index>(aggregator)];
    auto const count = static_cast<int>(pattern_.aggregators.size());
    switch (pattern_.kernel) {
        case Kernel::spread_out: return spread_out_position(pattern_.ranks, server, rank);
        case Kernel::balanced:
            return balanced_position({pattern_.ranks, count}, aggregator, place_[static_cast<Index>(rank)]);
        case Kernel::pairwise: return pairwise_position(pattern_.ranks, server, rank);
        default: return ascending_position(rank);
    }
}

std::vector<int> Schedule::aggregators_of(Rank rank) const {
    std::vector<std::pair<int, int>> due;
    for (int i = 0; i < static_cast<int>(pattern_.aggregators.size()); ++i) due.emplace_back(position(i, rank), i);
    std::sort(due.begin(), due.end());
    std::vector<int> order;
    for (auto const& [position, aggregator] : due) order.push_back(aggregator);
    return order;
}

std::vector<Rank> Schedule::ranks_of(int aggregator) const {
    std::vector<Rank> order(static_cast<Index>(pattern_.ranks));
    for (Rank rank = 0; rank < pattern_.ranks; ++rank) order[static_cast<Index>(position(aggregator, rank))] = rank;
    return order;
}

std::string Schedule::text() const {
    std::string text;
    for (Rank rank = 0; rank < pattern_.ranks; ++rank) {
        std::vector<Rank> servers;
        for (auto const i : aggregators_of(rank)) servers.push_back(pattern_.aggregators[static_cast<Index>(i)]);
        text += listed("to", servers);
        auto const found = std::find(pattern_.aggregators.begin(), pattern_.aggregators.end(), rank);
        auto const index = static_cast<int>(found - pattern_.aggregators.begin());
        if (found != pattern_.aggregators.end()) text += listed(", from", ranks_of(index));
        text += "\n";
    }
    return text;
}

}  // namespace muster
