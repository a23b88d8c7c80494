// Accesses that run through the file in any order and over themselves, against a model that goes byte by byte.
#include <gtest/gtest.h>

#include <random>

#include "access/access.hpp"
#include "access/copy.hpp"

namespace muster {
namespace {

using Bytes = std::vector<std::byte>;

Size size_of(Bytes const& bytes) { return static_cast<Size>(bytes.size()); }

std::string pieces(Stream const& stream) {
    std::string text;
    stream.for_each([&](Offset offset, Size length) {
        text += (text.empty() ? "" : " ") + std::to_string(length) + "@" + std::to_string(offset);
    });
    return text;
}

Access access_to(std::vector<Extent> const& extents, Bytes& memory) {
    Segment const all{memory.data(), size_of(memory)};
    return *make_access(extents, {&all, 1});
}

TEST(Ordered, an_access_in_order_is_left_alone) {
    Bytes memory(24);
    auto const access = access_to({{0, 8}, {10, 16}}, memory);
    auto const same = ordered(access, Overlap::last_wins);
    EXPECT_EQ(same->file.shape, access.file.shape);
    EXPECT_EQ(same->memory.shape, access.memory.shape);
}

TEST(Ordered, sorts_the_file_and_permutes_memory_alike) {
    Bytes memory(12);
    auto const access = ordered(access_to({{100, 2}, {50, 6}, {10, 4}}, memory), Overlap::last_wins);
    EXPECT_EQ(pieces(access->file), "4@10 6@50 2@100");
    EXPECT_EQ(pieces(access->memory), "4@8 6@2 2@0");
}

TEST(Ordered, joins_what_touches_in_the_file) {
    Bytes memory(8);
    auto const access = ordered(access_to({{4, 4}, {0, 4}}, memory), Overlap::last_wins);
    EXPECT_EQ(pieces(access->file), "8@0");
    EXPECT_EQ(pieces(access->memory), "4@4 4@0");
}

TEST(Ordered, of_bytes_written_twice_the_later_ones_are_kept) {
    Bytes memory(12);
    auto const access = ordered(access_to({{0, 8}, {2, 4}}, memory), Overlap::last_wins);
    EXPECT_EQ(pieces(access->file), "8@0");
    EXPECT_EQ(pieces(access->memory), "2@0 4@8 2@6");
    EXPECT_TRUE(access->duplicates.empty());
}

TEST(Ordered, bytes_read_twice_are_read_once_and_copied) {
    Bytes memory(12);
    auto const access = ordered(access_to({{0, 8}, {2, 4}}, memory), Overlap::duplicate);
    EXPECT_EQ(pieces(access->file), "8@0");
    EXPECT_EQ(pieces(access->memory), "8@0");
    EXPECT_EQ(access->duplicates, (std::vector<Duplicate>{{2, 8, 4, 2}}));
}

TEST(Ordered, a_staircase_of_overlaps_needs_one_copy_per_step) {
    std::vector<Extent> stairs;
    for (Offset i = 0; i < 100; ++i) stairs.push_back({i, 100});
    Bytes memory(100 * 100);
    auto const access = ordered(access_to(stairs, memory), Overlap::duplicate);
    EXPECT_EQ(access->size(), 199);
    EXPECT_EQ(access->duplicates.size(), 99u);
}

// A random access: extents with or without overlaps, memory in shuffled segments with gaps between them.
struct RandomAccess {
    explicit RandomAccess(unsigned seed) : random{seed}, memory(4096), file(512) {
        for (auto& byte : memory) byte = static_cast<std::byte>(random());
        for (auto& byte : file) byte = static_cast<std::byte>(random());
        make_extents();
        make_segments();
        access = *make_access(extents, segments);
    }

    Size between(Size low, Size high) { return std::uniform_int_distribution{low, high}(random); }

    void make_extents() {
        auto const longest = between(1, 60);
        for (auto count = between(0, 20); count > 0; --count) {
            auto const length = between(0, longest);
            extents.push_back({between(0, size_of(file) - length), length});
            total += length;
        }
    }
    void make_segments() {
        Size at = 0;
        for (auto left = total; left > 0;) {
            auto const length = between(1, std::min<Size>(left, 40));
            at += between(0, 3);
            segments.push_back({memory.data() + at, length});
            at += length;
            left -= length;
        }
        std::shuffle(segments.begin(), segments.end(), random);
    }

