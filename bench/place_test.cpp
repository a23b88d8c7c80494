#include "place.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace muster::bench {
namespace {

constexpr Size mebibyte = Size{1} << 20;

Size resident() {
    Size all = 0;
    Size pages = 0;
    std::ifstream{"/proc/self/statm"} >> all >> pages;
    return pages * sysconf(_SC_PAGESIZE);
}

TEST(SpareMemory, is_there_until_a_step_needs_it) {
    auto const before = resident();
    SpareMemory spare{2, 32 * mebibyte};
    EXPECT_EQ(spare.held(), 0U);
    spare.hold();
    EXPECT_EQ(spare.held(), 2U);
    EXPECT_GE(resident() - before, 2 * 32 * mebibyte);
    spare.free_for_step();
    spare.free_for_step();
    spare.free_for_step();
    EXPECT_LT(resident() - before, 32 * mebibyte);
    spare.hold();
    EXPECT_EQ(spare.held(), 2U);
}

TEST(SpareMemory, is_none_where_it_would_take_what_others_need) {
    SpareMemory spare{1000, Size{1} << 40};
    spare.hold();
    EXPECT_EQ(spare.held(), 0U);
}

}  // namespace
}  // namespace muster::bench
