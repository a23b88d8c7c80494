#include "hdf5/blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace muster::hdf5 {

namespace {

using Numbers = std::vector<unsigned long long>;

struct Blocks {
    std::size_t dimensions;
    Numbers starts;
    Numbers sizes;

    BlockList list() const { return {starts.size() / dimensions, dimensions, starts.data(), sizes.data()}; }
};

// Element by element, of a shape over elements of one byte.
std::vector<Offset> elements_of(Shape const& shape) {
    std::vector<Offset> elements;
    shape.for_each([&](Offset offset, Size length) {
        for (Size i = 0; i < length; ++i) elements.push_back(offset + i);
    });
    return elements;
}

// Where each element of the list lies in the array, in the order of memory.
std::vector<Offset> places_of(Blocks const& blocks, std::vector<Size> const& extent) {
    auto const list = blocks.list();
    std::vector<Offset> places;
    for (std::size_t i = 0; i < list.count; ++i) {
        BlockList const one{1, list.dimensions, list.starts + i * list.dimensions, list.sizes + i * list.dimensions};
        for (Size n = 0; n < one.elements(); ++n) {
            Offset place = 0;
            auto rest = n;
            Size stride = 1;
            for (auto d = extent.size(); d-- > 0;) {
                place += (one.start(0, d) + rest % one.size(0, d)) * stride;
                rest /= one.size(0, d);
                stride *= extent[d];
            }
            places.push_back(place);
        }
    }
    return places;
}

void expect_aggregated(Blocks const& blocks, std::vector<Size> const& extent) {
    auto const places = places_of(blocks, extent);
    std::vector<Offset> memory(places.size());
    std::iota(memory.begin(), memory.end(), 0);
    std::stable_sort(memory.begin(), memory.end(), [&](Offset a, Offset b) {
        return places[static_cast<std::size_t>(a)] < places[static_cast<std::size_t>(b)];
    });
    auto file = places;
    std::sort(file.begin(), file.end());
    auto const arrangement = aggregate(blocks.list(), extent, 1);
    EXPECT_EQ(elements_of(arrangement.file), file);
    EXPECT_EQ(elements_of(arrangement.memory), memory);
    EXPECT_TRUE(arrangement.file.ordered());
}

TEST(Blocks, rows_of_different_blocks_become_neighbours_as_in_the_papers_figure) {
    // 0 1 | 4 5
    // 2 3 |
    Blocks const blocks{2, {0, 0, 0, 2}, {2, 2, 1, 2}};
    auto const arrangement = aggregate(blocks.list(), {2, 4}, 1);
    EXPECT_EQ(elements_of(arrangement.memory), (std::vector<Offset>{0, 1, 4, 5, 2, 3}));
    EXPECT_EQ(elements_of(arrangement.file), (std::vector<Offset>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(arrangement.file.piece_count(), 1);
}

TEST(Blocks, cubes_on_a_grid_stay_regular) {
    Blocks const blocks{3, {0, 0, 0, 0, 0, 16, 0, 8, 8}, {8, 8, 8, 8, 8, 8, 8, 8, 8}};
    auto const arrangement = aggregate(blocks.list(), {8, 16, 24}, 8);
    EXPECT_EQ(arrangement.file.piece_count(), 8 * (2 * 8 + 8));
    EXPECT_LT(arrangement.file.text().size(), 300U);
    expect_aggregated(blocks, {8, 16, 24});
}

TEST(Blocks, of_overlapping_ones_the_list_keeps_its_order) {
    Blocks const blocks{1, {4, 2}, {4, 4}};
    auto const arrangement = aggregate(blocks.list(), {8}, 1);
    EXPECT_EQ(elements_of(arrangement.file), (std::vector<Offset>{4, 5, 6, 7, 2, 3, 4, 5}));
    EXPECT_EQ(elements_of(arrangement.memory), (std::vector<Offset>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(Blocks, empty_ones_and_none_are_fine) {
    expect_aggregated({2, {}, {}}, {3, 3});
    expect_aggregated({2, {1, 1, 2, 0}, {0, 2, 1, 3}}, {3, 3});
}

TEST(Blocks, that_reach_out_of_the_array_are_refused) {
    Blocks const blocks{2, {0, 0, 2, 2}, {1, 1, 1, 2}};
    auto const status = check_blocks(blocks.list(), {3, 3});
    EXPECT_EQ(status.code(), Code::invalid_argument);
    EXPECT_EQ(status.message(), "block 1 reaches out of the dataset in dimension 1");
    EXPECT_TRUE(check_blocks(blocks.list(), {3, 4}).ok());
    Numbers const huge{~0ULL, 0};
    EXPECT_FALSE(check_blocks({1, 2, huge.data(), huge.data()}, {3, 4}).ok());
}

// Cells of a coarse grid with uneven lines are blocks that never overlap, in any order.
Blocks random_blocks(std::mt19937& random, std::vector<Size> const& extent) {
    auto const dimensions = extent.size();
    std::vector<Numbers> lines(dimensions);
    for (std::size_t d = 0; d < dimensions; ++d) {
        for (Size at = 0; at < extent[d]; at += 1 + static_cast<Size>(random() % 4)) {
            lines[d].push_back(static_cast<unsigned long long>(at));
        }
        lines[d].push_back(static_cast<unsigned long long>(extent[d]));
    }
    Blocks blocks{dimensions, {}, {}};
    auto const tries = random() % 20;
    std::vector<Numbers> seen;
    for (unsigned i = 0; i < tries; ++i) {
        Numbers start, size;
        for (auto const& own : lines) {
            auto const cell = random() % (own.size() - 1);
            start.push_back(own[cell]);
            size.push_back(own[cell + 1] - own[cell]);
        }
        if (std::find(seen.begin(), seen.end(), start) != seen.end()) continue;
        seen.push_back(start);
        blocks.starts.insert(blocks.starts.end(), start.begin(), start.end());
        blocks.sizes.insert(blocks.sizes.end(), size.begin(), size.end());
    }
    return blocks;
}

TEST(Blocks, of_any_sizes_come_in_file_order) {
    std::mt19937 random{7};
    for (int i = 0; i < 2000; ++i) {
        std::vector<Size> extent(1 + random() % 4);
        for (auto& size : extent) size = 1 + static_cast<Size>(random() % 9);
        expect_aggregated(random_blocks(random, extent), extent);
        ASSERT_FALSE(HasFailure()) << i;
    }
}

}  // namespace

}  // namespace muster::hdf5
