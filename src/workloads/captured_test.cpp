#include "workloads/captured.hpp"

#include <gtest/gtest.h>

#include "workloads/study.hpp"

namespace muster {
namespace {

using Bytes = std::vector<std::byte>;

// Four ranks write columns of 8 bytes in three steps, and read the first step back.
std::shared_ptr<Capture const> columns() {
    auto all = capture_head(4);
    for (Rank rank = 0; rank < 4; ++rank) {
        Recorder recorder;
        auto const file = recorder.open({{0, 0}, rank, 4, rank == 0 ? "state.bin" : ""});
        for (Size step = 0; step < 3; ++step) {
            recorder.add(file, true, Stream::whole(Shape::strip({step * 3200 + rank * 8, 8}, 100, 32)));
        }
        recorder.add(file, false, Stream::whole(Shape::strip({rank * 8, 8}, 100, 32)));
        auto const section = recorder.section("n");
        all.insert(all.end(), section.begin(), section.end());
    }
    return std::make_shared<Capture const>(Capture::parse(all).value());
}

TEST(Captured, is_a_workload_of_one_variable_for_each_call) {
    auto const workload = make_captured(columns(), {0, true, 0, ""});
    ASSERT_TRUE(workload.ok()) << workload.status().text();
    EXPECT_EQ(workload->ranks, 4);
    ASSERT_EQ(workload->variables.size(), 3U);
    EXPECT_EQ(workload->pattern_count(), 1);  // the steps lie alike
    EXPECT_EQ(workload->bytes(), 3 * 3200);
    EXPECT_EQ(workload->file_of(3, 2).shape.text(), Shape::strip({6424, 8}, 100, 32).text());
    EXPECT_EQ(workload->file_of(1).size(), 3 * 800);
}

TEST(Captured, takes_the_calls_that_are_chosen) {
    auto const reads = make_captured(columns(), {0, false, 0, ""});
    ASSERT_TRUE(reads.ok());
    EXPECT_EQ(reads->variables.size(), 1U);
    auto const first = make_captured(columns(), {0, true, 2, ""});
    ASSERT_TRUE(first.ok());
    EXPECT_EQ(first->variables.size(), 2U);
    EXPECT_FALSE(make_captured(columns(), {1, true, 0, ""}).ok());
}

TEST(Captured, lets_other_ranks_do_what_ranks_of_the_program_did) {
    auto const workload = make_captured(columns(), {0, true, 0, "reversed"});
    ASSERT_TRUE(workload.ok());
    EXPECT_EQ(workload->file_of(0, 0).shape.low(), 24);
    EXPECT_EQ(rank_order_of("cyclic/2", 4).value(), (std::vector<Rank>{0, 2, 1, 3}));
    EXPECT_EQ(rank_order_of("3,0,1,2", 4).value(), (std::vector<Rank>{3, 0, 1, 2}));
    auto random = rank_order_of("random/5", 100).value();
    EXPECT_NE(random, rank_order_of("", 100).value());
    std::sort(random.begin(), random.end());
    EXPECT_EQ(random, rank_order_of("as-is", 100).value());
    for (auto const* const wrong : {"0,1,2", "0,1,2,2", "cyclic/0", "cyclic/5", "random/", "blue", "0,1,2,x"}) {
        EXPECT_FALSE(rank_order_of(wrong, 4).ok()) << wrong;
    }
}

TEST(Captured, can_be_planned_call_by_call) {
    auto const workload = make_captured(columns(), {0, true, 0, ""});
    ASSERT_TRUE(workload.ok());
    auto const machine = block_machine(4, 2);
    StudyInput input;
    input.workload = &*workload;
    input.machine = &machine;
    input.mode = CallMode::independent;
    input.hints.collective_write = Toggle::on;
    input.hints.window = 800;
    input.hints.aggregators = 2;
    auto const studied = study(input);
    ASSERT_TRUE(studied.ok()) << studied.status().text();
    EXPECT_EQ(studied->calls, 3);
    EXPECT_EQ(studied->requests, 1200);
    EXPECT_EQ(studied->bytes, 9600);
    EXPECT_EQ(studied->rounds, 3 * 2);
}

}  // namespace
}  // namespace muster
