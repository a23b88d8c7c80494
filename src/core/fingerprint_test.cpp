#include "core/fingerprint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace muster {
namespace {

using Extents = std::vector<Extent>;
using Random = std::mt19937_64;

Size between(Random& random, Size low, Size high) { return std::uniform_int_distribution<Size>{low, high}(random); }

std::size_t any_of(Random& random, Extents const& extents) {
    return static_cast<std::size_t>(between(random, 0, static_cast<Size>(extents.size()) - 1));
}

// Pieces of 1 to `longest` bytes that tile a range, in random order.
struct Tiling {
    Extents extents;
    Extent range;

    Tiling(Random& random, Size longest) : range{between(random, 0, Size{1} << 40), 0} {
        for (auto pieces = between(random, 2, 40); pieces > 0; --pieces) {
            extents.push_back({range.end(), between(random, 2, longest)});
            range.length += extents.back().length;
        }
        std::shuffle(extents.begin(), extents.end(), random);
    }
};

bool tiles(Extents const& extents, Extent const& range, std::uint64_t key) {
    Fingerprint print{key};
    for (auto const& extent : extents) print.add(extent);
    return print.tiles(range);
}

// Breaks many tilings and counts how often nobody noticed.
template <class Break>
int accepted_of(int trials, Break const& break_it) {
    Random random{42};
    int accepted = 0;
    for (int i = 0; i < trials; ++i) {
        Tiling tiling{random, i % 2 == 0 ? 4 : 1 << 20};
        break_it(random, tiling.extents);
        accepted += tiles(tiling.extents, tiling.range, random()) ? 1 : 0;
    }
    return accepted;
}
constexpr int trials = 100000;

TEST(Fingerprint, accepts_every_tiling_in_any_order) {
    EXPECT_EQ(accepted_of(trials, [](Random&, Extents&) {}), trials);
}

TEST(Fingerprint, sees_a_missing_extent) {
    EXPECT_EQ(accepted_of(trials,
                          [](Random& random, Extents& extents) {
                              extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(any_of(random, extents)));
                          }),
              0);
}

TEST(Fingerprint, sees_a_shifted_extent) {
    EXPECT_EQ(accepted_of(trials,
                          [](Random& random, Extents& extents) {
                              extents[any_of(random, extents)].offset +=
                                  between(random, 0, 1) == 0 ? -1 : between(random, 1, 100);
                          }),
              0);
}

TEST(Fingerprint, sees_a_repeated_extent) {
    EXPECT_EQ(accepted_of(trials,
                          [](Random& random, Extents& extents) {
                              auto const copy = extents[any_of(random, extents)];
                              extents.push_back(copy);
                          }),
              0);
}

TEST(Fingerprint, sees_an_overlap) {
    EXPECT_EQ(accepted_of(trials,
                          [](Random& random, Extents& extents) {
                              extents[any_of(random, extents)].length += between(random, 1, 10);
                          }),
              0);
}

TEST(Fingerprint, sees_a_shortened_extent) {
    EXPECT_EQ(accepted_of(trials,
                          [](Random& random, Extents& extents) {
                              auto& extent = extents[any_of(random, extents)];
                              extent.length -= between(random, 1, extent.length - 1);
                          }),
              0);
}

TEST(Fingerprint, sees_an_extent_that_takes_the_place_of_another_of_its_length) {
    EXPECT_EQ(accepted_of(trials,
                          [](Random& random, Extents& extents) {
                              auto const from = any_of(random, extents);
                              auto const to = (from + 1) % extents.size();
                              extents[to] = {extents[from].offset, extents[to].length};
                          }),
              0);
}

TEST(Fingerprint, sees_regular_patterns_with_holes_that_overlaps_make_up_for) {
    for (Size stride = 1; stride <= 2000; ++stride) {
        Extents extents;
        for (Size i = 0; i < 64; ++i) extents.push_back({i * stride, stride});
        ASSERT_TRUE(tiles(extents, {0, 64 * stride}, 0));
        extents[10].offset += stride;  // leaves a hole and covers the next twice
        ASSERT_FALSE(tiles(extents, {0, 64 * stride}, 0));
        extents[20].offset -= stride;  // symmetric to the first: sums of offsets do not tell
        ASSERT_FALSE(tiles(extents, {0, 64 * stride}, 0));
    }
}

TEST(Fingerprint, of_parts_add_up) {
    Random random{7};
    Tiling const tiling{random, 1000};
    std::vector<Fingerprint> parts(3);
    for (std::size_t i = 0; i < tiling.extents.size(); ++i) parts[i % 3].add(tiling.extents[i]);
    Fingerprint all;
    for (auto const& part : parts) {
        EXPECT_FALSE(part.tiles(tiling.range));
        all += part;
    }
    EXPECT_TRUE(all.tiles(tiling.range));
    EXPECT_TRUE((Fingerprint{1, Fingerprint{1}.lanes()}.tiles({5, 0})));
}

TEST(Fingerprint, of_many_is_that_of_each_moved) {
    Random random{11};
    for (std::size_t count = 0; count < 40; ++count) {
        Extents extents(count);
        for (auto& extent : extents) extent = {between(random, 0, Size{1} << 62), between(random, 1, 1 << 20)};
        for (auto const shift : {Offset{0}, Offset{12345}, -between(random, 0, Size{1} << 40)}) {
            Fingerprint one_by_one{99}, at_once{99};
            for (auto const& extent : extents) one_by_one.add({extent.offset + shift, extent.length});
            at_once.add_all(extents, shift);
            ASSERT_EQ(one_by_one.lanes(), at_once.lanes()) << count << " " << shift;
        }
    }
}

// Both lanes by themselves, for multiplication leaves low bits alone with each other.
TEST(Fingerprint, of_regular_sets_differ_in_each_lane) {
    std::set<std::uint64_t> lanes[2];
    std::size_t sets = 0;
    for (Size step = 1; step <= 1 << 20; step *= 2) {
        for (Offset base = 0; base < 64 * step; base += step, ++sets) {
            Fingerprint print;
            for (Offset i = 0; i < 256; ++i) print.add({base + i * 2 * step, step});
            for (std::size_t lane : {0U, 1U}) lanes[lane].insert(print.lanes()[lane]);
        }
    }
    EXPECT_EQ(lanes[0].size(), sets);
    EXPECT_EQ(lanes[1].size(), sets);
}

TEST(Fingerprint, adjacent_extents_are_as_good_as_one) {
    Fingerprint apart;
    apart.add({0, 10});
    apart.add({10, 20});
    Fingerprint joined;
    joined.add({0, 30});
    EXPECT_EQ(apart.lanes(), joined.lanes());
}

TEST(Fingerprint, nothing_tiles_only_an_empty_range) {
    Fingerprint print;
    print.add({17, 0});
    EXPECT_TRUE(print.tiles({99, 0}));
    EXPECT_FALSE(print.tiles({99, 1}));
}

TEST(Fingerprint, depends_on_its_key) {
    Fingerprint one{1};
    Fingerprint two{2};
    one.add({0, 10});
    two.add({0, 10});
    EXPECT_NE(one.lanes()[0], two.lanes()[0]);
    EXPECT_NE(one.lanes()[1], two.lanes()[1]);
}

}  // namespace
}  // namespace muster
