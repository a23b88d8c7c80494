#include "exchange/staging.hpp"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <random>

namespace muster {
namespace {

TEST(Staging, messages_lie_one_behind_the_other) {
    std::array<std::byte, 10> memory{};
    Staging staging{memory, 3};
    EXPECT_EQ(staging.take(0, 4).data(), &memory[0]);
    EXPECT_EQ(staging.take(2, 6).data(), &memory[4]);
    EXPECT_EQ(staging.of(2).size(), 6U);
}

TEST(Staging, what_does_not_fit_waits_for_the_oldest) {
    std::array<std::byte, 10> memory{};
    Staging staging{memory, 4};
    ASSERT_FALSE(staging.take(0, 4).empty());
    ASSERT_FALSE(staging.take(1, 4).empty());
    EXPECT_TRUE(staging.take(2, 4).empty());
    staging.give_back(1);
    EXPECT_TRUE(staging.take(2, 4).empty());
    staging.give_back(0);
    EXPECT_EQ(staging.take(2, 10).data(), &memory[0]);
    EXPECT_TRUE(staging.take(3, 1).empty());
}

TEST(Staging, room_goes_round) {
    std::array<std::byte, 10> memory{};
    Staging staging{memory, 4};
    ASSERT_FALSE(staging.take(0, 4).empty());
    ASSERT_FALSE(staging.take(1, 4).empty());
    staging.give_back(0);
    EXPECT_EQ(staging.take(2, 4).data(), &memory[0]);
    EXPECT_TRUE(staging.take(3, 1).empty());
    staging.give_back(1);
    EXPECT_EQ(staging.take(3, 6).data(), &memory[4]);
}

// Writes a mark into each message's room and finds it again when it is given back, in any order.
TEST(Staging, no_two_messages_share_a_byte) {
    std::mt19937 random{1};
    std::vector<std::byte> memory(64);
    constexpr std::size_t count = 5000;
    Staging staging{memory, count};
    std::vector<std::size_t> staying;
    auto const leave = [&](std::size_t i) {
        for (auto const byte : staging.of(staying[i])) ASSERT_EQ(byte, static_cast<std::byte>(staying[i]));
        staging.give_back(staying[i]);
        staying.erase(staying.begin() + static_cast<std::ptrdiff_t>(i));
    };
    for (std::size_t message = 0; message < count; ++message) {
        if (random() % 5 == 0) continue;  // one that needs no room
        auto const bytes = 1 + random() % 64;
        auto room = staging.take(message, bytes);
        while (room.empty()) {
            ASSERT_FALSE(staying.empty());
            leave(random() % staying.size());
            room = staging.take(message, bytes);
        }
        std::fill(room.begin(), room.end(), static_cast<std::byte>(message));
        staying.push_back(message);
    }
}

}  // namespace
}  // namespace muster
