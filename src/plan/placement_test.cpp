#include "plan/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace muster {
namespace {

Machine machine(std::string_view text) {
    auto parsed = parse_machine(text);
    EXPECT_TRUE(parsed.ok()) << parsed.status().text();
    return parsed ? *parsed : Machine{};
}

DomainBytes matrix(int domains, std::vector<Size> bytes) {
    auto const rows = static_cast<int>(bytes.size()) / domains;
    return {DomainBytes::Rows::ranks, rows, domains, std::move(bytes)};
}

// The example of "Topology-Aware Two-Phase I/O": 6 ranks on 3 nodes, two of them on one switch.
Machine const tree = machine("nodes 3 x 2; network tree 2 x 2");
DomainBytes const example = matrix(3, {3, 1, 0, 1, 3, 0, 4, 0, 0, 0, 0, 4, 0, 4, 0, 0, 0, 4});
std::vector<Rank> const original{0, 2, 4};

TEST(Placement, distances_of_the_papers_example_are_as_printed) {
    std::vector<double> const printed{0, 1, 2, 2, 4, 4, 1, 0, 2, 2, 4, 4, 2, 2, 0, 1, 4, 4,
                                      2, 2, 1, 0, 4, 4, 4, 4, 4, 4, 0, 1, 4, 4, 4, 4, 1, 0};
    for (Rank from = 0; from < 6; ++from) {
        for (Rank to = 0; to < 6; ++to) {
            EXPECT_EQ(tree.distance(from, to), printed[static_cast<std::size_t>(from * 6 + to)]);
        }
    }
}

// The paper prints 16 for the 19.
TEST(Placement, workloads_of_the_papers_example_are_as_computed) {
    std::vector<double> const by_rank{9, 19, 24, 11, 17, 24, 8, 24, 20, 12, 24, 16, 32, 16, 20, 32, 20, 16};
    auto const costs = hop_bytes(tree, example);
    for (Rank rank = 0; rank < 6; ++rank) {
        for (int domain = 0; domain < 3; ++domain) {
            EXPECT_EQ(costs.at(domain, rank), by_rank[static_cast<std::size_t>(rank * 3 + domain)]);
        }
    }
}

TEST(Placement, topology_finds_the_optimum_of_the_papers_example) {
    auto const choice = place_domains(Placement::topology, {tree, example, original});
    EXPECT_EQ(choice.classic.hop_bytes, 53);
    EXPECT_EQ(choice.chosen.hop_bytes, 40);
    EXPECT_TRUE(choice.aggregators == (std::vector<Rank>{2, 4, 3}) ||
                choice.aggregators == (std::vector<Rank>{2, 4, 5}));
    EXPECT_EQ(cost_of_placement(tree, example, {2, 0, 3}).hop_bytes, 43);  // the paper's own choice
}

// By hand from the routes; each direction of a cable is a link of its own. In both directions together the original
// placement has 16 on the cable of node 1, and the optimum 8 on every node's.
TEST(Placement, the_busiest_link_of_the_example_is_as_counted_by_hand) {
    auto const choice = place_domains(Placement::topology, {tree, example, original});
    EXPECT_EQ(choice.classic.busiest_link, 8);
    EXPECT_EQ(choice.classic.busiest_link_name, "up from node 1");
    EXPECT_EQ(choice.chosen.busiest_link, 8);
    EXPECT_EQ(choice.classic.bytes_between, 16);
    EXPECT_EQ(choice.classic.bytes_inside, 1 + 0 + 4);
    EXPECT_EQ(choice.chosen.bytes_between, 12);
}

// All data of nodes 2 and 3 belongs to domains that were placed on the other switch.
TEST(Placement, a_link_that_carried_everything_is_relieved) {
    auto const job = machine("nodes 4 x 1; network tree 2 x 2");
    auto const bytes = matrix(2, {0, 0, 0, 0, 100, 0, 0, 100});
    auto const choice = place_domains(Placement::topology, {job, bytes, {0, 1}});
    EXPECT_EQ(choice.classic.busiest_link, 200);
    EXPECT_EQ(choice.classic.busiest_link_name, "down to switch 0");
    EXPECT_EQ(choice.chosen.busiest_link, 0);
    EXPECT_EQ(choice.aggregators, (std::vector<Rank>{2, 3}));
}

TEST(Placement, locality_keeps_most_bytes_in_their_ranks) {
    auto const choice = place_domains(Placement::locality, {tree, example, original});
    Size kept = 0;
    for (int domain = 0; domain < 3; ++domain) {
        kept += example.at(choice.aggregators[static_cast<std::size_t>(domain)], domain);
    }
    EXPECT_EQ(kept, 12);  // 4 of each domain, in ranks 2, 4, and 3 or 5
}

// What leaves its rank, and then how far it goes.
std::pair<Size, double> moved_and_hops(PlacementCost const& cost) {
    return {cost.bytes_inside + cost.bytes_between, cost.hop_bytes};
}

TEST(Placement, locality_is_the_best_of_all_in_bytes_and_of_those_in_hops) {
    std::mt19937 random{3};
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<Size> counts(18);
        for (auto& count : counts) count = static_cast<Size>(random() % (trial % 2 == 0 ? 3 : 1000)) * 4096;
        auto const bytes = matrix(3, counts);
        auto const classic = moved_and_hops(cost_of_placement(tree, bytes, original));
        auto best = classic;
        std::vector<Rank> ranks{0, 1, 2, 3, 4, 5};
        do {
            best = std::min(best, moved_and_hops(cost_of_placement(tree, bytes, {ranks[0], ranks[1], ranks[2]})));
        } while (std::next_permutation(ranks.begin(), ranks.end()));
        auto const choice = place_domains(Placement::locality, {tree, bytes, original});
        ASSERT_EQ(moved_and_hops(choice.chosen), best.second <= classic.second ? best : classic) << trial;
    }
}

