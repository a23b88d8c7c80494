#include "core/shape.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/shape_testing.hpp"

namespace muster {
namespace {

using namespace testing;
using List = std::vector<Extent>;

TEST(Shape, without_bytes_is_nothing) {
    Shape const shape;
    EXPECT_TRUE(shape.empty());
    EXPECT_TRUE(shape.ordered());
    EXPECT_EQ(shape.text(), "nothing");
    EXPECT_EQ(shape.shifted(100), shape);
    EXPECT_EQ(shape.position_of(5), 0);
    EXPECT_EQ(pieces_of(shape), List{});
    EXPECT_EQ(Shape::strip({3, 0}, 4, 8), shape);
    EXPECT_EQ(Shape::pieces({{3, 0}, {5, 0}}), shape);
    EXPECT_EQ(Shape::repeat(Shape::block(0, 4), 0, 8), shape);
    EXPECT_EQ(Shape::chain({shape, shape}), shape);
}

TEST(Shape, a_strip_without_gaps_is_a_block) {
    EXPECT_EQ(Shape::strip({16, 8}, 4, 8), Shape::block(16, 32));
    EXPECT_EQ(Shape::repeat(Shape::block(16, 8), 4, 8), Shape::block(16, 32));
}

TEST(Shape, pieces_that_touch_are_joined_and_empty_ones_dropped) {
    auto const shape = Shape::pieces({{0, 4}, {4, 4}, {9, 0}, {10, 2}, {20, 1}});
    EXPECT_EQ(pieces_of(shape), (List{{0, 8}, {10, 2}, {20, 1}}));
    EXPECT_EQ(shape.piece_count(), 3);
}

TEST(Shape, regular_pieces_become_a_strip) {
    EXPECT_EQ(Shape::pieces({{5, 2}, {15, 2}, {25, 2}}).text(), "strip 3 x 2 by 10 at 5");
    EXPECT_EQ(Shape::chain({Shape::block(5, 2), Shape::block(15, 2), Shape::block(25, 2)}).text(),
              "strip 3 x 2 by 10 at 5");
}

TEST(Shape, strips_that_continue_each_other_are_one) {
    EXPECT_EQ(Shape::repeat(Shape::strip({0, 4}, 10, 8), 5, 80), Shape::strip({0, 4}, 50, 8));
}

TEST(Shape, a_billion_pieces_are_one_node) {
    Size const billion = 1'000'000'000;
    auto const shape = Shape::repeat(Shape::strip({64, 8}, billion, 32), 4, 32 * billion + 8);
    EXPECT_EQ(shape.piece_count(), 4 * billion);
    EXPECT_EQ(shape.size(), 32 * billion);
    EXPECT_EQ(shape.position_of(64 + 32 * (billion - 1) + 3), 8 * (billion - 1) + 3);
    EXPECT_EQ(shape.pieces_between(4, 24 * billion + 4), 3 * billion + 1);
    EXPECT_EQ(pieces_of(shape, 8 * billion - 4, 8 * billion + 4),
              (List{{32 * billion + 36, 4}, {32 * billion + 72, 4}}));
    EXPECT_EQ((Stream{shape, 1, 32 * billion - 1}.bounds().offset), 65);
    auto const part = shape.between(4, 24 * billion + 4);
    EXPECT_EQ(part.size(), 24 * billion);
    EXPECT_LT(part.text().size(), 300U);
    Cursor cursor{shape, 16 * billion - 1};
    EXPECT_EQ(cursor.take(100), (Extent{64 + 32 * billion + 8 + 32 * (billion - 1) + 7, 1}));
    EXPECT_EQ(cursor.take(100), (Extent{64 + 2 * (32 * billion + 8), 8}));
}

TEST(Shape, backward_strips_are_not_ordered) {
    auto const shape = Shape::strip({100, 4}, 3, -10);
    EXPECT_FALSE(shape.ordered());
    EXPECT_EQ(shape.low(), 80);
    EXPECT_EQ(shape.high(), 104);
    EXPECT_EQ(pieces_of(shape, 2, 10), (List{{102, 2}, {90, 4}, {80, 2}}));
    EXPECT_FALSE(Shape::repeat(Shape::strip({0, 4}, 3, 10), 2, 20).ordered());
}

TEST(Shape, equal_places_are_equal_at_whatever_level_the_shift_sits) {
    auto const inner = Shape::pieces({{0, 4}, {10, 2}, {30, 4}});
    EXPECT_EQ(Shape::repeat(inner, 3, 50).shifted(7), Shape::repeat(inner.shifted(7), 3, 50));
    EXPECT_FALSE(Shape::repeat(inner, 3, 50).shifted(7) == Shape::repeat(inner.shifted(8), 3, 50));
    EXPECT_FALSE(inner == Shape::pieces({{0, 4}, {10, 3}, {30, 3}}));
    EXPECT_FALSE(Shape::strip({0, 4}, 3, 10) == Shape::strip({0, 4}, 3, 11));
}

TEST(Shape, positions_far_beyond_it_are_its_ends) {
    auto const shape = Shape::pieces({{1000, 4}, {1010, 2}, {1030, 4}}).shifted(-900);
    EXPECT_EQ(shape.position_of(std::numeric_limits<Offset>::max()), 10);
    EXPECT_EQ(shape.position_of(std::numeric_limits<Offset>::min()), 0);
    EXPECT_EQ(Stream::whole(shape).within(0, std::numeric_limits<Offset>::max()).size(), 10);
}

TEST(Shape, text_shows_the_structure) {
    auto const strip = Shape::strip({16, 8}, 3, 24);
    EXPECT_EQ(Shape::repeat(strip, 4, 100).text(), "repeat 4 by 100 (strip 3 x 8 by 24 at 16)");
    EXPECT_EQ(Shape::chain({strip, Shape::pieces({{100, 1}, {110, 2}, {120, 3}})}).text(),
              "chain (strip 3 x 8 by 24 at 16, pieces 1@100 2@110 3@120)");
    EXPECT_EQ(Shape::block(7, 5).text(), "5 at 7");
}

// --- random shapes against their bytes written out ---

class RandomShape : public ::testing::TestWithParam<int> {
protected:
    static constexpr int cases = 6000;
    Random random{static_cast<unsigned>(GetParam())};
    Sample sample() { return random_sample(random, {ordered(), 3}); }
    bool ordered() const { return GetParam() % 2 == 0; }
    // Random begin <= end in the stream.
    std::pair<Size, Size> part(Sample const& of) {
        auto const size = static_cast<Size>(of.bytes.size());
        auto const begin = between(random, 0, size);
        return {begin, between(random, begin, size)};
    }
    static Bytes slice(Bytes const& bytes, Size begin, Size end) {
        return {bytes.begin() + begin, bytes.begin() + end};
    }
};

TEST_P(RandomShape, knows_its_size_and_reach) {
    for (int i = 0; i < cases; ++i) {
        auto const [shape, bytes] = sample();
        ASSERT_EQ(shape.size(), static_cast<Size>(bytes.size()));
        if (ordered()) {
            ASSERT_TRUE(shape.ordered()) << shape.text();
        }
        auto const run_forwards = std::is_sorted(bytes.begin(), bytes.end(), std::less_equal<>{});
        ASSERT_TRUE(run_forwards || !shape.ordered()) << shape.text();
        if (bytes.empty()) continue;
        ASSERT_EQ(shape.low(), *std::min_element(bytes.begin(), bytes.end())) << shape.text();
        ASSERT_EQ(shape.high(), *std::max_element(bytes.begin(), bytes.end()) + 1) << shape.text();
    }
}

TEST_P(RandomShape, visits_every_byte_of_any_part_once_and_in_order) {
    for (int i = 0; i < cases; ++i) {
        auto const one = sample();
        ASSERT_EQ(bytes_of(one.shape, 0, one.shape.size()), one.bytes) << one.shape.text();
        auto const [begin, end] = part(one);
        ASSERT_EQ(bytes_of(one.shape, begin, end), slice(one.bytes, begin, end)) << one.shape.text();
    }
}

// What a visitor of lists sees is what one of pieces sees.
struct Lister {
    List* seen;

