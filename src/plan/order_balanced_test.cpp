#include "plan/order_balanced.hpp"

#include <gtest/gtest.h>

#include <set>

namespace muster {
namespace {

// Start indices of Algorithm 2: the first p mod |R| shares have one rank more.
TEST(Balanced, aggregators_start_with_shares_that_differ_by_one_at_most) {
    for (int const start : {0, 4, 7})
        EXPECT_EQ(balanced_position({10, 3}, start == 0 ? 0 : start == 4 ? 1 : 2, start), 0);
    EXPECT_EQ(balanced_position({10, 3}, 1, 3), 9);
    EXPECT_EQ(balanced_position({10, 3}, 2, 0), 3);
}

TEST(Balanced, no_two_aggregators_start_with_the_same_rank) {
    for (int ranks = 1; ranks < 40; ++ranks) {
        for (int count = 1; count <= ranks; ++count) {
            std::set<int> first;
            for (int aggregator = 0; aggregator < count; ++aggregator) {
                for (int place = 0; place < ranks; ++place) {
                    if (balanced_position({ranks, count}, aggregator, place) == 0) first.insert(place);
                }
            }
            ASSERT_EQ(static_cast<int>(first.size()), count) << ranks;
        }
    }
}

}  // namespace
}  // namespace muster