    std::mt19937 random;
    Bytes memory, file;
    std::vector<Extent> extents;
    std::vector<Segment> segments;
    Size total{0};
    Access access;
};

// Calls visit(file offset, memory pointer) for every byte in stream order, from the lists alone.
template <class Visit>
void byte_by_byte(RandomAccess const& random, Visit visit) {
    std::vector<std::byte*> places;
    for (auto const& segment : random.segments) {
        auto* const data = static_cast<std::byte*>(const_cast<void*>(segment.data));
        for (Size i = 0; i < segment.length; ++i) places.push_back(data + i);
    }
    std::size_t position = 0;
    for (auto const& extent : random.extents) {
        for (auto offset = extent.offset; offset < extent.end(); ++offset) {
            visit(static_cast<std::size_t>(offset), places[position++]);
        }
    }
}

TEST(Ordered, random_writes_store_what_a_write_in_stream_order_stores) {
    for (unsigned seed = 1; seed <= 3000; ++seed) {
        RandomAccess random{seed};
        auto expected = random.file;
        byte_by_byte(random, [&](std::size_t offset, std::byte const* memory) { expected[offset] = *memory; });
        auto const access = ordered(random.access, Overlap::last_wins);
        ASSERT_TRUE(access->file.shape.ordered()) << "seed " << seed;
        ASSERT_EQ(access->file.size(), access->memory.size()) << "seed " << seed;
        place(*access, 0, access->size(), {random.file, 0});
        ASSERT_EQ(random.file, expected) << "seed " << seed;
    }
}

TEST(Ordered, random_reads_give_every_place_its_bytes) {
    for (unsigned seed = 1; seed <= 3000; ++seed) {
        RandomAccess random{seed};
        auto const untouched = random.memory;
        byte_by_byte(random, [&](std::size_t offset, std::byte* memory) { *memory = random.file[offset]; });
        auto const expected = random.memory;
        std::copy(untouched.begin(), untouched.end(), random.memory.begin());
        auto const access = ordered(random.access, Overlap::duplicate);
        ASSERT_TRUE(access->file.shape.ordered()) << "seed " << seed;
        fetch({random.file, 0}, *access, 0, access->size());
        apply_duplicates(*access);
        ASSERT_EQ(random.memory, expected) << "seed " << seed;
    }
}

TEST(Ordered, takes_part_of_interleaving_tiles) {
    auto const tiles = Shape::repeat(Shape::strip({0, 4}, 2, 8), 3, 4);  // 4@0 4@8 4@4 4@12 4@8 4@16
    Bytes memory(24);
    Access const access{{tiles, 4, 20}, {Shape::block(0, 24), 4, 20}, memory.data(), {}};
    auto const sorted = ordered(access, Overlap::last_wins);
    EXPECT_EQ(pieces(sorted->file), "12@4");
    EXPECT_EQ(pieces(sorted->memory), "4@8 4@16 4@12");
}

TEST(Ordered, backwards_becomes_forwards) {
    Bytes memory(4000);
    Access const access{
        Stream::whole(Shape::strip({8000, 4}, 1000, -8)), Stream::whole(Shape::block(0, 4000)), memory.data(), {}};
    auto const sorted = ordered(access, Overlap::last_wins);
    EXPECT_EQ(sorted->file.shape.text(), "strip 1000 x 4 by 8 at 8");
    EXPECT_EQ(sorted->memory.shape.text(), "strip 1000 x 4 by -4 at 3996");
}

TEST(Ordered, says_so_when_memory_runs_out) {
    auto const huge = Shape::strip({Offset{1} << 60, 1}, Size{1} << 58, -2);
    auto const nowhere = Stream::whole(Shape::block(0, huge.size()));
    Bytes memory(1);
    auto const result = ordered({Stream::whole(huge), nowhere, memory.data(), {}}, Overlap::last_wins);
    EXPECT_EQ(result.status().code(), Code::out_of_memory);
}

}  // namespace
}  // namespace muster
