#include "plan/rank_order.hpp"

#include <gtest/gtest.h>

#include "plan/schedule.hpp"

namespace muster {
namespace {

using Ranks = std::vector<Rank>;

TEST(RankOrder, is_round_robin_over_the_nodes_unless_asked_for_another) {
    auto const machine = block_machine(8, 4);
    EXPECT_EQ(dealt_ranks(RankOrder::automatic, {}, machine), (Ranks{0, 4, 1, 5, 2, 6, 3, 7}));
    EXPECT_EQ(dealt_ranks(RankOrder::round_robin, {}, machine), (Ranks{0, 4, 1, 5, 2, 6, 3, 7}));
    EXPECT_EQ(dealt_ranks(RankOrder::plain, {5, 1}, machine), (Ranks{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(RankOrder, of_a_list_has_each_rank_once_whatever_the_list) {
    auto const machine = block_machine(5, 2);
    EXPECT_EQ(dealt_ranks(RankOrder::list, {4, 0, 3, 1, 2}, machine), (Ranks{4, 0, 3, 1, 2}));
    EXPECT_EQ(dealt_ranks(RankOrder::list, {3, 9, -1, 3, 1}, machine), (Ranks{3, 1, 0, 2, 4}));
    EXPECT_EQ(dealt_ranks(RankOrder::list, {}, machine), (Ranks{0, 1, 2, 3, 4}));
}

// Who hears from whom first, with four aggregators on eight ranks.
TEST(RankOrder, decides_with_whom_balanced_aggregators_begin) {
    auto const machine = block_machine(8, 4);
    auto const firsts = [&](RankOrder order) {
        Schedule const schedule{
            {Kernel::balanced, 8, {0, 1, 2, 3}, dealt_ranks(order, {7, 6, 5, 4, 3, 2, 1, 0}, machine)}};
        Ranks ranks;
        for (int i = 0; i < 4; ++i) ranks.push_back(schedule.ranks_of(i).front());
        return ranks;
    };
    EXPECT_EQ(firsts(RankOrder::round_robin), (Ranks{0, 1, 2, 3}));
    EXPECT_EQ(firsts(RankOrder::plain), (Ranks{0, 2, 4, 6}));
    EXPECT_EQ(firsts(RankOrder::list), (Ranks{7, 5, 3, 1}));
}

}  // namespace
}  // namespace muster
