#include "access/copy.hpp"

#include <gtest/gtest.h>

#include <random>

namespace muster {
namespace {

using Bytes = std::vector<std::byte>;

Bytes counted(std::size_t count) {
    Bytes bytes(count);
    for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 7 + i / 256);
    return bytes;
}

Access joined(Stream file, Stream memory, std::byte* base) { return {std::move(file), std::move(memory), base, {}}; }

// "file offset: memory offset + length" of each visited piece.
std::string zipped(Access const& access, Size from, Size to) {
    std::string text;
    zip(access, from, to, [&](Offset offset, std::byte const* memory, Size length) {
        text += (text.empty() ? "" : " ") + std::to_string(offset) + ":" + std::to_string(memory - access.base) + "+" +
                std::to_string(length);
    });
    return text;
}

TEST(Gather, and_scatter_are_each_others_reverse) {
    auto const memory = counted(1000);
    auto const shape = Shape::repeat(Shape::pieces({{40, 3}, {0, 17}, {20, 1}}), 10, 90);
    Bytes packed(static_cast<std::size_t>(shape.size())), back(1000), again(packed.size());
    gather(Stream::whole(shape), memory.data(), packed.data());
    EXPECT_EQ(packed[0], memory[40]);
    EXPECT_EQ(packed[3], memory[0]);
    scatter(packed.data(), Stream::whole(shape), back.data());
    EXPECT_EQ(back[40], memory[40]);
    EXPECT_EQ(back[30], std::byte{0});
    gather(Stream::whole(shape), back.data(), again.data());
    EXPECT_EQ(again, packed);
}

TEST(Gather, takes_part_of_a_stream) {
    auto const memory = counted(100);
    Bytes packed(6);
    gather({Shape::strip({10, 4}, 5, 10), 3, 9}, memory.data(), packed.data());
    EXPECT_EQ(packed, (Bytes{memory[13], memory[20], memory[21], memory[22], memory[23], memory[30]}));
}

TEST(Zip, follows_contiguous_memory) {
    Bytes memory(100);
    auto const access =
        joined(Stream::whole(Shape::strip({1000, 4}, 5, 10)), {Shape::block(0, 100), 50, 70}, memory.data());
    EXPECT_EQ(zipped(access, 0, 20), "1000:50+4 1010:54+4 1020:58+4 1030:62+4 1040:66+4");
    EXPECT_EQ(zipped(access, 6, 9), "1012:56+2 1020:58+1");
    EXPECT_EQ(zipped(access, 6, 6), "");
}

TEST(Zip, follows_a_contiguous_file) {
    Bytes memory(100);
    auto const access =
        joined({Shape::block(500, 100), 10, 30}, Stream::whole(Shape::strip({3, 4}, 5, 10)), memory.data());
    EXPECT_EQ(zipped(access, 0, 20), "510:3+4 514:13+4 518:23+4 522:33+4 526:43+4");
    EXPECT_EQ(zipped(access, 2, 5), "512:5+2 514:13+1");
}

TEST(Zip, splits_where_either_side_splits) {
    Bytes memory(100);
    auto const access =
        joined(Stream::whole(Shape::strip({100, 6}, 2, 10)), Stream::whole(Shape::strip({0, 4}, 3, 8)), memory.data());
    EXPECT_EQ(zipped(access, 0, 12), "100:0+4 104:8+2 110:10+2 112:16+4");
    EXPECT_EQ(zipped(access, 5, 7), "105:9+1 110:10+1");
}

TEST(Zip, runs_backwards_in_memory) {
    Bytes memory(100);
    auto const access =
        joined(Stream::whole(Shape::block(0, 12)), Stream::whole(Shape::strip({0, 4}, 3, -8)), memory.data() + 50);
    EXPECT_EQ(zipped(access, 0, 12), "0:0+4 4:-8+4 8:-16+4");
}

// A shape of `size` bytes within [0, 3 * size), touching no byte twice.
Shape random_shape(Size size, std::mt19937& random) {
    std::vector<Extent> list;
    Offset at = 0;
    for (auto left = size; left > 0;) {
        auto const length = std::min<Size>(left, std::uniform_int_distribution{1, 40}(random));
        at += std::min<Size>(std::uniform_int_distribution{0, 60}(random), 2 * length);
        list.push_back({at, length});
        at += length;
        left -= length;
    }
    std::shuffle(list.begin(), list.end(), random);
    return Shape::pieces(std::move(list));
}

TEST(Place, and_fetch_agree_with_gather_and_scatter_in_any_steps) {
    for (unsigned seed = 1; seed <= 500; ++seed) {
        std::mt19937 random{seed};
        Size const size = std::uniform_int_distribution{1, 500}(random);
        auto const room = static_cast<std::size_t>(3 * size);
        auto memory = counted(room);
        auto const access =
            joined(Stream::whole(random_shape(size, random)), Stream::whole(random_shape(size, random)), memory.data());
        Bytes packed(static_cast<std::size_t>(size)), expected(room), window(room), back(room), wanted(room);
        gather(access.memory, memory.data(), packed.data());
        scatter(packed.data(), access.file, expected.data());
        scatter(packed.data(), access.memory, wanted.data());
        auto const middle = std::uniform_int_distribution<Size>{0, size}(random);
        FileWindow const target{window, 0};
        place(access, 0, middle, target);
        place(access, middle, size, target);
        ASSERT_EQ(window, expected) << "seed " << seed;
        auto const into = joined(access.file, access.memory, back.data());
        fetch(target, into, middle, size);
        fetch(target, into, 0, middle);
        ASSERT_EQ(back, wanted) << "seed " << seed;
    }
}

TEST(Place, counts_from_the_start_of_the_window) {
    auto memory = counted(8);
    auto const access = joined(Stream::whole(Shape::strip({(Offset{1} << 40) + 4, 4}, 2, 8)),
                               Stream::whole(Shape::block(0, 8)), memory.data());
    Bytes window(16);
    place(access, 0, 8, {window, Offset{1} << 40});
    EXPECT_EQ(window[4], memory[0]);
    EXPECT_EQ(window[15], memory[7]);
    EXPECT_EQ(window[8], std::byte{0});
}

}  // namespace
}  // namespace muster
