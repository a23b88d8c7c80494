#include "core/streaming.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace muster {
namespace {

using Bytes = std::vector<std::byte>;

Bytes counted(std::size_t count) {
    Bytes bytes(count);
    for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 7 + 1);
    return bytes;
}

void add_one(std::byte* to, std::byte const* from, Size length) {
    Streaming streaming;
    streaming.add(to, from, length);
    streaming.finish();
}

template <class Copy>
void expect_copies(Copy&& copy) {
    constexpr std::size_t most = 300, line = 64;
    auto const source = counted(most);
    Bytes target(most + 2 * line + 2);
    for (std::size_t place = 1; place <= line; ++place) {
        for (std::size_t length = 0; length <= most; length += length < 140 ? 1 : 13) {
            std::fill(target.begin(), target.end(), std::byte{0xee});
            copy(target.data() + place, source.data() + (most - length), static_cast<Size>(length));
            auto const* const first = target.data() + place;
            ASSERT_TRUE(std::equal(first, first + length, source.data() + (most - length))) << place << " " << length;
            ASSERT_EQ(first[-1], std::byte{0xee});
            ASSERT_EQ(first[length], std::byte{0xee}) << place << " " << length;
        }
    }
}

TEST(Streaming, copies_every_length_to_every_place_in_a_line_and_nothing_beside_it) { expect_copies(add_one); }

TEST(Streaming, does_so_on_any_processor) { expect_copies(detail::stream_row); }

// Rows of random lengths; most begin where the one before ended.
TEST(Streaming, keeps_lines_together_that_rows_share) {
    std::mt19937 random{1};
    auto const any = [&](int from, int to) { return std::uniform_int_distribution{from, to}(random); };
    for (int i = 0; i < 2000; ++i) {
        Bytes const source = counted(1000);
        Bytes target(5000, std::byte{0xee});
        auto expected = target;
        Streaming streaming;
        auto at = static_cast<std::size_t>(any(0, 100));
        for (auto rows = any(0, 15); rows > 0; --rows) {
            if (any(0, 4) == 0) at += static_cast<std::size_t>(any(0, 100));
            auto const length = static_cast<std::size_t>(any(0, any(0, 200)));
            auto const from = static_cast<std::size_t>(any(0, 800));
            streaming.add(target.data() + at, source.data() + from, static_cast<Size>(length));
            std::copy_n(source.data() + from, length, expected.data() + at);
            at += length;
        }
        streaming.finish();
        ASSERT_EQ(target, expected) << i;
    }
}

TEST(Streaming, takes_many_rows_at_once) {
    auto const source = counted(2000);
    for (Size length = 1; length < 150; ++length) {
        Bytes target(2000, std::byte{0xee});
        auto expected = target;
        Streaming streaming;
        streaming.add(target.data() + 30, source.data() + 300, Rows{{7, length}, 3, 500});
        streaming.add(target.data() + 30 + 3 * length, source.data() + 1800, Rows{{0, length}, 2, -300});
        streaming.finish();
        auto at = 30;
        for (auto const from : {300, 800, 1300, 1800, 1500}) {
            std::copy_n(source.data() + from, length, expected.data() + at);
            at += static_cast<int>(length);
        }
        ASSERT_EQ(target, expected) << length;
    }
}

TEST(Streaming, goes_on_as_a_copy) {
    Bytes const source = counted(200);
    Bytes target(200);
    Streaming streaming;
    streaming.add(target.data(), source.data(), 70);
    auto copy = streaming;
    copy.add(target.data() + 70, source.data() + 70, 130);
    copy.finish();
    EXPECT_EQ(target, source);
}

TEST(Streaming, is_for_rows_of_two_lines_at_least) { EXPECT_GE(least_streamed(), 2 * Streaming::line); }

}  // namespace
}  // namespace muster
