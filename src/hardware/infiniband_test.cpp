#include "hardware/infiniband.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "hardware/description.hpp"

namespace muster {
namespace {

// As ibnetdiscover prints it: a leaf with two hosts, one of them with two adapters, a spine with a faster cable, an adapter
// of a switch's own, and a chassis.
constexpr auto printed = R"(#
# Topology file: generated on Mon Nov  4 10:11:12 2024
#
# Initiated from node 0002c9030000a000 port 0002c9030000a001

vendid=0x2c9
devid=0xd2f0
sysimgguid=0x2c90300aa000b
switchguid=0x2c90300aa0000(2c90300aa0000)
Switch	40 "S-0002c90300aa0000"		# "leaf # 1;first" base port 0 lid 4 lmc 0
[1]	"H-0002c9030000a000"[1](2c9030000a001) 		# "node1 mlx5_0" lid 9 4xEDR
[2]	"H-0002c9030000b000"[1](2c9030000b001) 		# "node2.site HCA-1" lid 10 4xEDR
[3]	"H-0002c9030000b100"[2](2c9030000b102) 		# "node2.site HCA-2" lid 11 4xEDR
[41]	"H-0002c90300aa0008"[1](2c90300aa0008) 		# "Mellanox Technologies Aggregation Node" lid 12 4xEDR
[21][ext 11]	"S-0002c90300bb0000"[5][ext 3]		# "spine" lid 5 4xHDR

Switch	40 "S-0002c90300bb0000"		# "spine" enhanced port 0 lid 5 lmc 0
[5]	"S-0002c90300aa0000"[21]		# "leaf # 1;first" lid 4 4xHDR
[7]	"H-0002c9030000c000"[1](2c9030000c001) 		# "MT4115 ConnectX-4 Mellanox Technologies" lid 13 4xEDR

Ca	1 "H-0002c90300aa0008"		# "Mellanox Technologies Aggregation Node"
[1](2c90300aa0008) 	"S-0002c90300aa0000"[41]		# lid 12 lmc 0 "leaf # 1;first" lid 4 4xEDR

Ca	2 "H-0002c9030000c000"		# "MT4115 ConnectX-4 Mellanox Technologies"
[1](2c9030000c001) 	"S-0002c90300bb0000"[7]		# lid 13 lmc 0 "spine" lid 5 4xEDR

Ca	2 "H-0002c9030000b100"		# "node2.site HCA-2"
[2](2c9030000b102) 	"S-0002c90300aa0000"[3]		# lid 11 lmc 0 "leaf # 1;first" lid 4 4xEDR

Ca	2 "H-0002c9030000b000"		# "node2.site HCA-1"
[1](2c9030000b001) 	"S-0002c90300aa0000"[2]		# lid 10 lmc 0 "leaf # 1;first" lid 4 4xEDR

Ca	2 "H-0002c9030000a000"		# "node1 mlx5_0"
[1](2c9030000a001) 	"S-0002c90300aa0000"[1]		# lid 9 lmc 0 "leaf # 1;first" lid 4 4xEDR
)";

FoundFabric fabric() {
    auto found = parse_ibnetdiscover(printed);
    EXPECT_TRUE(found.ok()) << found.status().text();
    return found ? *found : FoundFabric{};
}

TEST(InfiniBand, what_ibnetdiscover_prints_is_read_and_every_cable_counts_once) {
    EXPECT_TRUE(is_ibnetdiscover(printed));
    EXPECT_FALSE(is_ibnetdiscover("nodes 4 x 4; network switches 4,4,-"));
    EXPECT_EQ(fabric().devices.size(), 7U);
    EXPECT_EQ(fabric().cables.size(), 6U);
}

TEST(InfiniBand, hosts_are_found_by_name_with_or_without_domain_and_by_what_they_know_of_themselves) {
    auto const found = place_hosts(fabric(), {{"node2", {}}, {"node1.site.org", {}}, {"third", {0x2c9030000c000}}});
    ASSERT_TRUE(found.ok()) << found.status().text();
    EXPECT_EQ(found->network.text(), "fabric 3: 0-3x2,1-3,2-4,3-4x2");
    EXPECT_EQ(found->places, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(found->network.bandwidth, 12.5e9);
    EXPECT_EQ(found->network.distance(0, 1), 2);
    EXPECT_EQ(found->network.distance(0, 2), 3);
}

TEST(InfiniBand, all_hosts_are_listed_once_and_switches_are_none) {
    std::vector<std::string> names;
    for (auto const& host : hosts_of(fabric())) names.push_back(host.name);
    EXPECT_EQ(names, (std::vector<std::string>{"0x2c9030000c000", "node1", "node2.site"}));
    EXPECT_TRUE(place_hosts(fabric(), hosts_of(fabric())).ok());
}

TEST(InfiniBand, what_is_missing_or_cut_off_is_told) {
    auto const stranger = place_hosts(fabric(), {{"node1", {}}, {"mars", {}}}).status();
    EXPECT_EQ(stranger.message(), "the host mars has no adapter in the InfiniBand network");
    EXPECT_FALSE(place_hosts(fabric(), {{"node1", {}}, {"node1", {}}}).ok());
    std::string const text{printed};
    EXPECT_NE(parse_ibnetdiscover(text.substr(0, text.find("Ca\t"))).status().text().find("which is missing"),
              std::string::npos);
    EXPECT_FALSE(parse_ibnetdiscover("").ok());
}

TEST(InfiniBand, damaged_text_is_refused_or_read_but_never_harmful) {
    std::mt19937 random{3};
    for (int trial = 0; trial < 2000; ++trial) {
        std::string text{printed};
        for (unsigned change = 0; change <= random() % 8; ++change) {
            text[random() % text.size()] = "\"[]#\n0x9 "[random() % 9];
        }
        auto const found = parse_ibnetdiscover(text);
        if (!found) continue;
        auto const placed = place_hosts(*found, hosts_of(*found));
        EXPECT_EQ(placed.ok() ? placed->places.size() : hosts_of(*found).size(), hosts_of(*found).size());
    }
}

TEST(InfiniBand, speeds_are_known_by_their_names) {
    EXPECT_EQ(cable_bandwidth("4xSDR"), 1e9);
    EXPECT_EQ(cable_bandwidth("4xEDR"), 12.5e9);
    EXPECT_EQ(cable_bandwidth("2xNDR"), 25e9);
    EXPECT_EQ(cable_bandwidth("4x?"), 0);
    EXPECT_EQ(cable_bandwidth("lid"), 0);
}

TEST(Description, a_file_may_come_with_more_words) {
    auto const path = std::filesystem::temp_directory_path() / ("muster-fabric-" + std::to_string(::getpid()));
    std::ofstream{path} << printed;
    auto const given = read_description("@" + path.string() + "; tiers DRAM 90GB/s 0.1us");
    std::filesystem::remove(path);
    ASSERT_TRUE(given.ok()) << given.status().text();
    EXPECT_EQ(given->kind, Description::Kind::infiniband);
    auto const words = words_for(*given, {{"node1", {}}, {"node2", {}}});
    ASSERT_TRUE(words.ok()) << words.status().text();
    auto const machine = describe_machine(block_machine(4, 2), *words);
    ASSERT_TRUE(machine.ok()) << machine.status().text();
    EXPECT_EQ(machine->text(), "nodes 2 x 2; network fabric 2: 0-2,1-2x2,2-3x2; at 0,1; tiers DRAM 90GB/s 0.1us");
    EXPECT_FALSE(read_description("@/no/such/file").ok());
}

}  // namespace
}  // namespace muster
