#include "bench_request.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace muster::tool {
namespace {

BenchRequest request_for(std::string mpi, int ranks) {
    BenchRequest request;
    request.workload = "cube";
    request.workload_options = {"--grid", "16"};
    request.mpi = std::move(mpi);
    request.ranks = ranks;
    return request;
}

BenchSite const two_cores{2, true, "/bin/muster-bench", "/lib/libpatient_mpich.so", "/scratch", "/lib/drop-in.so"};

std::string joined(std::vector<std::string> const& words) {
    std::string text;
    for (auto const& word : words) text += word + " ";
    return text;
}

std::string command(BenchRequest const& request) {
    auto const plan = plan_bench(request, two_cores);
    EXPECT_TRUE(plan.ok()) << plan.status().text();
    return plan.ok() ? joined(plan->starts[0].words) : "";
}

TEST(BenchRequest, becomes_a_command) {
    auto const text = command(request_for("openmpi", 4));
    EXPECT_EQ(text.find("mpirun.openmpi --oversubscribe"), 0u);
    EXPECT_NE(text.find("--allow-run-as-root"), std::string::npos);
    EXPECT_NE(text.find("-n 4 /bin/muster-bench --workload cube --directory /scratch --option grid=16"),
              std::string::npos);
    EXPECT_NE(text.find("--back-end native/native --back-end muster/muster"), std::string::npos);
}

TEST(BenchRequest, of_the_exchange_takes_its_own_options_only) {
    auto request = request_for("openmpi", 16);
    request.workload = "exchange";
    request.workload_options = {"--bytes", "4KiB", "--throttle=2"};
    auto const plan = plan_exchange_bench(request, two_cores);
    ASSERT_TRUE(plan.ok()) << plan.status().text();
    EXPECT_NE(joined(plan->starts[0].words).find("-n 16 /bin/muster-bench --runs 5 --bytes 4096 --throttle 2 --json"),
              std::string::npos);
    request.workload_options = {"--grid", "16"};
    EXPECT_EQ(plan_exchange_bench(request, two_cores).status().code(), Code::invalid_argument);
    request.workload_options = {"--bytes", "many"};
    EXPECT_EQ(plan_exchange_bench(request, two_cores).status().code(), Code::invalid_argument);
}

TEST(BenchRequest, takes_another_launcher) {
    auto request = request_for("openmpi", 4);
    request.launcher = "srun --mpi=pmix";
    EXPECT_EQ(command(request).find("srun --mpi=pmix -n 4 /bin/muster-bench"), 0u);
}

TEST(BenchRequest, makes_mpich_patient_where_ranks_share_cores) {
    EXPECT_EQ(command(request_for("mpich", 2)).find("LD_PRELOAD"), std::string::npos);
    EXPECT_NE(command(request_for("mpich", 3)).find("-genv LD_PRELOAD /lib/libpatient_mpich.so"), std::string::npos);
    EXPECT_EQ(command(request_for("openmpi", 3)).find("LD_PRELOAD"), std::string::npos);
    auto off = request_for("mpich", 3);
    off.patient = "off";
    auto const plan = plan_bench(off, two_cores);
    ASSERT_TRUE(plan.ok());
    EXPECT_FALSE(plan->patient);
    EXPECT_EQ(plan->notes.size(), 1u);
}

TEST(BenchRequest, starts_other_components_by_themselves) {
    auto request = request_for("openmpi", 4);
    request.back_ends = "native,romio321,muster";
    auto const plan = plan_bench(request, two_cores);
    ASSERT_TRUE(plan.ok());
    ASSERT_EQ(plan->starts.size(), 2u);
    auto const second = joined(plan->starts[1].words);
    EXPECT_NE(second.find("--mca io romio321"), std::string::npos);
    EXPECT_NE(second.find("--floor no"), std::string::npos);
    EXPECT_EQ(second.find("muster/muster"), std::string::npos);
    EXPECT_EQ(plan->starts[0].samples, 3 * 2 * 6);
    EXPECT_EQ(plan->starts[1].samples, 1 * 2 * 6);
}

TEST(BenchRequest, preloads_the_drop_in_for_its_own_start_only) {
    auto request = request_for("mpich", 4);
    request.back_ends = "native,drop-in";
    auto const plan = plan_bench(request, two_cores);
    ASSERT_TRUE(plan.ok());
    ASSERT_EQ(plan->starts.size(), 2u);
    EXPECT_EQ(joined(plan->starts[0].words).find("drop-in"), std::string::npos);
    auto const second = joined(plan->starts[1].words);
    EXPECT_NE(second.find("-n 4 env LD_PRELOAD=/lib/drop-in.so:/lib/libpatient_mpich.so /bin/muster-bench"),
              std::string::npos);
    EXPECT_NE(second.find("--back-end native/drop-in"), std::string::npos);
    EXPECT_EQ(second.find("--mca"), std::string::npos);
}

TEST(BenchRequest, knows_by_the_hints_whom_they_are_for) {
    auto request = request_for("openmpi", 4);
    request.hints = {"tuned:cb_nodes=4", "small:muster_window=1MiB", "muster/old:cb_nodes=2", "plan/kept:"};
    auto const back_ends = back_ends_of(request);
    ASSERT_TRUE(back_ends.ok());
    ASSERT_EQ(back_ends->size(), 6u);
    EXPECT_EQ((*back_ends)[2].kind, "native");
    EXPECT_EQ((*back_ends)[3].kind, "muster");
    EXPECT_EQ((*back_ends)[4].kind, "muster");
    EXPECT_EQ((*back_ends)[5].kind, "plan");
}

TEST(BenchRequest, is_refused_when_it_makes_no_sense) {
    auto const refuses = [](auto change) {
        auto request = request_for("openmpi", 4);
        change(request);
        auto const plan = plan_bench(request, two_cores);
        return !plan.ok() && !plan.status().message().empty();
    };
    EXPECT_TRUE(refuses([](BenchRequest& request) { request.mpi = "lam"; }));
    EXPECT_TRUE(refuses([](BenchRequest& request) { request.workload = "nothing"; }));
    EXPECT_TRUE(refuses([](BenchRequest& request) { request.workload_options = {"--gird", "8"}; }));
    EXPECT_TRUE(refuses([](BenchRequest& request) { request.operations = "append"; }));
    EXPECT_TRUE(refuses([](BenchRequest& request) { request.operations = ""; }));
    EXPECT_TRUE(refuses([](BenchRequest& request) { request.back_ends = "muster,muster"; }));
    EXPECT_TRUE(refuses([](BenchRequest& request) { request.back_ends = ""; }));
    EXPECT_TRUE(refuses([](BenchRequest& request) { request.hints = {"cb_nodes=4"}; }));
    EXPECT_TRUE(refuses([](BenchRequest& request) { request.hints = {"../x:cb_nodes=4"}; }));
    EXPECT_TRUE(refuses([](BenchRequest& request) { request.runs = 0; }));
    EXPECT_TRUE(refuses([](BenchRequest& request) { request.cache = "tepid"; }));
    EXPECT_TRUE(refuses([](BenchRequest& request) {
        request.mpi = "mpich";
        request.back_ends = "romio321";
    }));
}

}  // namespace
}  // namespace muster::tool
