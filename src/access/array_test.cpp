#include "access/array.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace muster {
namespace {

std::string text(SubArray const& box, Size element_size) {
    auto const shape = subarray_shape(box, element_size);
    return shape ? shape->text() : shape.status().text();
}

TEST(SubArray, of_one_dimension_is_a_block) { EXPECT_EQ(text({{100}, {10}, {5}}, 8), "80 at 40"); }

TEST(SubArray, of_no_dimension_is_one_element) { EXPECT_EQ(text({{}, {}, {}}, 8), "8"); }

TEST(SubArray, of_two_dimensions_is_a_strip) {
    EXPECT_EQ(text({{10, 20}, {3, 4}, {5, 6}}, 4), "strip 3 x 16 by 80 at 424");
    EXPECT_EQ(text({{10, 20}, {3, 4}, {5, 6}, ArrayOrder::fortran}, 4), "strip 4 x 12 by 40 at 260");
}

TEST(SubArray, nests_one_repeat_per_further_dimension) {
    EXPECT_EQ(text({{9, 10, 10, 10}, {5, 2, 3, 4}, {1, 1, 2, 3}}, 1),
              "repeat 5 by 1000 at 1000 (repeat 2 by 100 at 100 (strip 3 x 4 by 10 at 23))");
}

TEST(SubArray, joins_dimensions_that_are_whole) {
    EXPECT_EQ(text({{4, 5, 6}, {2, 5, 6}, {1, 0, 0}}, 2), "120 at 60");
    EXPECT_EQ(text({{4, 5, 6}, {4, 5, 2}, {0, 0, 1}}, 1), "strip 20 x 2 by 6 at 1");
}

TEST(SubArray, may_be_empty) { EXPECT_EQ(text({{4, 5}, {0, 5}, {4, 0}}, 8), "nothing"); }

TEST(SubArray, may_be_larger_than_memory) {
    EXPECT_EQ(text({{Size{1} << 20, Size{1} << 20, 1000}, {Size{1} << 19, Size{1} << 20, 999}, {0, 0, 0}}, 8),
              "strip 549755813888 x 7992 by 8000");
}

TEST(SubArray, must_lie_in_the_array) {
    EXPECT_EQ(text({{10, 20}, {3, 4}, {5, 17}}, 4),
              "invalid_argument: dimension 1: 4 elements from 17 do not fit into 20");
    EXPECT_EQ(text({{10}, {3}, {-1}}, 4), "invalid_argument: dimension 0: 3 elements from -1 do not fit into 10");
    EXPECT_EQ(text({{10}, {std::numeric_limits<Size>::max()}, {1}}, 4).substr(0, 16), "invalid_argument");
    EXPECT_EQ(text({{10, 20}, {3}, {5}}, 4),
              "invalid_argument: sizes, subsizes and starts must have one entry per dimension each");
    EXPECT_EQ(text({{Size{1} << 40, Size{1} << 40}, {1, 1}, {0, 0}}, 8),
              "invalid_argument: the array has more bytes than a 64-bit offset can tell");
}

Element const byte{Shape::block(0, 1), 1};

TEST(Distribution, gives_every_element_to_one_process) {
    for (Size size = 0; size < 20; ++size) {
        for (Size block = 1; block < 6; ++block) {
            std::vector<int> owners(static_cast<std::size_t>(size), 0);
            for (Size process = 0; process < 3; ++process) {
                auto const shape = distributed_shape({size, block, 3, process}, byte);
                EXPECT_TRUE(shape.ordered());
                shape.for_each([&](Offset offset, Size length) {
                    for (auto i = offset; i < offset + length; ++i) {
                        EXPECT_EQ(i / block % 3, process);
                        ++owners[static_cast<std::size_t>(i)];
                    }
                });
            }
            EXPECT_EQ(owners, std::vector<int>(static_cast<std::size_t>(size), 1));
        }
    }
}

}  // namespace
}  // namespace muster
