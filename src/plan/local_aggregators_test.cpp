#include "plan/local_aggregators.hpp"

#include <gtest/gtest.h>

#include <string>

namespace muster {
namespace {

std::string text(std::vector<LocalGroup> const& groups) {
    std::string text;
    for (auto const& group : groups) {
        text += std::to_string(group.first) + ":";
        for (auto rank = group.first; rank < group.end; ++rank) text += " " + std::to_string(rank);
        text += "; ";
    }
    return text;
}

int ceiling(int a, int b) { return (a + b - 1) / b; }

TEST(LocalAggregators, five_ranks_in_two_groups) { EXPECT_EQ(text(local_groups(5, 2)), "0: 0 1 2; 3: 3 4; "); }

TEST(LocalAggregators, the_larger_groups_come_first) {
    EXPECT_EQ(text(local_groups(8, 3)), "0: 0 1 2; 3: 3 4 5; 6: 6 7; ");
}

TEST(LocalAggregators, every_rank_may_be_its_own) { EXPECT_EQ(text(local_groups(3, 3)), "0: 0; 1: 1; 2: 2; "); }

TEST(LocalAggregators, the_number_is_bounded_by_one_and_the_ranks) {
    EXPECT_EQ(local_groups(3, 7), local_groups(3, 3));
    EXPECT_EQ(local_groups(3, 0), local_groups(3, 1));
    EXPECT_EQ(text(local_groups(3, 1)), "0: 0 1 2; ");
    EXPECT_TRUE(local_groups(0, 2).empty());
}

// The two formulas of the paper on two-layer aggregation, written out.
TEST(LocalAggregators, follow_the_published_formula) {
    for (int q = 1; q <= 70; ++q) {
        for (int c = 1; c <= q; ++c) {
            auto const groups = local_groups(q, c);
            auto const r = q % c;
            for (int i = 0; i < c; ++i) {
                auto const expected = i < r ? ceiling(q, c) * i : ceiling(q, c) * r + q / c * (i - r);
                EXPECT_EQ(groups[static_cast<std::size_t>(i)].first, expected) << q << " " << c << " " << i;
            }
        }
    }
}

TEST(LocalAggregators, groups_hold_every_rank_once_and_differ_by_one_at_most) {
    for (int q = 1; q <= 70; ++q) {
        for (int c = 1; c <= q; ++c) {
            int next = 0;
            for (auto const& group : local_groups(q, c)) {
                EXPECT_EQ(group.first, next);
                EXPECT_TRUE(group.end - group.first == q / c || group.end - group.first == ceiling(q, c));
                next = group.end;
            }
            EXPECT_EQ(next, q);
        }
    }
}

}  // namespace
}  // namespace muster