// Rank 3 has one byte more than rank 1, and is far from all others.
TEST(Placement, locality_does_not_cost_hops) {
    auto const job = machine("nodes 4 x 1; network tree 3 x 2");
    auto const bytes = matrix(1, {10, 10, 10, 11});
    EXPECT_EQ(place_domains(Placement::locality, {job, bytes, {1}}).aggregators, std::vector<Rank>{1});
    EXPECT_EQ(place_domains(Placement::locality, {machine("nodes 4 x 1"), bytes, {1}}).aggregators,
              std::vector<Rank>{3});
}

TEST(Placement, at_most_so_many_aggregators_sit_on_a_node) {
    auto const choice = place_domains(Placement::topology, {tree, example, original, 1});
    std::vector<int> used(3, 0);
    for (auto const rank : choice.aggregators)
        ++used[static_cast<std::size_t>(tree.node_of[static_cast<std::size_t>(rank)])];
    EXPECT_EQ(used, (std::vector<int>{1, 1, 1}));
    EXPECT_LE(choice.chosen.hop_bytes, choice.classic.hop_bytes);
}

TEST(Placement, topology_is_never_worse_than_others_on_any_network) {
    std::mt19937 random{11};
    for (auto const* net :
         {"flat", "tree 3 x 4", "fat-tree 2 x 2 x 3", "torus 3 x 4", "mesh 12", "dragonfly 3 x 2 x 2"}) {
        auto const job = machine("nodes 6 x 3; network " + std::string{net} + (net[1] == 'l' ? "" : "; at random 5"));
        for (int trial = 0; trial < 20; ++trial) {
            auto const domains = 1 + static_cast<int>(random() % 6);
            auto bytes = DomainBytes::of(DomainBytes::Rows::ranks, 18, domains);
            for (auto& count : bytes.bytes) count = random() % 3 == 0 ? 0 : static_cast<Size>(random() % 1000);
            std::vector<Rank> classic;
            for (int i = 0; i < domains; ++i) classic.push_back(i * 3);
            for (auto const per_node : {0, 1, 2}) {
                PlacementRequest const request{job, bytes, classic, per_node};
                auto const topology = place_domains(Placement::topology, request);
                auto const locality = place_domains(Placement::locality, request);
                EXPECT_LE(topology.chosen.hop_bytes, topology.classic.hop_bytes);
                if (per_node != 2) {
                    EXPECT_LE(topology.chosen.hop_bytes, locality.chosen.hop_bytes) << net;
                }
                auto sorted = topology.aggregators;
                std::sort(sorted.begin(), sorted.end());
                EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());
            }
        }
    }
}

TEST(Placement, rows_by_node_place_on_the_same_nodes) {
    auto const by_node = example.by_node(tree);
    auto const fine = place_domains(Placement::topology, {tree, example, original, 1});
    auto const coarse = place_domains(Placement::topology, {tree, by_node, original, 1});
    EXPECT_LE(fine.chosen.hop_bytes, coarse.chosen.hop_bytes + 24);
    EXPECT_EQ(coarse.chosen.bytes_between, fine.chosen.bytes_between);
}

TEST(Placement, hop_bytes_agree_with_the_sum_over_ranks) {
    std::mt19937 random{5};
    auto const job = machine("nodes 5 x 2; network torus 3 x 3; at 0,2,4,5,8");
    auto bytes = DomainBytes::of(DomainBytes::Rows::ranks, 10, 4);
    for (auto& count : bytes.bytes) count = static_cast<Size>(random() % 100);
    std::vector<Rank> const aggregators{3, 9, 1, 4};
    double sum = 0;
    for (Rank rank = 0; rank < 10; ++rank) {
        for (int domain = 0; domain < 4; ++domain) {
            sum += job.distance(rank, aggregators[static_cast<std::size_t>(domain)]) *
                   static_cast<double>(bytes.at(rank, domain));
        }
    }
    EXPECT_EQ(cost_of_placement(job, bytes, aggregators).hop_bytes, sum);
}

