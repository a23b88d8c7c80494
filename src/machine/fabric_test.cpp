#include "machine/fabric.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "machine/network.hpp"

namespace muster {
namespace {

Fabric fabric(int places, std::vector<Cable> cables) {
    auto made = Fabric::make(places, std::move(cables));
    EXPECT_TRUE(made.ok()) << made.status().text();
    return made ? *made : Fabric{};
}

// Hops of every pair of places, by relaxing all of them again and again.
std::vector<std::vector<int>> all_hops(int places, int vertices, std::vector<Cable> const& cables) {
    auto const count = static_cast<std::size_t>(vertices);
    std::vector<std::vector<int>> hops(count, std::vector<int>(count, 1000));
    for (std::size_t i = 0; i < count; ++i) hops[i][i] = 0;
    for (auto const& cable : cables) {
        hops[static_cast<std::size_t>(cable.one)][static_cast<std::size_t>(cable.other)] = 1;
        hops[static_cast<std::size_t>(cable.other)][static_cast<std::size_t>(cable.one)] = 1;
    }
    for (auto middle = static_cast<std::size_t>(places); middle < count; ++middle) {
        for (auto& row : hops) {
            for (std::size_t to = 0; to < count; ++to) row[to] = std::min(row[to], row[middle] + hops[middle][to]);
        }
    }
    return hops;
}

std::vector<Cable> random_cables(int places, int switches, std::mt19937& random) {
    std::vector<Cable> cables;
    for (int at = 1; at < switches; ++at) cables.push_back({places + int(random() % unsigned(at)), places + at});
    for (int more = 0; more < switches; ++more) {
        auto const one = int(random() % unsigned(switches));
        auto const other = int(random() % unsigned(switches));
        if (one != other) cables.push_back({places + one, places + other, double(1 + random() % 3)});
    }
    for (int place = 0; place < places; ++place) {
        for (unsigned rail = 0; rail <= random() % 2; ++rail) {
            cables.push_back({place, places + int(random() % unsigned(switches))});
        }
    }
    return cables;
}

// The vertices that a way passes, as long as each cable starts where the last has ended.
int end_of_way(Fabric const& net, int from, int to, int& length) {
    int vertex = from;
    net.for_each_cable(from, to, [&](std::size_t index, bool back) {
        auto const& cable = net.cables()[index];
        EXPECT_EQ(vertex, back ? cable.other : cable.one);
        vertex = back ? cable.one : cable.other;
        ++length;
    });
    return vertex;
}

TEST(Fabric, distances_of_random_fabrics_are_those_of_the_shortest_ways) {
    std::mt19937 random{7};
    for (int trial = 0; trial < 200; ++trial) {
        auto const places = 2 + int(random() % 12);
        auto const switches = 1 + int(random() % 15);
        auto const cables = random_cables(places, switches, random);
        auto const net = fabric(places, cables);
        auto const hops = all_hops(places, places + switches, cables);
        for (int from = 0; from < places; ++from) {
            for (int to = 0; to < places; ++to) {
                auto const expected = hops[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
                EXPECT_EQ(net.distance(from, to), expected);
                int length = 0;
                EXPECT_EQ(end_of_way(net, from, to, length), to);
                EXPECT_EQ(length, expected);
            }
        }
    }
}

TEST(Fabric, ways_to_different_places_take_different_cables) {
    // Two leaves of 4 places each, 4 switches above.
    std::vector<Cable> cables;
    for (int place = 0; place < 8; ++place) cables.push_back({place, 8 + place / 4});
    for (int spine = 0; spine < 4; ++spine) cables.insert(cables.end(), {{8, 10 + spine}, {9, 10 + spine}});
    auto const net = fabric(8, cables);
    std::set<std::size_t> used;
    for (int to = 4; to < 8; ++to) {
        net.for_each_cable(0, to, [&](std::size_t cable, bool) { used.insert(cable); });
    }
    EXPECT_EQ(used.size(), 1U + 4 + 4 + 4);
}

TEST(Fabric, cables_side_by_side_are_one_wide_cable) {
    auto const net = fabric(2, {{0, 2}, {1, 3}, {2, 3}, {3, 2}, {2, 3, 0.5}});
    EXPECT_EQ(net.cables(), (std::vector<Cable>{{0, 2, 1}, {1, 3, 1}, {2, 3, 2.5}}));
    EXPECT_EQ(net.switches(), 2);
}

TEST(Fabric, what_makes_no_sense_is_refused) {
    EXPECT_FALSE(Fabric::make(0, {}).ok());
    EXPECT_FALSE(Fabric::make(2, {{0, 0}}).ok());
    EXPECT_FALSE(Fabric::make(2, {{0, 2}}).ok());
    EXPECT_FALSE(Fabric::make(2, {{0, 2}, {1, 3}}).ok()) << "two parts that no cable joins";
    EXPECT_FALSE(Fabric::make(2, {{0, 2, 0}, {1, 2}}).ok());
    EXPECT_FALSE(Fabric::make(1 << 24, {{0, 1}}).ok());
    EXPECT_FALSE(Fabric::make(2, {{0, 1 << 30}, {1, 1 << 30}}).ok());
    std::vector<Cable> chain{{0, 2}, {1, 301}};
    for (int at = 2; at < 301; ++at) chain.push_back({at, at + 1});
    EXPECT_FALSE(Fabric::make(2, chain).ok()) << "farther than hops are counted";
}

TEST(Fabric, many_thousands_of_places_take_little_time_and_memory) {
    // 16,384 places below 512 leaves, each with a cable to 256 spines.
    std::vector<Cable> cables;
    int const places = 16384;
    for (int place = 0; place < places; ++place) cables.push_back({place, places + place / 32});
    for (int leaf = 0; leaf < 512; ++leaf) {
        for (int spine = 0; spine < 256; ++spine) cables.push_back({places + leaf, places + 512 + spine});
    }
    auto const net = fabric(places, cables);
    EXPECT_EQ(net.distance(0, 31), 2);
    EXPECT_EQ(net.distance(0, places - 1), 4);
}

}  // namespace
}  // namespace muster
