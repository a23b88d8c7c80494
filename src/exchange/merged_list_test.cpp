#include "exchange/merged_list.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace muster {
namespace {

// Extents [10, 15), [20, 30) and [40, 41).
std::vector<MergedExtent> const entries{{10, 0}, {20, 5}, {40, 15}, {41, 16}};

TEST(MergedList, knows_how_many_bytes_lie_before_an_offset) {
    MergedList const list{entries};
    EXPECT_EQ(list.extents(), 3);
    std::vector<Size> found;
    for (auto const offset : {0, 10, 12, 15, 19, 20, 29, 30, 40, 41, 100}) found.push_back(list.position_of(offset));
    EXPECT_EQ(found, (std::vector<Size>{0, 0, 2, 5, 5, 5, 14, 15, 15, 16, 16}));
}

TEST(MergedList, counts_the_bytes_of_a_part) {
    MergedList const list{entries};
    EXPECT_EQ(list.bytes_in({0, 100}), 16);
    EXPECT_EQ(list.bytes_in({12, 10}), 5);
    EXPECT_EQ(list.bytes_in({15, 5}), 0);
    EXPECT_EQ(list.bytes_in({15, 0}), 0);
}

TEST(MergedList, walks_forwards) {
    MergedList const list{entries};
    MergedList::Walk walk{list, 11};
    EXPECT_EQ(walk.position_of(11), 1);
    EXPECT_EQ(walk.position_of(14), 4);
    EXPECT_EQ(walk.position_of(40), 15);
}

TEST(MergedList, walks_in_leaps_of_any_length) {
    std::vector<MergedExtent> many;
    for (Size i = 0; i <= 300; ++i) many.push_back({10 * i, 4 * i});
    MergedList const list{many};
    for (Size step = 1; step < 300; ++step) {
        for (Size first = 0; first < std::min<Size>(step, 20); ++first) {
            MergedList::Walk walk{list, 10 * first};
            for (Size i = first; i < 300; i += step) {
                ASSERT_EQ(walk.position_of(10 * i), 4 * i) << step;
                ASSERT_EQ(walk.position_of(10 * i + 3), 4 * i + 3) << step;
            }
        }
    }
}

TEST(MergedList, may_be_empty) {
    EXPECT_EQ(MergedList{}.position_of(5), 0);
    EXPECT_EQ(MergedList{}.bytes_in({0, 9}), 0);
    std::vector<MergedExtent> const none{{0, 0}};
    EXPECT_EQ(MergedList{none}.position_of(5), 0);
}

}  // namespace
}  // namespace muster
