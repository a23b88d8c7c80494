#include "core/merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace muster {
namespace {

using Extents = std::vector<Extent>;

std::string text(Extents const& extents) {
    std::string result;
    for (auto const& extent : extents) {
        result += "[" + std::to_string(extent.offset) + "," + std::to_string(extent.end()) + ")";
    }
    return result;
}

// The model: one flag per byte.
Extents by_bytes(std::vector<Extents> const& lists) {
    std::vector<bool> covered;
    for (auto const& list : lists) {
        for (auto const& extent : list) {
            if (static_cast<Size>(covered.size()) < extent.end())
                covered.resize(static_cast<std::size_t>(extent.end()));
            for (auto i = extent.offset; i < extent.end(); ++i) covered[static_cast<std::size_t>(i)] = true;
        }
    }
    Extents result;
    for (Size i = 0; i < static_cast<Size>(covered.size()); ++i) {
        if (!covered[static_cast<std::size_t>(i)]) continue;
        if (result.empty() || result.back().end() != i) result.push_back({i, 0});
        ++result.back().length;
    }
    return result;
}

Extents built(std::vector<Extents> const& lists) {
    CoverBuilder builder;
    for (auto const& list : lists) builder.add(list);
    return builder.take();
}

Extents in_one(std::vector<Extents> const& lists) {
    Extents all;
    for (auto const& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
}

// Up to 30 extents of 0 to 9 bytes, ascending; `reach` says how far apart.
Extents random_list(std::mt19937& random, unsigned reach) {
    Extents list(random() % 30);
    for (auto& extent : list) extent = {static_cast<Offset>(random() % reach), static_cast<Size>(random() % 10)};
    std::sort(list.begin(), list.end(), [](auto const& left, auto const& right) { return left.offset < right.offset; });
    return list;
}

TEST(Cover, of_nothing_is_nothing) {
    EXPECT_EQ(text(cover({})), "");
    EXPECT_EQ(text(cover({{5, 0}})), "");
    EXPECT_EQ(text(built({})), "");
    EXPECT_EQ(text(built({{}, {{5, 0}}, {}})), "");
}

TEST(Cover, joins_neighbours_and_overlaps) {
    EXPECT_EQ(text(cover({{20, 5}, {0, 10}, {10, 5}, {12, 4}})), "[0,16)[20,25)");
    EXPECT_EQ(text(cover({{0, 100}, {10, 5}, {99, 2}, {102, 1}})), "[0,101)[102,103)");
}

TEST(Cover, of_blocks_dealt_in_turn_is_one_extent) {
    for (std::size_t ranks : {1U, 2U, 3U, 4U, 7U, 64U}) {
        std::vector<Extents> lists(ranks);
        for (std::size_t i = 0; i < ranks * 50; ++i) lists[i % ranks].push_back({static_cast<Offset>(i) * 8, 8});
        EXPECT_EQ(text(built(lists)), "[0," + std::to_string(ranks * 400) + ")");
    }
}

TEST(Cover, of_lists_one_behind_the_other) {
    EXPECT_EQ(text(built({{{0, 4}, {8, 4}}, {{12, 4}}, {{12, 2}, {20, 1}}, {{3, 1}, {30, 1}}})),
              "[0,4)[8,16)[20,21)[30,31)");
}

TEST(Cover, is_what_marking_every_byte_gives) {
    std::mt19937 random{3};
    for (int trial = 0; trial < 4000; ++trial) {
        std::vector<Extents> lists(random() % 20);
        auto const reach = 1 + random() % 2000;
        for (auto& list : lists) list = random_list(random, static_cast<unsigned>(reach));
        auto const expected = text(by_bytes(lists));
        ASSERT_EQ(text(built(lists)), expected);
        ASSERT_EQ(text(cover(in_one(lists))), expected);
    }
}

TEST(Cover, builder_starts_anew_after_take) {
    CoverBuilder builder;
    builder.add(Extents{{10, 1}});
    EXPECT_EQ(text(builder.take()), "[10,11)");
    builder.add(Extents{{0, 1}});
    EXPECT_EQ(text(builder.take()), "[0,1)");
}

}  // namespace
}  // namespace muster
