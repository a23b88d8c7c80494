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
    EXPECT_EQ(error_of("nodes 0,1|2"), "',' or 'x' expected at '|2'");
    EXPECT_EQ(error_of("nodes none at all"), "a number expected at 'at all'");
}

char const* const cluster =
    "nodes 4 x 2; network tree 2 x 2 latency 30ms; at 3,0,2,1; node 2 packages 4 numa 64 cores 128 threads 33554432B "
    "cache; tiers HBM 180GB/s 10ms 16GiB, NVR 150MB/s 100ms 1TiB persistent at /local; storage 3,2,5,2 latency 1ms "
    "bandwidth 2GB/s";

TEST(Machine, everything_that_is_known_is_in_the_text_and_read_back) {
    auto const machine = parse_machine(cluster);
    ASSERT_TRUE(machine.ok()) << machine.status().text();
    EXPECT_EQ(machine->text(), cluster);
    EXPECT_EQ(machine->tiers.size(), 2U);
    EXPECT_TRUE(machine->tiers[1].persistent);
    EXPECT_EQ(machine->tiers[1].directory, "/local");
    EXPECT_EQ(machine->node_facts.last_cache, Size{32} << 20);
    EXPECT_EQ(machine->storage_distance(2), 5);
}

TEST(Machine, lines_are_as_good_as_semicolons_and_remarks_are_skipped) {
    auto const machine = parse_machine("# ours\nnodes 2 x 2\nnetwork torus 4 # small\n\nat 0,2\n");
    ASSERT_TRUE(machine.ok()) << machine.status().text();
    EXPECT_EQ(machine->text(), "nodes 2 x 2; network torus 4; at 0,2");
}

TEST(Machine, distances_between_ranks_count_hops_between_the_places_of_their_nodes) {
    auto const machine = *parse_machine(cluster);
    EXPECT_EQ(machine.distance(0, 0), 0);
    EXPECT_EQ(machine.distance(0, 1), 1);
    EXPECT_EQ(machine.distance(0, 4), 2);  // places 3 and 2
    EXPECT_EQ(machine.distance(0, 2), 4);  // places 3 and 0
    EXPECT_EQ(parse_machine("nodes 2 x 2; network mesh 2")->distance(0, 1), 0.5);
}

TEST(Machine, random_places_are_different_places_and_the_same_for_a_seed) {
    auto const machine = parse_machine("nodes 10 x 1; network tree 20 x 4; at random 7");
    ASSERT_TRUE(machine.ok()) << machine.status().text();
    EXPECT_EQ(machine->place_of.size(), 10U);
    EXPECT_EQ(*machine, *parse_machine("nodes 10 x 1; network tree 20 x 4; at random 7"));
    EXPECT_NE(*machine, *parse_machine("nodes 10 x 1; network tree 20 x 4; at random 8"));
}

TEST(Machine, a_description_changes_what_it_mentions) {
    auto const described = describe_machine(block_machine(8, 8), "nodes 4 x 2; network mesh 4");
    ASSERT_TRUE(described.ok());
    EXPECT_EQ(described->text(), "nodes 4 x 2; network mesh 4");
    EXPECT_EQ(describe_machine(block_machine(8, 4), "network mesh 4")->text(), "nodes 2 x 4; network mesh 4");
}

TEST(Machine, descriptions_that_do_not_fit_are_refused) {
    EXPECT_FALSE(describe_machine(block_machine(8, 8), "nodes 3 x 2").ok());
    EXPECT_FALSE(describe_machine(block_machine(8, 2), "network mesh 3").ok());
    EXPECT_FALSE(describe_machine(block_machine(8, 4), "network mesh 4; at 0,0").ok());
    EXPECT_FALSE(describe_machine(block_machine(8, 4), "network mesh 4; at 0,4").ok());
    EXPECT_FALSE(describe_machine(block_machine(8, 4), "storage 1,2,3").ok());
    EXPECT_FALSE(describe_machine(block_machine(8, 4), "tiers HBM fast").ok());
    EXPECT_FALSE(parse_machine("network mesh 4").ok());
}

}  // namespace
}  // namespace muster
