#include "machine/network.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace muster {
namespace {

Network network(std::string_view text) {
    auto parsed = parse_network(text);
    EXPECT_TRUE(parsed.ok()) << parsed.status().text();
    return parsed ? *parsed : Network{};
}

std::string error_of(std::string_view text) {
    auto const parsed = parse_network(text);
    if (parsed.ok()) return "parsed as " + parsed->text();
    auto const message = parsed.status().message();
    return message.substr(message.find("8': ") + 4);
}

std::vector<std::string> way(Network const& network, int from, int to) {
    std::vector<std::string> links;
    network.for_each_link(from, to, [&](Link const& link) { links.push_back(network.link_text(link)); });
    return links;
}

char const* const all_kinds[] = {"flat",
                                 "tree 3 x 4 x 2",
                                 "fat-tree 4 x 4 x 3",
                                 "dragonfly 5 x 4 x 2",
                                 "dragonfly 9 x 4 x 2",
                                 "torus 4 x 3 x 2",
                                 "torus 5",
                                 "mesh 4 x 6",
                                 "switches 6,6,7,7,8,8,9,9,10,10,-",
                                 "distances 0 2 4 / 2 0 4 / 4 4 0",
                                 "routes 0-1 a,b / 0-2 a,c / 1-0 b,a / 1-2 b,c / 2-0 c,a / 2-1 c,b",
                                 "fabric 4: 0-4,1-4,2-5,3-5,4-6x2,4-7,5-6x2,5-7",
                                 "fabric 2: 0-1",
                                 "fabric 3: 0-3,0-4,1-3,1-4,2-4"};

TEST(Network, text_is_read_back) {
    for (auto const* text : all_kinds) EXPECT_EQ(network(text).text(), text);
    for (auto const* text : {"flat latency 2us", "torus 4 x 4 latency 30ms bandwidth 180GB/s"}) {
        EXPECT_EQ(network(text).text(), text);
    }
}

TEST(Network, distances_are_symmetric_and_as_long_as_the_routes) {
    for (auto const* text : all_kinds) {
        auto const net = network(text);
        auto const places = net.places() > 0 ? net.places() : 7;
        for (int from = 0; from < places; ++from) {
            for (int to = 0; to < places; ++to) {
                EXPECT_EQ(net.distance(from, to), net.distance(to, from)) << text;
                EXPECT_EQ(net.distance(from, to) == 0, from == to) << text;
                if (!net.knows_routes()) continue;
                EXPECT_EQ(Size(way(net, from, to).size()), net.distance(from, to)) << text << from << to;
            }
        }
    }
}

TEST(Network, distances_to_many_places_are_those_to_each) {
    for (auto const* text : all_kinds) {
        auto const net = network(text);
        std::vector<int> all;
        for (int place = 0; place < (net.places() > 0 ? net.places() : 7); ++place) all.push_back(place);
        for (auto const from : all) {
            auto const found = net.distances(from, all);
            for (auto const to : all) {
                EXPECT_EQ(found[static_cast<std::size_t>(to)], net.distance(from, to)) << text << from << to;
            }
        }
    }
    EXPECT_EQ(network("torus 100 x 100").distances(0, {101}), std::vector<int>{2});
}

TEST(Network, nodes_of_one_switch_are_two_hops_apart_and_each_level_adds_two) {
    auto const tree = network("tree 20 x 4 x 3");
    EXPECT_EQ(tree.places(), 240);
    EXPECT_EQ(tree.distance(0, 19), 2);
    EXPECT_EQ(tree.distance(0, 20), 4);
    EXPECT_EQ(tree.distance(0, 79), 4);
    EXPECT_EQ(tree.distance(0, 80), 6);
    EXPECT_EQ(network("flat").distance(0, 100000), 2);
}

TEST(Network, a_route_through_a_tree_goes_up_and_down) {
    EXPECT_EQ(way(network("tree 2 x 2"), 1, 2),
              (std::vector<std::string>{"up from node 1", "down to node 2", "up from switch 0", "down to switch 1"}));
}

TEST(Network, a_fat_tree_has_as_many_cables_up_as_nodes_below) {
    std::vector<double> widths;
    network("fat-tree 4 x 4 x 2").for_each_link(0, 31, [&](Link const& link) { widths.push_back(link.width); });
    EXPECT_EQ(widths, (std::vector<double>{1, 1, 4, 4, 16, 16}));
}

TEST(Network, a_torus_takes_the_shorter_way_around_and_a_mesh_cannot) {
    EXPECT_EQ(network("torus 8").distance(0, 7), 1);
    EXPECT_EQ(network("torus 8").distance(0, 4), 4);
    EXPECT_EQ(network("mesh 8").distance(0, 7), 7);
    EXPECT_EQ(network("torus 4 x 4 x 4").distance(0, 63), 3);
    EXPECT_EQ(network("mesh 4 x 4 x 4").distance(0, 63), 9);
    EXPECT_EQ(way(network("torus 4 x 4"), 0, 12), (std::vector<std::string>{"node 0 back in dimension 0"}));
}

TEST(Network, a_dragonfly_takes_at_most_one_cable_between_groups) {
    auto const net = network("dragonfly 5 x 4 x 2");
    EXPECT_EQ(net.distance(0, 1), 2);
    EXPECT_EQ(net.distance(0, 2), 3);
    for (int to = 8; to < net.places(); ++to) {
        int cables = 0;
        net.for_each_link(0, to, [&](Link const& link) { cables += link.group == 2 ? 1 : 0; });
        EXPECT_EQ(cables, 1);
        EXPECT_LE(net.distance(0, to), 5);
    }
}

// Every link that a route takes must join what the route has reached: checked by walking switches as sets.
TEST(Network, switches_of_uneven_depth_meet_where_they_should) {
    // Places 0, 1 below switch 4; 2 below 5, which is below 6; 3 below 6; 4 and 6 below 7.
    auto const net = network("switches 4,4,5,6,7,6,7,-");
    EXPECT_EQ(net.places(), 4);
    EXPECT_EQ(net.distance(0, 1), 2);
    EXPECT_EQ(net.distance(2, 3), 3);
    EXPECT_EQ(net.distance(0, 2), 5);
    EXPECT_EQ(net.distance(0, 3), 4);
}

TEST(Network, text_that_makes_no_sense_is_refused_with_the_place) {
    EXPECT_EQ(error_of("ring 4"), "a kind of network expected at 'ring 4'");
    EXPECT_EQ(error_of("tree"), "a number from 1 on expected at the end");
    EXPECT_EQ(error_of("tree 4 x 0"), "a number from 1 on expected at the end");
    EXPECT_EQ(error_of("torus 5000 x 5000"), "more than 16777216 places");
    EXPECT_EQ(error_of("dragonfly 4 x 4"), "a dragonfly has groups x routers x nodes per router");
    EXPECT_EQ(error_of("distances 0 1 / 1"), "rows of distances differ in length");
    EXPECT_EQ(error_of("distances 0 1"), "as many rows as columns of distances expected");
    EXPECT_EQ(error_of("routes 0-1 a / 0-2 b"), "there is no route between 1 and 2");
    EXPECT_EQ(error_of("switches 1,0"), "all must lead to one root, which is the last and has '-' above it");
    EXPECT_EQ(error_of("flat latency 3 parsecs"), "'3' is not a time such as 2us or 30ms");
    EXPECT_EQ(error_of("flat and wide"), "nothing more expected at 'and wide'");
}

TEST(Network, seconds_and_bandwidths_are_read_back_to_the_bit) {
    std::mt19937_64 random{3};
    for (int trial = 0; trial < 1000; ++trial) {
        auto const value = std::uniform_real_distribution<double>{0, 1}(random)*std::pow(10, trial % 20 - 9);
        EXPECT_EQ(*parse_seconds(seconds_text(value)), value);
        EXPECT_EQ(*parse_bandwidth(bandwidth_text(value)), value);
    }
    EXPECT_EQ(seconds_text(0.03), "30ms");
    EXPECT_EQ(bandwidth_text(12.5e9), "12.5GB/s");
}

}  // namespace
}  // namespace muster
