#include "plan/order_spread_out.hpp"

#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(SpreadOut, an_aggregator_hears_from_itself_first_and_from_its_left_neighbour_last) {
    for (Rank aggregator = 0; aggregator < 10; ++aggregator) {
        EXPECT_EQ(spread_out_position(10, aggregator, aggregator), 0);
        EXPECT_EQ(spread_out_position(10, aggregator, (aggregator + 1) % 10), 1);
        EXPECT_EQ(spread_out_position(10, aggregator, (aggregator + 9) % 10), 9);
    }
}

}  // namespace
}  // namespace muster