// --- the toy of "Memory- and topology-aware aggregation" ---

char const* const toy_text =
    "nodes 4 x 1; network distances 0 4 8 4 / 4 0 5 4 / 8 5 0 6 / 4 4 6 0 latency 30ms bandwidth 12.5GB/s; "
    "tiers HBM 180GB/s 10ms 16GB, DRAM 90GB/s 20ms 192GB, NVR 150MB/s 100ms 1000GB persistent; storage 3,2,5,2";
DomainBytes const toy_bytes = matrix(1, {10'000'000, 50'000'000, 20'000'000, 5'000'000});

TEST(Memory, costs_of_the_papers_toy_are_as_printed) {
    auto const toy = machine(toy_text);
    std::vector<std::vector<double>> const printed{
        {0.593, 0.603, 3.133}, {0.470, 0.480, 2.733}, {0.742, 0.752, 3.633}, {0.503, 0.513, 2.833}};
    for (int rank = 0; rank < 4; ++rank) {
        for (std::size_t tier = 0; tier < 3; ++tier) {
            EXPECT_NEAR(aggregation_seconds(toy, toy_bytes, 0, rank, toy.tiers[tier]),
                        printed[static_cast<std::size_t>(rank)][tier], 0.001)
                << rank << " " << toy.tiers[tier].name;
        }
    }
}

TEST(Memory, the_toys_best_aggregator_is_rank_1_in_hbm) {
    auto const toy = machine(toy_text);
    auto const choice = place_domains(Placement::memory, {toy, toy_bytes, {0}, 0, {48'000'000, false}});
    EXPECT_EQ(choice.aggregators, std::vector<Rank>{1});
    EXPECT_EQ(choice.tier, 0);
}

// Table 7: three buffers of 16 MB, and less and less room.
TEST(Memory, a_tier_that_is_too_small_gives_way_to_the_next) {
    auto toy = machine(toy_text);
    MemoryDemand const demand{3 * 16'000'000, false};
    auto const chosen = [&] {
        return toy.tiers[static_cast<std::size_t>(choose_tier(toy, toy_bytes, 0, 1, demand)->tier)].name;
    };
    EXPECT_EQ(chosen(), "HBM");
    toy.tiers[0].capacity = 32'000'000;
    EXPECT_EQ(chosen(), "DRAM");
    toy.tiers[1].capacity = 32'000'000;
    EXPECT_EQ(chosen(), "NVR");
    toy.tiers[2].capacity = 32'000'000;
    EXPECT_FALSE(choose_tier(toy, toy_bytes, 0, 1, demand).has_value());
}

TEST(Memory, persistency_wants_room_for_all_the_data) {
    auto toy = machine(toy_text);
    MemoryDemand const demand{0, true};
    EXPECT_EQ(choose_tier(toy, toy_bytes, 0, 1, demand)->tier, 2);
    toy.tiers[2].capacity = 84'999'999;
    EXPECT_FALSE(choose_tier(toy, toy_bytes, 0, 1, demand).has_value());
    toy.tiers[2].capacity = 85'000'000;
    EXPECT_TRUE(choose_tier(toy, toy_bytes, 0, 1, demand).has_value());
}

// --- who has what ---

TEST(DomainBytes, counts_are_those_of_walking_byte_by_byte) {
    std::mt19937 random{9};
    for (int trial = 0; trial < 400; ++trial) {
        Domains domains;
        domains.layout = trial % 2 == 0 ? Layout::striped : Layout::contiguous;
        domains.unit = 1 + static_cast<Size>(random() % 40);
        domains.count = 1 + static_cast<int>(random() % 6);
        domains.window = domains.unit;
        auto const shape =
            trial % 3 == 0 ? Shape::block(static_cast<Offset>(random() % 50), 1 + static_cast<Size>(random() % 400))
                           : Shape::strip({static_cast<Offset>(random() % 50), 1 + static_cast<Size>(random() % 5)},
                                          1 + static_cast<Size>(random() % 300), 5 + static_cast<Size>(random() % 9));
        domains.range = {shape.low(), shape.high() - shape.low()};
        std::vector<Size> expected(static_cast<std::size_t>(domains.count));
        shape.for_each([&](Offset offset, Size length) {
            for (auto byte = offset; byte < offset + length; ++byte)
                ++expected[static_cast<std::size_t>(domains.owner_of(byte))];
        });
        std::vector<Size> counts(expected.size());
        count_by_domain(domains, Stream::whole(shape), counts);
        EXPECT_EQ(counts, expected) << domains.text() << " " << shape.text();
    }
}

}  // namespace
}  // namespace muster
