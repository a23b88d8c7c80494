#include "discovery/nodes.hpp"

#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(Nodes, are_split_by_numa_domain) {
    auto const nodes = block_machine(8, 4);
    EXPECT_EQ(split_nodes(nodes, {0, 0, 1, 1, 0, 0, 1, 1}), block_machine(8, 2));
    EXPECT_EQ(split_nodes(nodes, {0, 1, 0, 1, 1, 1, 1, 1}).text(), "nodes 0,1,0,1,2,2,2,2");
    EXPECT_EQ(split_nodes(nodes, std::vector<Size>(8)), nodes);
}

TEST(Nodes, numa_domain_of_this_process_is_known) { EXPECT_GE(numa_domain(), 0); }

}  // namespace
}  // namespace muster
