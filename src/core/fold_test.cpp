#include "core/fold.hpp"

#include <gtest/gtest.h>

#include "core/patterns_testing.hpp"

namespace muster {
namespace {

using namespace testing;

Shape checked(List const& list, Offset shift = 0) {
    auto const shape = Shape::pieces(list).shifted(shift);
    auto const result = folded(shape);
    EXPECT_EQ(result.size(), shape.size());
    EXPECT_EQ(result.piece_count(), shape.piece_count());
    EXPECT_EQ(result.ordered(), shape.ordered());
    EXPECT_EQ(joined_pieces_of(result), joined_pieces_of(shape));
    return result;
}

bool is_repeat_within(Shape const& shape, std::size_t characters) {
    return shape.depth() > 0 && shape.text().size() < characters;
}

TEST(Fold, keeps_one_copy_of_a_pattern_and_what_stands_around_it) {
    Random random{3};
    auto const pattern = random_list(random, 100);
    auto const row = pattern.back().end() + 50;
    List list = random_list(random, 70);
    auto const start = list.back().end() + 3;
    for (Size i = 0; i < 60; ++i) append_at(list, pattern, start + i * row);
    auto const end = list.back().end() + 1;
    append_at(list, random_list(random, 33), end);
    EXPECT_TRUE(is_repeat_within(checked(list), 300 * 24));
    EXPECT_TRUE(is_repeat_within(checked(list, Offset{1} << 40), 300 * 30));
}

TEST(Fold, sees_patterns_whose_copies_touch) {
    List pattern;
    for (Size i = 0; i < 50; ++i) pattern.push_back({i * i + 10 * i, 4 + i % 3});
    pattern.push_back({4000, 96});
    List list;
    for (Size i = 0; i < 100; ++i) append_at(list, pattern, 4096 * i);
    EXPECT_TRUE(is_repeat_within(checked(list), 60 * 24 + 200 * 24));
}

TEST(Fold, leaves_other_lists_alone) {
    Random random{1};
    auto const untouched = [](List const& list) { return checked(list) == Shape::pieces(list); };
    EXPECT_TRUE(untouched(random_list(random, 10'000)));
    EXPECT_TRUE(untouched({}));
    EXPECT_TRUE(untouched({{5, 3}}));
    List list;  // a pattern that is too short
    for (Size i = 0; i < 2000; ++i) append_at(list, {{0, 4}, {8, 4}, {20, 12}}, 100 * i);
    EXPECT_TRUE(untouched(list));
    auto const cube = Shape::repeat(Shape::strip({0, 8}, 100, 32), 100, 10'000);
    EXPECT_EQ(folded(cube), cube);
}

TEST(Fold, is_the_same_pieces_where_a_copy_is_changed) {
    Random random{5};
    for (int i = 0; i < 200; ++i) {
        auto const pattern = random_list(random, 40 + i);
        auto const row = pattern.back().end() + 1 + i % 2;
        List list;
        for (Size copy = 0; copy < 70; ++copy) append_at(list, pattern, copy * row);
        auto const changed = static_cast<std::size_t>(between(random, 0, static_cast<Size>(list.size()) - 1));
        if (list[changed].length > 1) --list[changed].length;
        checked(list);
    }
}

}  // namespace
}  // namespace muster
