#include "core/compact.hpp"

#include <gtest/gtest.h>

#include "core/patterns_testing.hpp"
#include "core/runs.hpp"

namespace muster {
namespace {

using namespace testing;

// Numbers in the text of a shape: how large it really is.
std::size_t nodes_and_numbers(Shape const& shape) { return shape.text().size(); }

Shape checked_compact(Shape const& shape) {
    auto const result = compact(shape);
    EXPECT_EQ(result.size(), shape.size());
    EXPECT_EQ(joined_pieces_of(result), joined_pieces_of(shape));
    EXPECT_EQ(result.ordered(), shape.ordered());
    return result;
}

TEST(Compact, leaves_regular_shapes_alone) {
    auto const strip = Shape::strip({0, 8}, 100, 32);
    EXPECT_EQ(compact(strip), strip);
    EXPECT_EQ(compact(Shape{}), Shape{});
    auto const cube = Shape::repeat(strip, 10, 10'000);
    EXPECT_EQ(compact(cube), cube);
}

TEST(Compact, leaves_random_lists_alone) {
    Random random{1};
    auto const shape = Shape::pieces(random_list(random, 10'000));
    EXPECT_EQ(compact(shape), shape);
}

TEST(Compact, finds_the_strip_between_irregular_pieces) {
    List list{{1, 3}, {7, 2}, {10, 5}};
    for (Size i = 0; i < 1000; ++i) list.push_back({100 + i * 24, 8});
    list.push_back({30'000, 3});
    list.push_back({31'000, 7});
    EXPECT_EQ(checked_compact(Shape::pieces(list)).text(),
              "chain (pieces 3@1 2@7 5@10, strip 1000 x 8 by 24 at 100, pieces 3@30000 7@31000)");
}

TEST(Compact, finds_a_pattern_that_returns_at_equal_distances) {
    List const pattern{{0, 4}, {8, 4}, {20, 12}};
    List list;
    for (Size i = 0; i < 1000; ++i) append_at(list, pattern, 100 * i);
    EXPECT_EQ(checked_compact(Shape::pieces(list)).text(), "repeat 1000 by 100 (pieces 4@0 4@8 12@20)");
}

TEST(Compact, finds_nested_repeats) {
    List list;
    pieces_of(Shape::repeat(Shape::repeat(Shape::strip({0, 8}, 50, 100), 40, 7000), 30, 400'000)).swap(list);
    EXPECT_EQ(checked_compact(Shape::pieces(list)).text(),
              "repeat 30 by 400000 (repeat 40 by 7000 (strip 50 x 8 by 100))");
}

TEST(Compact, keeps_one_copy_of_the_columns_of_all_levels_and_variables) {
    Random random{2};
    auto const list = climate_list(random, {});
    auto const found = checked_compact(Shape::pieces(list));
    EXPECT_EQ(found.text().find("pieces"), found.text().rfind("pieces")) << found.text();
    EXPECT_LT(nodes_and_numbers(found), 500U);
}

TEST(Compact, stores_a_pattern_once_that_returns_at_any_distance) {
    Random random{3};
    Climate climate;
    climate.padding = 1000;
    auto const list = climate_list(random, climate);
    auto const found = checked_compact(Shape::pieces(list));
    EXPECT_EQ(found.text().substr(0, 7), "chain (");
    EXPECT_LT(nodes_and_numbers(found), 10'000U) << found.text();
}

TEST(Compact, sees_equal_children_of_a_chain) {
    std::vector<Shape> rows;
    for (Size i = 0; i < 100; ++i) {
        rows.push_back(Shape::strip({i * 1000, 8}, 10, 16));
        rows.push_back(Shape::block(i * 1000 + 500, 4));
    }
    EXPECT_EQ(checked_compact(Shape::chain(rows)).text(), "repeat 100 by 1000 (chain (strip 10 x 8 by 16, 4 at 500))");
    EXPECT_EQ(checked_compact(Shape::chain({rows[0], rows[2], rows[4]})).text(),
              "repeat 3 by 1000 (strip 10 x 8 by 16)");
}

TEST(Compact, keeps_every_piece_of_random_shapes) {
    Random random{4};
    for (int i = 0; i < 5000; ++i) {
        auto const shape = random_sample(random, {i % 2 == 0, 3}).shape;
        ASSERT_EQ(joined_pieces_of(compact(shape)), joined_pieces_of(shape)) << shape.text();
    }
}

// Lists of random patterns, repeated at random, with random pieces between them.
List random_patchwork(Random& random) {
    std::vector<List> patterns;
    for (int i = 0; i < 3; ++i) patterns.push_back(scattered_columns(random, between(random, 1, 60), 4));
    List list;
    Offset base = 0;
    for (auto left = between(random, 1, 12); left > 0; --left) {
        auto const& pattern = patterns[static_cast<std::size_t>(between(random, 0, 2))];
        auto const stride = pattern.back().end() + between(random, 0, 50);
        auto const equal = between(random, 0, 1) == 0;
        for (auto copies = between(random, 1, 20); copies > 0; --copies) {
            append_at(list, pattern, base);
            base += stride + (equal ? 0 : between(random, 0, 50));
        }
        if (between(random, 0, 2) == 0) append_at(list, random_list(random, between(random, 1, 5)), base);
        base = list.back().end() + between(random, 0, 100);
    }
    return list;
}

TEST(Compact, keeps_every_piece_of_random_patchworks) {
    Random random{5};
    int found = 0;
    for (int i = 0; i < 1000; ++i) {
        auto const shape = Shape::pieces(random_patchwork(random));
        if (!(checked_compact(shape) == shape)) ++found;
    }
    EXPECT_GT(found, 700);
}

TEST(Runs, extend_back_to_where_the_pattern_began) {
    List items;
    for (Offset at = 0; at < 10; ++at) items.push_back({at * 10, 1 + at % 5});
    items.insert(items.begin(), {-7, 9});
    RunFinder finder{items, {.least_period = 1, .least_saved = 1, .equal_distances = true}};
    EXPECT_EQ(finder.find(), (std::vector<muster::Run>{{1, 1, 5, 2}}));
}

TEST(Runs, give_up_on_lists_that_promise_and_do_not_keep) {
    List items;  // long equal stretches, each ended by something new
    Offset at = 0;
    for (Size i = 0; i < 200; ++i) {
        for (Size k = 0; k < 500; ++k) items.push_back({at += 10 + k % 7, 5});
        items.push_back({at += 1000 + i, 6 + i});
    }
    RunFinder finder{items, {.least_period = 1'000, .least_saved = 100'000, .equal_distances = false}};
    EXPECT_TRUE(finder.find().empty());
}

// Small gaps and hardly any other length: three items return by chance all the time, thousands of items apart.
TEST(Runs, take_few_comparisons_where_items_are_nearly_equal) {
    Random random{6};
    List items;
    Offset at = 0;
    for (int i = 0; i < 50'000; ++i)
        items.push_back({at += between(random, 2, 17) * 8, between(random, 1, 17) / 17 * 8 + 8});
    RunFinder finder{items, {.least_period = 4, .least_saved = 32, .equal_distances = false}};
    EXPECT_TRUE(finder.find().empty());
    EXPECT_GT(finder.returns(), 10'000U);
    EXPECT_LT(finder.comparisons(), 20 * items.size());
}

}  // namespace
}  // namespace muster
