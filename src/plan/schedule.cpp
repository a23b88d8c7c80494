#include "plan/schedule.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "plan/shares.hpp"

namespace muster {

namespace {

using Index = std::size_t;

// When each message is due: the position of a rank in the order of an aggregator.
class Order {
public:
    explicit Order(Pattern const& pattern) : pattern_{pattern}, place_(static_cast<Index>(pattern.ranks)) {
        for (int i = 0; i < pattern.ranks; ++i) place_[static_cast<Index>(listed(i))] = i;
    }

    int position(int aggregator_index, Rank rank) const {
        auto const aggregator = pattern_.aggregators[static_cast<Index>(aggregator_index)];
        switch (pattern_.kernel) {
            case Kernel::spread_out: return cyclic(rank - aggregator);
            case Kernel::balanced: return cyclic(place_[static_cast<Index>(rank)] - first_place(aggregator_index));
            case Kernel::pairwise: return pair_step(aggregator, rank);
            default: return rank;
        }
    }

    int step_of(int position) const {
        if (pattern_.kernel == Kernel::pairwise) return position;
        return pattern_.throttle > 0 ? position / pattern_.throttle : 0;
    }

private:
    Rank listed(int place) const {
        return pattern_.rank_list.empty() ? place : pattern_.rank_list[static_cast<Index>(place)];
    }
    int cyclic(int difference) const { return difference < 0 ? difference + pattern_.ranks : difference; }
    int first_place(int aggregator_index) const {
        return share_start(pattern_.ranks, static_cast<int>(pattern_.aggregators.size()), aggregator_index);
    }
    int pair_step(Rank aggregator, Rank rank) const {
        auto const power_of_two = std::has_single_bit(static_cast<unsigned>(pattern_.ranks));
        return power_of_two ? aggregator ^ rank : cyclic(aggregator - rank);
    }

    Pattern const& pattern_;
    std::vector<int> place_;  // of each rank in the rank list
};

struct Message {
    int position;
    Rank peer;
};

// Sorted as they are due; the peers of one position stay in the order given.
void sort_by_position(std::vector<Message>& messages) {
    std::stable_sort(messages.begin(), messages.end(),
                     [](Message const& a, Message const& b) { return a.position < b.position; });
}

std::vector<Message> to_aggregators(Pattern const& pattern, Order const& order, Rank rank) {
    std::vector<Message> messages;
    for (int i = 0; i < static_cast<int>(pattern.aggregators.size()); ++i) {
        messages.push_back({order.position(i, rank), pattern.aggregators[static_cast<Index>(i)]});
    }
    sort_by_position(messages);
    return messages;
}

std::vector<Message> from_all_ranks(Pattern const& pattern, Order const& order, Rank rank) {
    std::vector<Message> messages;
    auto const found = std::find(pattern.aggregators.begin(), pattern.aggregators.end(), rank);
    if (found == pattern.aggregators.end()) return messages;
    auto const index = static_cast<int>(found - pattern.aggregators.begin());
    for (Rank sender = 0; sender < pattern.ranks; ++sender) messages.push_back({order.position(index, sender), sender});
    sort_by_position(messages);
    return messages;
}

void append(std::string& text, char const* what, std::vector<Rank> const& peers) {
    if (peers.empty()) return;
    text += what;
    for (auto const peer : peers) text += " " + std::to_string(peer);
}

}  // namespace

Schedule schedule_of(Pattern const& pattern, Rank rank) {
    if (pattern.kernel == Kernel::automatic || pattern.kernel == Kernel::alltoallw) return {};
    Order const order{pattern};
    std::map<int, Step> steps;
    for (auto const& message : from_all_ranks(pattern, order, rank)) {
        steps[order.step_of(message.position)].receive_from.push_back(message.peer);
    }
    for (auto const& message : to_aggregators(pattern, order, rank)) {
        steps[order.step_of(message.position)].send_to.push_back(message.peer);
    }
    Schedule schedule;
    for (auto& [number, step] : steps) {
        if (pattern.direction == Direction::read) std::swap(step.receive_from, step.send_to);
        schedule.steps.push_back(std::move(step));
    }
    return schedule;
}

std::string Schedule::text() const {
    std::string text;
    for (auto const& step : steps) {
        append(text, " receive", step.receive_from);
        append(text, " send", step.send_to);
        text += ";";
    }
    return text.empty() ? text : text.substr(1);
}

}  // namespace muster
