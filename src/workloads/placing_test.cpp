#include "workloads/placing.hpp"

#include <gtest/gtest.h>

#include "workloads/registry.hpp"

namespace muster {
namespace {

struct Job {
    char const* workload;
    int ranks;
    std::vector<OptionPair> options;
    int per_node;
    char const* network;
};

// The paper's jobs: a tree of 4 racks of 20 nodes, and a fat tree of 34 times 256 nodes, on nodes here and there.
std::vector<Job> const jobs{{"cube", 512, {}, 12, "tree 20 x 4"},
                            {"btio", 625, {{"variables", "1"}, {"grid", "500"}}, 12, "tree 20 x 4"},
                            {"cube", 512, {}, 16, "fat-tree 256 x 34"},
                            {"btio", 625, {{"variables", "1"}, {"grid", "500"}}, 16, "fat-tree 256 x 34"}};

Machine scattered(Job const& job, int seed) {
    auto machine = block_machine(job.ranks, job.per_node);
    return *describe_machine(std::move(machine),
                             "network " + std::string{job.network} + "; at random " + std::to_string(seed));
}

TEST(Placing, topology_is_at_most_locality_is_at_most_the_original) {
    for (auto const& job : jobs) {
        auto const workload = make_workload(job.workload, job.ranks, job.options);
        ASSERT_TRUE(workload.ok()) << workload.status().text();
        for (int seed = 1; seed <= 3; ++seed) {
            auto const found = compare_placements(*workload, scattered(job, seed), 1);
            EXPECT_LE(found.topology.hop_bytes, found.locality.hop_bytes) << job.workload << job.network << seed;
            EXPECT_LE(found.locality.hop_bytes, found.original.hop_bytes) << job.workload << job.network << seed;
            EXPECT_LT(found.topology.hop_bytes, found.original.hop_bytes) << job.workload << job.network << seed;
        }
    }
}

TEST(Placing, every_byte_of_a_workload_is_in_one_domain) {
    auto const workload = make_workload("btio", 16, std::vector<OptionPair>{{"grid", "16"}, {"variables", "2"}});
    ASSERT_TRUE(workload.ok());
    Domains const domains{Layout::striped, {0, workload->bytes()}, 5, 1000, 1000};
    auto const bytes = bytes_by_domain(*workload, domains);
    Size total = 0;
    for (auto const count : bytes.bytes) total += count;
    EXPECT_EQ(total, workload->bytes());
}

}  // namespace
}  // namespace muster
