#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "hardware/network_files.hpp"
#include "hardware/node_hardware.hpp"

namespace muster {
namespace {

TEST(Node, this_node_has_cores_and_memory) {
    auto const found = look_at_node();
    EXPECT_GE(found.facts.threads, 1);
    ASSERT_FALSE(found.tiers.empty());
    EXPECT_GT(found.tiers[0].capacity, Size{1} << 20);
    EXPECT_FALSE(found.origin.empty());
}

#if MUSTER_HAS_HWLOC
TEST(Node, a_made_up_node_is_as_described) {
    auto const found = look_at_synthetic("pack:2 numa:2(memory=1073741824) l3:1(size=33554432) core:4 pu:2");
    EXPECT_EQ(found.facts, (NodeFacts{2, 4, 16, 32, Size{32} << 20})) << found.origin;
    ASSERT_EQ(found.tiers.size(), 1U);
    EXPECT_EQ(found.tiers[0].name, "DRAM");
    EXPECT_EQ(found.tiers[0].capacity, Size{4} << 30);
    EXPECT_EQ(found.numa_distances.size() % 4, 0U);
}

TEST(Node, nonsense_is_told_and_the_system_asked_instead) {
    auto const found = look_at_synthetic("no such thing");
    EXPECT_NE(found.origin.find("does not understand"), std::string::npos);
    EXPECT_FALSE(found.tiers.empty());
}
#endif

TEST(Node, measured_memory_is_between_possible_bounds) {
    auto const memory = measure_memory();
    EXPECT_GT(memory.bandwidth, 1e8);
    EXPECT_LT(memory.bandwidth, 1e13);
    EXPECT_GT(memory.latency, 1e-10);
    EXPECT_LT(memory.latency, 1e-4);
}

TEST(Node, a_directory_is_measured_or_the_reason_told) {
    auto const found = measure_directory(std::filesystem::temp_directory_path().string());
    ASSERT_TRUE(found.ok()) << found.status().text();
    EXPECT_GT(found->bandwidth, 1e5);
    EXPECT_TRUE(found->persistent);
    EXPECT_FALSE(measure_directory("/nowhere/at/all").ok());
}

TEST(Slurm, host_lists_are_expanded) {
    using Hosts = std::vector<std::string>;
    EXPECT_EQ(expand_hosts("tux[0-2,7],login"), (Hosts{"tux0", "tux1", "tux2", "tux7", "login"}));
    EXPECT_EQ(expand_hosts("n[008-010]-ib"), (Hosts{"n008-ib", "n009-ib", "n010-ib"}));
    EXPECT_EQ(expand_hosts(""), Hosts{});
    EXPECT_EQ(expand_hosts("a,b"), (Hosts{"a", "b"}));
}

constexpr auto conf = R"(# the example of SLURM's manual
SwitchName=s0 Nodes=tux[0-5]
SwitchName=s1 Nodes=tux[6-11]
SwitchName=s2 Nodes=tux[12-17]
SwitchName=s3 Switches=s[0-2]
)";

TEST(Slurm, switches_become_a_tree_and_hosts_places_in_it) {
    auto const found = parse_slurm_topology(conf, {"tux3", "tux5.example.org", "tux17"});
    ASSERT_TRUE(found.ok()) << found.status().text();
    EXPECT_EQ(found->network.places(), 18);
    auto const& at = found->places;
    EXPECT_EQ(found->network.distance(at[0], at[1]), 2);
    EXPECT_EQ(found->network.distance(at[0], at[2]), 4);
}

TEST(Slurm, separate_switches_meet_in_a_root_that_is_added) {
    auto const found = parse_slurm_topology("SwitchName=a Nodes=x,y\nSwitchName=b Nodes=z\n", {"x", "y", "z"});
    ASSERT_TRUE(found.ok()) << found.status().text();
    EXPECT_EQ(found->network.distance(found->places[0], found->places[1]), 2);
    EXPECT_EQ(found->network.distance(found->places[0], found->places[2]), 4);
}

TEST(Slurm, blocks_meet_as_their_sizes_say) {
    auto const* const text =
        "BlockName=b1 Nodes=n[0-1]\nBlockName=b2 Nodes=n[2-3]\nBlockName=b3 Nodes=n[4-5]\nBlockName=b4 Nodes=n[6-7]\n"
        "BlockSizes=2,4\n";
    std::vector<std::string> const hosts{"n0", "n1", "n2", "n4", "n7"};
    auto const found = parse_slurm_topology(text, hosts);
    ASSERT_TRUE(found.ok()) << found.status().text();
    auto const hops = [&](std::size_t from, std::size_t to) {
        return found->network.distance(found->places[from], found->places[to]);
    };
    EXPECT_EQ(hops(0, 1), 2);
    EXPECT_EQ(hops(0, 2), 4);
    EXPECT_EQ(hops(0, 3), 6);
    EXPECT_EQ(hops(3, 4), 4);
    EXPECT_EQ(slurm_hosts(text).size(), 8U);
    auto const flat = parse_slurm_topology("BlockName=b1 Nodes=n[0-1]\nBlockName=b2 Nodes=n[2-3]\n", {"n0", "n3"});
    ASSERT_TRUE(flat.ok()) << flat.status().text();
    EXPECT_EQ(flat->network.distance(flat->places[0], flat->places[1]), 4);
}

TEST(Slurm, what_is_missing_is_named) {
    EXPECT_EQ(parse_slurm_topology(conf, {"mars"}).status().message(), "the host mars is not in SLURM's topology.conf");
    EXPECT_EQ(parse_slurm_topology("SwitchName=a Switches=b\n", {}).status().message(), "there is no switch b");
    EXPECT_FALSE(parse_slurm_topology("# nothing\n", {}).ok());
    EXPECT_FALSE(parse_slurm_topology("SwitchName=a Switches=a\n", {}).ok());
}

TEST(Slurm, the_file_beside_slurm_conf_is_found) {
    auto const directory = std::filesystem::temp_directory_path() / ("muster-slurm-" + std::to_string(::getpid()));
    std::filesystem::create_directories(directory);
    std::ofstream{directory / "topology.conf"} << conf;
    ::setenv("SLURM_CONF", (directory / "slurm.conf").c_str(), 1);
    EXPECT_EQ(find_slurm_topology(), conf);
    ::unsetenv("SLURM_CONF");
    std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace muster
