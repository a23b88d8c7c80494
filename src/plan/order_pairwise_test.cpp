#include "plan/order_pairwise.hpp"

#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(Pairwise, partners_meet_in_the_same_step_where_ranks_are_a_power_of_two) {
    for (Rank a = 0; a < 32; ++a) {
        for (Rank b = 0; b < 32; ++b) EXPECT_EQ(pairwise_position(32, a, b), pairwise_position(32, b, a));
    }
}

TEST(Pairwise, a_rank_has_one_receiver_and_one_sender_in_a_step) {
    for (int ranks = 1; ranks < 40; ++ranks) {
        for (Rank rank = 0; rank < ranks; ++rank) {
            std::vector<int> sends(static_cast<std::size_t>(ranks)), receives(sends.size());
            for (Rank peer = 0; peer < ranks; ++peer) {
                ++sends[static_cast<std::size_t>(pairwise_position(ranks, peer, rank))];
                ++receives[static_cast<std::size_t>(pairwise_position(ranks, rank, peer))];
            }
            ASSERT_EQ(sends, std::vector<int>(sends.size(), 1));
            ASSERT_EQ(receives, sends);
        }
    }
}

}  // namespace
}  // namespace muster
