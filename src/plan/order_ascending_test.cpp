#include "plan/order_ascending.hpp"

#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(Ascending, ranks_are_due_as_they_are_numbered) {
    for (Rank rank = 0; rank < 100; ++rank) EXPECT_EQ(ascending_position(rank), rank);
}

}  // namespace
}  // namespace muster
