#include "preload/file_view.hpp"

#include <gtest/gtest.h>

namespace muster::preload {

FileView view_of(std::vector<Extent> pieces, Size extent) {
    FileView view;
    view.bytes = View{100, 1, Shape::pieces(std::move(pieces)), extent};
    return view;
}

TEST(BytesBefore, a_place_are_those_of_all_tiles_before_it) {
    auto const view = view_of({{2, 3}, {10, 4}}, 20);
    EXPECT_EQ(bytes_before(view, 0), 0);
    EXPECT_EQ(bytes_before(view, 102), 0);
    EXPECT_EQ(bytes_before(view, 104), 2);
    EXPECT_EQ(bytes_before(view, 110), 3);
    EXPECT_EQ(bytes_before(view, 114), 7);
    EXPECT_EQ(bytes_before(view, 122), 7);
    EXPECT_EQ(bytes_before(view, 123), 8);
    EXPECT_EQ(bytes_before(view, 100 + 20'000'000'000 + 11), 7'000'000'000 + 4);
}

TEST(BytesBefore, a_place_end_with_the_first_that_lies_behind_it_where_tiles_interleave) {
    auto const view = view_of({{0, 4}, {12, 4}}, 8);  // at 0, 12, 8, 20, 16, 28
    EXPECT_EQ(bytes_before(view, 124), 20);
    EXPECT_EQ(bytes_before(view, 122), 14);
    EXPECT_EQ(bytes_before(view, 112), 4);
    EXPECT_EQ(bytes_before(view, 114), 6);
}

TEST(BytesBefore, a_place_are_of_one_tile_where_all_lie_on_each_other) {
    auto const view = view_of({{0, 4}, {8, 4}}, 0);
    EXPECT_EQ(bytes_before(view, 110), 6);
    EXPECT_EQ(bytes_before(view, 200), 8);
}

}  // namespace muster::preload
