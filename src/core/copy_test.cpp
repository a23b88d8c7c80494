#include "core/copy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace muster {
namespace {

TEST(CopySmall, copies_every_length_and_nothing_beside_it) {
    for (Size length = 0; length <= 100; ++length) {
        auto const bytes = static_cast<std::size_t>(length);
        std::vector<std::byte> source(bytes), target(bytes + 2, std::byte{0xee});  // exact, for the address sanitizer
        for (std::size_t i = 0; i < bytes; ++i) source[i] = static_cast<std::byte>(i + 1);
        copy_small(target.data() + 1, source.data(), length);
        EXPECT_EQ(target.front(), std::byte{0xee});
        EXPECT_EQ(target.back(), std::byte{0xee});
        EXPECT_EQ((std::vector<std::byte>{target.begin() + 1, target.end() - 1}), source) << length;
    }
}

TEST(CopySmall, copies_long_pieces_wherever_they_lie_in_their_pages) {
    constexpr std::size_t page = 4096;
    std::vector<std::byte> source(4 * page), target(6 * page);
    for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i * 7 + i / 256);
    for (auto const distance : {0UL, 1UL, 16UL, 63UL, 64UL, 100UL, page - 1}) {
        for (auto const length : {2047UL, 2048UL, 2049UL, 3 * page + 5}) {
            std::fill(target.begin(), target.end(), std::byte{0xee});
            auto* const place = target.data() + page +
                                (reinterpret_cast<std::uintptr_t>(source.data()) + distance -
                                 reinterpret_cast<std::uintptr_t>(target.data())) %
                                    page;
            copy_small(place, source.data(), static_cast<Size>(length));
            EXPECT_TRUE(std::equal(place, place + length, source.data())) << distance << " " << length;
            EXPECT_EQ(place[-1], std::byte{0xee});
            EXPECT_EQ(place[length], std::byte{0xee});
        }
    }
}

TEST(Cache, is_shared_by_those_on_its_core) {
    EXPECT_FALSE(exceeds_cache(0, 1));
    EXPECT_TRUE(exceeds_cache(Size{1} << 40, 1));
    for (auto bytes = Size{1}; bytes < Size{1} << 30; bytes *= 2) {
        EXPECT_LE(exceeds_cache(bytes, 1), exceeds_cache(bytes, 2)) << bytes;
        EXPECT_LE(exceeds_cache(bytes, 8), exceeds_cache(2 * bytes, 8)) << bytes;
    }
}

TEST(Trailing, is_to_begin_a_few_bytes_further_in_a_page) {
    EXPECT_TRUE(trails(std::uint64_t{0x5010}, std::uint64_t{0x1000}));
    EXPECT_TRUE(trails(std::uint64_t{0x1005}, std::uint64_t{0x7ffe}));
    EXPECT_FALSE(trails(std::uint64_t{0x5000}, std::uint64_t{0x1000}));
    EXPECT_FALSE(trails(std::uint64_t{0x5000}, std::uint64_t{0x1010}));
    EXPECT_FALSE(trails(std::uint64_t{0x5040}, std::uint64_t{0x1000}));
}

}  // namespace
}  // namespace muster
