#include "tuning_output.hpp"

#include <gtest/gtest.h>

namespace muster::tool {

namespace {

PlanSubject subject_of(std::string const& mode) {
    PlanRequest request;
    request.workload = "noncontig";
    request.workload_options = {"--block-side", "64"};
    request.ranks = "128";
    request.mode = mode;
    request.layout = "striped";
    request.aggregators = "64";
    request.hints = {"muster_windows=1"};
    auto subject = understand(request);
    EXPECT_TRUE(subject.ok()) << subject.status().text();
    return std::move(*subject);
}

TEST(TuningOutput, one_call_covers_all_variables) {
    auto const input = tuning_input(subject_of("multi"), Size{16} << 20);
    ASSERT_EQ(input.calls.size(), 1U);
    EXPECT_EQ(input.calls[0], (Extent{0, Size{400} * 105125000}));
    EXPECT_EQ(input.aggregators, 64);
    auto const tuning = tune(input);
    EXPECT_EQ(tuning.best.size, Size{16} << 20);
    EXPECT_EQ(tuning.best.rounds, 40);
}

TEST(TuningOutput, a_call_for_each_covers_one_variable) {
    auto const input = tuning_input(subject_of("independent"), Size{16} << 20);
    ASSERT_EQ(input.calls.size(), 400U);
    EXPECT_EQ(input.calls[1], (Extent{105125000, 105125000}));
    EXPECT_EQ(tune(input).best.rounds, 400);
}

TEST(TuningOutput, memory_must_be_a_size) {
    EXPECT_EQ(print_tuning(subject_of("multi"), "much", false).code(), Code::invalid_argument);
}

}  // namespace

}  // namespace muster::tool
