#include "machine/machine.hpp"

#include <gtest/gtest.h>

#include <random>

namespace muster {
namespace {

std::string error_of(std::string_view text) {
    auto const machine = parse_machine(text);
    if (machine.ok()) return "parsed as " + machine->text();
    auto const message = machine.status().message();
    return message.substr(message.rfind("1,1': ") + 6);
}

TEST(Machine, blocks_fill_node_after_node_and_the_last_may_have_fewer) {
    EXPECT_EQ(block_machine(10, 4).node_of, (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2}));
    EXPECT_EQ(block_machine(10, 4).node_count(), 3);
    EXPECT_EQ(block_machine(10, 4).rank_count(), 10);
}

TEST(Machine, labels_become_nodes_numbered_by_their_lowest_rank) {
    EXPECT_EQ(machine_from_labels({70, -3, 70, 5, -3}).node_of, (std::vector<int>{0, 1, 0, 2, 1}));
}

TEST(Machine, ranks_by_node_are_ascending) {
    auto const nodes = machine_from_labels({1, 2, 1, 3, 2}).ranks_by_node();
    EXPECT_EQ(nodes, (std::vector<std::vector<Rank>>{{0, 2}, {1, 4}, {3}}));
}

TEST(Machine, round_robin_takes_one_rank_of_each_node_in_turn) {
    EXPECT_EQ(block_machine(8, 4).ranks_round_robin(), (std::vector<Rank>{0, 4, 1, 5, 2, 6, 3, 7}));
    EXPECT_EQ(block_machine(7, 3).ranks_round_robin(), (std::vector<Rank>{0, 3, 6, 1, 4, 2, 5}));
}

TEST(Machine, text_names_blocks_cycles_and_anything_else) {
    EXPECT_EQ(block_machine(64, 16).text(), "nodes 4 x 16");
    EXPECT_EQ(machine_from_labels({0, 1, 2, 0, 1, 2}).text(), "nodes 3 x 2 cyclic");
    EXPECT_EQ(machine_from_labels({0, 1, 1, 0}).text(), "nodes 0,1,1,0");
    EXPECT_EQ(block_machine(5, 3).text(), "nodes 0,0,0,1,1");
    EXPECT_EQ(block_machine(3, 1).text(), "nodes 3 x 1");
    EXPECT_EQ(block_machine(3, 8).text(), "nodes 1 x 3");
    EXPECT_EQ(Machine{}.text(), "nodes none");
}

TEST(Machine, text_is_read_back) {
    for (auto const* text : {"nodes 4 x 16", "nodes 3 x 2 cyclic", "nodes 0,1,1,0", "nodes 1 x 1", "nodes none"}) {
        auto const machine = parse_machine(text);
        ASSERT_TRUE(machine.ok()) << machine.status().text();
        EXPECT_EQ(machine->text(), text);
    }
}

TEST(Machine, text_of_any_machine_is_read_back) {
    std::mt19937 random{7};
    for (int trial = 0; trial < 300; ++trial) {
        std::vector<int> labels(1 + random() % 12);
        for (auto& label : labels) label = static_cast<int>(random() % 4);
        auto const machine = machine_from_labels(labels);
        auto const copy = parse_machine(machine.text());
        ASSERT_TRUE(copy.ok()) << machine.text();
        EXPECT_EQ(*copy, machine) << machine.text();
    }
}

TEST(Machine, blanks_do_not_matter_and_listed_labels_are_renumbered) {
    EXPECT_EQ(parse_machine("  nodes 2x3 ")->text(), "nodes 2 x 3");
    EXPECT_EQ(parse_machine("nodes 7, 7, 3")->text(), "nodes 0,0,1");
}

TEST(Machine, text_that_makes_no_sense_is_refused_with_the_place) {
    EXPECT_EQ(error_of("4 x 16"), "'nodes' expected at '4 x 16'");
    EXPECT_EQ(error_of("nodes"), "a number expected at the end");
    EXPECT_EQ(error_of("nodes -1"), "a number expected at '-1'");
    EXPECT_EQ(error_of("nodes 99999999999 x 1"), "a number expected at '99999999999 x 1'");
    EXPECT_EQ(error_of("nodes 4 x"), "ranks per node expected at the end");
    EXPECT_EQ(error_of("nodes 4 x 16 blocks"), "nothing more expected at 'blocks'");
    EXPECT_EQ(error_of("nodes 0 x 16"), "nodes and ranks per node start at 1");
    EXPECT_EQ(error_of("nodes 2 x 0"), "nodes and ranks per node start at 1");
    EXPECT_EQ(error_of("nodes 65536 x 65536"), "more than 16777216 ranks");
    EXPECT_EQ(error_of("nodes 0,1,"), "the node of a rank expected at the end");
    EXPECT_EQ(error_of("nodes 0,1;2"), "',' or 'x' expected at ';2'");
    EXPECT_EQ(error_of("nodes none at all"), "a number expected at 'at all'");
}

}  // namespace
}  // namespace muster
