#include "plan/aggregators.hpp"

#include <algorithm>
#include <set>

#include "plan/local_aggregators.hpp"
#include "plan/words.hpp"

namespace muster {

namespace {

using Nodes = std::vector<std::vector<Rank>>;

struct Number {
    int value{1};
    std::string reason;
};

int most_per_node(Hints const& hints, std::size_t ranks) {
    auto const all = static_cast<int>(ranks);
    return hints.aggregators_per_node > 0 ? std::min(hints.aggregators_per_node, all) : all;
}

Number wanted_number(Hints const& hints, FileLayout const& layout, int nodes) {
    if (hints.aggregators > 0) return {hints.aggregators, counted(hints.aggregators, "aggregator") + " by hint"};
    auto const striped = layout.stripe_size > 0 && layout.stripe_count > 1 && hints.layout != Layout::contiguous;
    if (striped) return {layout.stripe_count, "one for each of " + counted(layout.stripe_count, "stripe")};
    if (hints.aggregators_per_node == 0) return {nodes, "one per node"};
    // Not more than an int can hold; the ranks bound it anyway.
    auto const value = std::min<Size>(Size{nodes} * hints.aggregators_per_node, 1 << 30);
    return {static_cast<int>(value), std::to_string(hints.aggregators_per_node) + " per node by hint"};
}

Number possible_number(Hints const& hints, FileLayout const& layout, Nodes const& nodes) {
    auto number = wanted_number(hints, layout, static_cast<int>(nodes.size()));
    Size ranks = 0;
    Size places = 0;
    for (auto const& node : nodes) {
        ranks += static_cast<Size>(node.size());
        places += most_per_node(hints, node.size());
    }
    if (number.value <= places) return number;
    number.value = static_cast<int>(places);
    number.reason += places == ranks
                         ? ", but there " + std::string{ranks == 1 ? "is" : "are"} + " only " + counted(ranks, "rank")
                         : ", but at most " + std::to_string(hints.aggregators_per_node) + " per node by hint";
    return number;
}

// Aggregators of each node: of few, every so many nodes one; else one each in turn while a node has places.
std::vector<int> shares_by_node(Nodes const& nodes, Hints const& hints, int count) {
    std::vector<int> shares(nodes.size(), 0);
    auto const node_count = static_cast<int>(nodes.size());
    if (count < node_count) {
        for (Size i = 0; i < count; ++i) shares[static_cast<std::size_t>(i * node_count / count)] = 1;
        return shares;
    }
    while (count > 0) {
        for (std::size_t i = 0; i < nodes.size() && count > 0; ++i) {
            if (shares[i] == most_per_node(hints, nodes[i].size())) continue;
            ++shares[i];
            --count;
        }
    }
    return shares;
}

std::vector<Rank> spread(Nodes const& nodes, Hints const& hints, int count) {
    auto const shares = shares_by_node(nodes, hints, count);
    std::vector<Rank> ranks;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (shares[i] == 0) continue;
        for (auto const& group : local_groups(static_cast<int>(nodes[i].size()), shares[i])) {
            ranks.push_back(nodes[i][static_cast<std::size_t>(group.first)]);
        }
    }
    return ranks;
}

std::vector<Rank> round_robin(Nodes const& nodes, Hints const& hints, int count) {
    std::vector<Rank> ranks;
    for (int turn = 0; static_cast<int>(ranks.size()) < count; ++turn) {
        for (auto const& node : nodes) {
            auto const free = turn < most_per_node(hints, node.size()) && static_cast<int>(ranks.size()) < count;
            if (free) ranks.push_back(node[static_cast<std::size_t>(turn)]);
        }
    }
    return ranks;
}

AggregatorChoice bounded_list(AggregatorChoice choice, int asked) {
    auto const listed = static_cast<int>(choice.ranks.size());
    if (asked == 0 || asked == listed) return choice;
    choice.reason += asked < listed ? ", the first " + std::to_string(asked) + " by hint"
                                    : ", fewer than the " + std::to_string(asked) + " asked for by hint";
    choice.ranks.resize(static_cast<std::size_t>(std::min(asked, listed)));
    return choice;
}

AggregatorChoice by_list(Machine const& machine, Hints const& hints) {
    AggregatorChoice choice{{}, "listed by hint"};
    std::set<Rank> seen;
    for (auto const rank : hints.aggregator_list) {
        if (rank < 0 || rank >= machine.rank_count()) {
            choice.reason += ", without " + std::to_string(rank) + ", which is no rank";
        } else if (!seen.insert(rank).second) {
            choice.reason += ", without a repeated " + std::to_string(rank);
        } else {
            choice.ranks.push_back(rank);
        }
    }
    return bounded_list(std::move(choice), hints.aggregators);
}

AggregatorChoice by_place(Machine const& machine, Hints const& hints, FileLayout const& layout) {
    auto const nodes = machine.ranks_by_node();
    auto const number = possible_number(hints, layout, nodes);
    if (hints.placement == Placement::round_robin) {
        return {round_robin(nodes, hints, number.value), number.reason + ", round-robin over nodes by hint"};
    }
    auto const over =
        nodes.size() == 1 ? ", spread over its ranks" : ", spread over " + counted(Size(nodes.size()), "node");
    return {spread(nodes, hints, number.value), number.reason + over};
}

}  // namespace

AggregatorChoice choose_aggregators(Machine const& machine, Hints const& hints, FileLayout const& layout) {
    auto const listed = hints.placement == Placement::list ||
                        (hints.placement == Placement::automatic && !hints.aggregator_list.empty());
    if (!listed) return by_place(machine, hints, layout);
    auto choice = by_list(machine, hints);
    if (!choice.ranks.empty()) return choice;
    auto fallback = by_place(machine, hints, layout);
    fallback.reason += "; the hint's list has no usable rank";
    return fallback;
}

}  // namespace muster
