#include "bench_results.hpp"

#include <gtest/gtest.h>

#include "bench_output.hpp"

namespace muster::tool {
namespace {

std::string sample(std::string const& back_end, int run, std::string const& steps, bool verified = true) {
    return R"({"type":"sample","operation":"write","back_end":")" + back_end + R"(","run":)" + std::to_string(run) +
           R"(,"open_s":0.1,"steps_s":[)" + steps + R"(],"close_s":0.2,"steps_cpu_s":[4,2,2],"verified":)" +
           (verified ? "true" : "false") + R"(,"error":"bad byte"})";
}

TEST(Spread, has_the_median_of_odd_and_even_numbers) {
    EXPECT_DOUBLE_EQ(spread_of({3, 1, 2}).median, 2);
    EXPECT_DOUBLE_EQ(spread_of({4, 1, 2, 3}).median, 2.5);
    EXPECT_DOUBLE_EQ(spread_of({4, 1, 2, 3}).min, 1);
    EXPECT_DOUBLE_EQ(spread_of({4, 1, 2, 3}).max, 4);
    EXPECT_DOUBLE_EQ(spread_of({}).median, 0);
}

TEST(Ratios, pair_runs_that_followed_each_other) {
    EXPECT_EQ(ratios({2, 9}, {1, 3}), (std::vector<double>{2, 3}));
    EXPECT_EQ(ratios({2, 9, 4}, {1}), (std::vector<double>{2}));
    EXPECT_TRUE(ratios({2}, {0}).empty());
}

TEST(BenchResults, leave_warm_ups_out) {
    BenchResults results;
    EXPECT_TRUE(results.hear(sample("muster", -1, "9,9,9")));
    EXPECT_TRUE(results.hear(sample("muster", 0, "3,1,2")));
    auto const* const times = results.find("write", "muster");
    ASSERT_NE(times, nullptr);
    EXPECT_EQ(times->total, (std::vector<double>{6}));
    EXPECT_EQ(times->first, (std::vector<double>{3}));
    EXPECT_EQ(times->repeat, (std::vector<double>{1.5}));
    EXPECT_EQ(times->cpu, (std::vector<double>{8}));
    EXPECT_EQ(times->repeat_cpu, (std::vector<double>{2}));
    EXPECT_TRUE(results.verified("write"));
    EXPECT_FALSE(results.verified("read"));
    EXPECT_EQ(results.heard(), 2);
}

TEST(BenchResults, remember_a_wrong_byte_even_of_a_warm_up) {
    BenchResults results;
    results.hear(sample("native", 0, "1"));
    results.hear(sample("muster", -1, "1", false));
    EXPECT_FALSE(results.verified("write"));
    EXPECT_EQ(results.error(), "write by muster: bad byte");
}

TEST(BenchResults, do_not_take_what_others_say) {
    BenchResults results;
    EXPECT_FALSE(results.hear("a warning of the MPI"));
    EXPECT_FALSE(results.hear("{broken"));
    EXPECT_FALSE(results.hear("[1,2]"));
}

struct BenchOutput : testing::Test {
    BenchRequest request;
    BenchPlan plan;
    BenchSite site;
    BenchResults results;

    BenchOutput() {
        request.workload = "cube";
        request.operations = "write";
        request.steps = 2;
        plan.back_ends = {{"native", "native", "", ""}, {"muster", "muster", "muster_window=1MiB", ""}};
        for (int run = 0; run < 3; ++run) {
            results.hear(sample("native", run, "4,4"));
            results.hear(sample("muster", run, "2,1"));
            results.hear(sample("floor", run, "0.75,0.25"));
        }
        results.hear(R"({"type":"job","mpi":"An MPI","ranks":4,"bytes":1000000,"pieces":1234,"in_memory":true})");
    }
    BenchSummary summary() const { return {request, plan, site, results, true}; }
};

TEST_F(BenchOutput, as_json_has_the_names_that_programs_look_for) {
    auto const write = bench_json(summary())["write"];
    EXPECT_EQ(write["native_s"], 8);
    EXPECT_EQ(write["muster_s"], 3);
    EXPECT_DOUBLE_EQ(write["speedup"], 8.0 / 3);
    EXPECT_EQ(write["floor_s"], 1);
    EXPECT_EQ(write["floor_ratio"], 3);
    EXPECT_EQ(write["first_s"], 2);
    EXPECT_EQ(write["repeat_s"], 1);
    EXPECT_DOUBLE_EQ(write["first_floor_ratio"], 2 / 0.75);
    EXPECT_EQ(write["repeat_floor_ratio"], 4);
    EXPECT_EQ(write["verified"], true);
    EXPECT_EQ(write["back_ends"][1]["hints"]["muster_window"], "1MiB");
    EXPECT_FALSE(bench_json(summary()).contains("read"));
}

TEST_F(BenchOutput, as_csv_has_a_line_per_back_end) {
    auto const text = bench_csv(summary());
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
    EXPECT_NE(text.find("cube,4,openmpi,.,write,muster,1000000,2,3.000000,3.000000,3.000000,2.6667,3.0000,"),
              text.npos);
}

TEST_F(BenchOutput, as_text_says_what_was_not_verified) {
    EXPECT_NE(bench_text(summary()).find("every byte verified"), std::string::npos);
    auto incomplete = summary();
    incomplete.complete = false;
    EXPECT_NE(bench_text(incomplete).find("NOT VERIFIED"), std::string::npos);
}

TEST_F(BenchOutput, has_no_ratio_without_a_floor_or_a_native_side) {
    plan.back_ends = {{"muster", "muster", "", ""}};
    results = {};
    results.hear(sample("muster", 0, "2,1"));
    auto const write = bench_json(summary())["write"];
    EXPECT_TRUE(write["native_s"].is_null());
    EXPECT_TRUE(write["speedup"].is_null());
    EXPECT_TRUE(write["floor_ratio"].is_null());
    EXPECT_EQ(write["muster_s"], 3);
}

}  // namespace
}  // namespace muster::tool