    void operator()(Offset offset, Size length) const { seen->push_back({offset, length}); }
    void list(std::span<Extent const> pieces, Offset shift) const {
        for (auto const& piece : pieces) seen->push_back({piece.offset + shift, piece.length});
    }
};

TEST_P(RandomShape, gives_lists_of_the_same_pieces) {
    for (int i = 0; i < cases; ++i) {
        auto const one = sample();
        auto const [begin, end] = part(one);
        List seen;
        one.shape.for_each(begin, end, Lister{&seen});
        ASSERT_EQ(seen, pieces_of(one.shape, begin, end)) << one.shape.text() << " " << begin << " " << end;
    }
}

TEST_P(RandomShape, counts_the_pieces_that_for_each_visits) {
    for (int i = 0; i < cases; ++i) {
        auto const one = sample();
        auto const [begin, end] = part(one);
        auto const visits = static_cast<Size>(pieces_of(one.shape, begin, end).size());
        ASSERT_EQ(one.shape.pieces_between(begin, end), visits) << one.shape.text() << " " << begin << " " << end;
        ASSERT_EQ((Stream{one.shape, begin, end}.piece_count()), visits);
        ASSERT_EQ(one.shape.piece_count(), static_cast<Size>(pieces_of(one.shape).size()));
    }
}

TEST_P(RandomShape, gives_the_same_to_a_cursor_with_any_limits) {
    for (int i = 0; i < cases; ++i) {
        auto const one = sample();
        auto const begin = part(one).first;
        Cursor cursor{one.shape, begin};
        Bytes taken;
        for (;;) {
            auto const limit = between(random, 1, 9);
            auto const piece = cursor.take(limit);
            if (piece.length == 0) break;
            ASSERT_LE(piece.length, limit);
            append(taken, piece);
        }
        ASSERT_EQ(taken, slice(one.bytes, begin, one.shape.size())) << one.shape.text();
    }
}

TEST_P(RandomShape, has_parts_that_are_shapes_of_their_own) {
    for (int i = 0; i < cases; ++i) {
        auto const one = sample();
        auto const [begin, end] = part(one);
        auto const shape = one.shape.between(begin, end);
        ASSERT_EQ(bytes_of(shape, 0, shape.size()), slice(one.bytes, begin, end)) << one.shape.text();
        ASSERT_TRUE(shape.ordered() || !ordered());
    }
}

TEST_P(RandomShape, equals_itself_but_not_itself_moved) {
    for (int i = 0; i < cases; ++i) {
        auto const shape = sample().shape;
        ASSERT_EQ(shape, shape.shifted(5).shifted(-5));
        ASSERT_TRUE(shape.empty() || !(shape == shape.shifted(5)));
        auto const other = sample().shape;
        ASSERT_TRUE(!(shape == other) || pieces_of(shape) == pieces_of(other)) << shape.text() << other.text();
    }
}

INSTANTIATE_TEST_SUITE_P(Ordered, RandomShape, ::testing::Values(2, 4));
INSTANTIATE_TEST_SUITE_P(Unordered, RandomShape, ::testing::Values(1, 3));

using OrderedShape = RandomShape;

TEST_P(OrderedShape, finds_the_position_of_every_offset) {
    for (int i = 0; i < cases / 4; ++i) {
        auto const [shape, bytes] = sample();
        auto next = bytes.begin();
        for (auto offset = shape.low() - 3; offset < shape.high() + 3; ++offset) {
            while (next != bytes.end() && *next < offset) ++next;
            ASSERT_EQ(shape.position_of(offset), next - bytes.begin()) << shape.text() << " at " << offset;
        }
    }
}

TEST_P(OrderedShape, is_cut_to_what_lies_within_a_range_of_the_file) {
    for (int i = 0; i < cases; ++i) {
        auto const one = sample();
        auto const [begin, end] = part(one);
        auto const low = between(random, one.shape.low() - 5, one.shape.high() + 5);
        auto const high = between(random, low, one.shape.high() + 10);
        auto expected = slice(one.bytes, begin, end);
        std::erase_if(expected, [&](Offset at) { return at < low || at >= high; });
        auto const cut = Stream{one.shape, begin, end}.within(low, high);
        ASSERT_EQ(bytes_of(cut.shape, cut.begin, cut.end), expected) << one.shape.text();
        auto const bounds = cut.bounds();
        if (expected.empty()) {
            ASSERT_EQ(bounds.length, 0);
        } else {
            ASSERT_EQ(bounds, (Extent{expected.front(), expected.back() + 1 - expected.front()}));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Ordered, OrderedShape, ::testing::Values(6, 8));

TEST(PieceCollector, makes_the_same_of_pieces_that_come_one_by_one_as_of_a_list) {
    testing::Random random{7};
    for (Size const count : {0, 1, 2, 63, 64, 65, 1023, 1024, 1025, 5000}) {
        std::vector<Extent> list;
        Offset at = 0;
        for (Size i = 0; i < count; ++i) {
            at += testing::between(random, 0, 3) - (i % 100 == 99 ? 50 : 0);
            list.push_back({at, testing::between(random, 0, 5)});
            at += list.back().length;
        }
        PieceCollector singly, in_two;
        for (auto const& piece : list) singly.add(piece);
        auto const at_index = [&](Size i) { return list[static_cast<std::size_t>(i)]; };
        in_two.add_all(count / 3, at_index);
        in_two.add_all(count - count / 3, [&](Size i) { return at_index(count / 3 + i); });
        auto const whole = Shape::pieces(list);
        for (auto const& made : {singly.finish(), in_two.finish()}) {
            EXPECT_EQ(made.text(), whole.text());
            EXPECT_EQ(made.ordered(), whole.ordered());
            EXPECT_EQ(made.low(), whole.low());
            EXPECT_EQ(made.high(), whole.high());
            for (Size from = 0; from < whole.size(); from += 37) {
                EXPECT_EQ(made.between(from, whole.size()), whole.between(from, whole.size())) << from;
            }
        }
        EXPECT_TRUE(singly.empty());
    }
}

}  // namespace
}  // namespace muster
