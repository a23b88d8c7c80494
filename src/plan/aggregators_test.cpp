#include "plan/aggregators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace muster {
namespace {

FileLayout stripes(int count) { return {1 << 20, count, 4096, "lustre"}; }

std::string text(AggregatorChoice const& choice) {
    std::string text;
    for (auto const rank : choice.ranks) text += std::to_string(rank) + " ";
    return text + "- " + choice.reason;
}

std::string chosen(Machine const& machine, Hints const& hints, FileLayout const& layout = {}) {
    return text(choose_aggregators(machine, hints, layout));
}

Hints with_number(int number, Placement placement = Placement::automatic) {
    Hints hints;
    hints.aggregators = number;
    hints.placement = placement;
    return hints;
}

Hints with_list(std::vector<Rank> list) {
    Hints hints;
    hints.placement = Placement::list;
    hints.aggregator_list = std::move(list);
    return hints;
}

TEST(Aggregators, one_per_node_is_its_first_rank) {
    EXPECT_EQ(chosen(block_machine(12, 4), {}), "0 4 8 - one per node, spread over 3 nodes");
    EXPECT_EQ(chosen(block_machine(4, 4), {}), "0 - one per node, spread over its ranks");
    EXPECT_EQ(chosen(machine_from_labels({5, 6, 5, 7}), {}), "0 1 3 - one per node, spread over 3 nodes");
}

TEST(Aggregators, as_many_as_stripes_where_the_file_is_striped) {
    EXPECT_EQ(chosen(block_machine(8, 4), {}, stripes(4)), "0 2 4 6 - one for each of 4 stripes, spread over 2 nodes");
    EXPECT_EQ(chosen(block_machine(8, 4), {}, stripes(1)), "0 4 - one per node, spread over 2 nodes");
    Hints contiguous;
    contiguous.layout = Layout::contiguous;
    EXPECT_EQ(chosen(block_machine(8, 4), contiguous, stripes(4)), "0 4 - one per node, spread over 2 nodes");
}

TEST(Aggregators, round_robin_takes_nodes_in_turn) {
    EXPECT_EQ(chosen(block_machine(128, 64), with_number(4, Placement::round_robin)),
              "0 64 1 65 - 4 aggregators by hint, round-robin over nodes by hint");
    EXPECT_EQ(chosen(machine_from_labels({0, 0, 0, 1}), with_number(4, Placement::round_robin)),
              "0 3 1 2 - 4 aggregators by hint, round-robin over nodes by hint");
}

TEST(Aggregators, spread_goes_evenly_over_nodes_and_their_ranks) {
    EXPECT_EQ(chosen(block_machine(128, 64), with_number(4)),
              "0 32 64 96 - 4 aggregators by hint, spread over 2 nodes");
    EXPECT_EQ(chosen(block_machine(10, 5), with_number(3)), "0 3 5 - 3 aggregators by hint, spread over 2 nodes");
    EXPECT_EQ(chosen(block_machine(32, 4), with_number(2)), "0 16 - 2 aggregators by hint, spread over 8 nodes");
    EXPECT_EQ(chosen(block_machine(5, 4), with_number(4)), "0 2 3 4 - 4 aggregators by hint, spread over 2 nodes");
}

TEST(Aggregators, there_are_no_more_than_ranks) {
    EXPECT_EQ(chosen(block_machine(3, 2), with_number(9)),
              "0 1 2 - 9 aggregators by hint, but there are only 3 ranks, spread over 2 nodes");
    EXPECT_EQ(chosen(block_machine(1, 1), {}, stripes(64)),
              "0 - one for each of 64 stripes, but there is only 1 rank, spread over its ranks");
}

TEST(Aggregators, a_node_has_no_more_than_the_hint_allows) {
    Hints hints;
    hints.aggregators_per_node = 2;
    EXPECT_EQ(chosen(block_machine(8, 4), hints), "0 2 4 6 - 2 per node by hint, spread over 2 nodes");
    EXPECT_EQ(chosen(block_machine(8, 4), hints, stripes(3)), "0 2 4 - one for each of 3 stripes, spread over 2 nodes");
    hints.aggregators = 7;
    EXPECT_EQ(chosen(block_machine(8, 4), hints),
              "0 2 4 6 - 7 aggregators by hint, but at most 2 per node by hint, spread over 2 nodes");
    hints.placement = Placement::round_robin;
    EXPECT_EQ(chosen(block_machine(8, 4), hints),
              "0 4 1 5 - 7 aggregators by hint, but at most 2 per node by hint, round-robin over nodes by hint");
}

TEST(Aggregators, a_list_is_taken_as_it_stands) {
    EXPECT_EQ(chosen(block_machine(8, 4), with_list({5, 0, 3})), "5 0 3 - listed by hint");
    auto hints = with_list({5, 0});
    hints.placement = Placement::automatic;
    EXPECT_EQ(chosen(block_machine(8, 4), hints), "5 0 - listed by hint");
    hints.placement = Placement::spread;
    EXPECT_EQ(chosen(block_machine(8, 4), hints), "0 4 - one per node, spread over 2 nodes");
}

TEST(Aggregators, bad_entries_of_a_list_are_dropped_with_a_reason) {
    EXPECT_EQ(chosen(block_machine(4, 4), with_list({3, 4, -1, 3, 0})),
              "3 0 - listed by hint, without 4, which is no rank, without -1, which is no rank, without a repeated 3");
}

TEST(Aggregators, a_list_and_a_number_go_together) {
    auto hints = with_list({3, 1, 2});
    hints.aggregators = 2;
    EXPECT_EQ(chosen(block_machine(4, 4), hints), "3 1 - listed by hint, the first 2 by hint");
    hints.aggregators = 4;
    EXPECT_EQ(chosen(block_machine(4, 4), hints), "3 1 2 - listed by hint, fewer than the 4 asked for by hint");
    hints.aggregators = 3;
    EXPECT_EQ(chosen(block_machine(4, 4), hints), "3 1 2 - listed by hint");
}

TEST(Aggregators, a_list_without_usable_ranks_is_as_no_list) {
    auto const expected = "0 2 - one per node, spread over 2 nodes; the hint's list has no usable rank";
    EXPECT_EQ(chosen(block_machine(4, 2), with_list({})), expected);
    EXPECT_EQ(chosen(block_machine(4, 2), with_list({7, -2})), expected);
}

TEST(Aggregators, any_machine_and_number_gives_that_many_different_ranks) {
    std::mt19937 random{3};
    for (int trial = 0; trial < 2000; ++trial) {
        std::vector<int> labels(1 + random() % 20);
        for (auto& label : labels) label = static_cast<int>(random() % 5);
        auto const machine = machine_from_labels(labels);
        auto const number = static_cast<int>(1 + random() % 24);
        auto const placement = random() % 2 == 0 ? Placement::spread : Placement::round_robin;
        auto const ranks = choose_aggregators(machine, with_number(number, placement), {}).ranks;
        EXPECT_EQ(static_cast<int>(ranks.size()), std::min(number, machine.rank_count())) << machine.text();
        std::set<Rank> const different(ranks.begin(), ranks.end());
        EXPECT_EQ(different.size(), ranks.size()) << machine.text();
        EXPECT_GE(*different.begin(), 0);
        EXPECT_LT(*different.rbegin(), machine.rank_count());
    }
}

}  // namespace
}  // namespace muster
