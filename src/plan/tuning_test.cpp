#include "plan/tuning.hpp"

#include <gtest/gtest.h>

namespace muster {

namespace {

constexpr Size MiB = Size{1} << 20;
constexpr Size dataset = 105125000;

std::vector<Extent> datasets(Size count, Size bytes = dataset) {
    std::vector<Extent> calls;
    for (Size i = 0; i < count; ++i) calls.push_back({i * bytes, bytes});
    return calls;
}

TuningChoice of_size(Tuning const& tuning, Size size) {
    for (auto const& choice : tuning.choices) {
        if (choice.size == size) return choice;
    }
    ADD_FAILURE() << size << " was not tried";
    return {};
}

TEST(Tuning, a_call_for_each_variable_wants_the_variable_divided_by_the_stripe_count) {
    auto const tuning = tune({datasets(400), Layout::striped, 64, 1, 64 * MiB});
    EXPECT_EQ(tuning.best.size, 26 * 64 * 1024);  // 105.125 MB / 64 = 1.64 MB, in steps of 64 KiB
    EXPECT_EQ(tuning.best.rounds, 400);
    EXPECT_LT(tuning.best.idle, 0.05);
    EXPECT_EQ(tuning.reason, "400 rounds in 400 calls, the fewest there can be");
}

TEST(Tuning, the_rounds_are_those_of_the_papers_table) {
    auto const independent = tune({datasets(400), Layout::striped, 64, 1, 64 * MiB});
    EXPECT_EQ(of_size(independent, MiB).rounds, 800);
    auto const multi = tune({{{0, 400 * dataset}}, Layout::striped, 64, 1, 16 * MiB});
    EXPECT_EQ(of_size(multi, MiB).rounds, 627);
    EXPECT_EQ(of_size(multi, 16 * MiB).rounds, 40);
    auto const contiguous = tune({{{0, 400 * dataset}}, Layout::contiguous, 98, 1, 16 * MiB});
    EXPECT_EQ(of_size(contiguous, 16 * MiB).rounds, 26);
    EXPECT_EQ(of_size(contiguous, 256 * MiB).rounds, 2);
}

TEST(Tuning, larger_stripes_leave_aggregators_idle_when_each_variable_has_its_call) {
    auto const tuning = tune({datasets(400), Layout::striped, 64, 1, 64 * MiB});
    EXPECT_GT(of_size(tuning, 2 * MiB).idle, 0.15);
    EXPECT_EQ(of_size(tuning, MiB).idle, 0);
}

TEST(Tuning, one_call_for_all_wants_as_much_as_memory_allows) {
    auto const tuning = tune({{{0, 400 * dataset}}, Layout::striped, 64, 1, 16 * MiB});
    EXPECT_EQ(tuning.best.size, 16 * MiB);
    EXPECT_EQ(tuning.best.rounds, 40);
    EXPECT_EQ(tuning.reason, "40 rounds in 1 call, the largest that 16 MiB of windows allow");
    auto const twice = tune({{{0, 400 * dataset}}, Layout::striped, 64, 2, 16 * MiB});
    EXPECT_EQ(twice.best.size, 8 * MiB);
    EXPECT_EQ(twice.best.memory, 16 * MiB);
}

TEST(Tuning, contiguous_domains_want_windows_as_large_as_a_domain) {
    auto const tuning = tune({datasets(400), Layout::contiguous, 98, 3, 64 * MiB});
    EXPECT_EQ(tuning.best.rounds, 400);
    EXPECT_LE(tuning.best.size, 2 * MiB);
    EXPECT_EQ(tuning.best.idle, 0);
}

TEST(Tuning, calls_that_are_too_small_for_all_aggregators_are_named) {
    auto const tuning = tune({datasets(10, 100000), Layout::striped, 64, 1, 64 * MiB});
    EXPECT_EQ(tuning.best.size, 64 * 1024);
    EXPECT_EQ(tuning.reason, "10 rounds in 10 calls; the calls are too small to keep all aggregators busy");
}

TEST(Tuning, the_smallest_size_is_taken_where_memory_allows_none) {
    auto const tuning = tune({datasets(10), Layout::striped, 64, 1, 1});
    EXPECT_EQ(tuning.best.size, 64 * 1024);
    EXPECT_GT(tuning.best.memory, 1);
}

TEST(Tuning, nothing_to_access_is_fine) {
    auto const tuning = tune({{}, Layout::striped, 4, 1, 64 * MiB});
    EXPECT_EQ(tuning.best.rounds, 0);
}

}  // namespace

}  // namespace muster
