#include "core/copy_pieces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace muster {
namespace {

using Bytes = std::vector<std::byte>;

// Pieces in a window of just their size, some beside each other, and memory of theirs.
struct Job {
    std::vector<Extent> list;
    Bytes window, memory;
    Offset shift;

    Job(std::mt19937& random, Size longest) : shift{std::uniform_int_distribution<Offset>{-1000, 1000}(random)} {
        Offset at = 0;
        for (auto count = std::uniform_int_distribution{0, 60}(random); count > 0; --count) {
            at += std::uniform_int_distribution{0, 2}(random);
            list.push_back({at - shift, std::uniform_int_distribution<Size>{1, longest}(random)});
            at += list.back().length;
        }
        window.resize(static_cast<std::size_t>(at));
        for (auto& byte : window) byte = static_cast<std::byte>(random());
        for (auto const& piece : list) memory.resize(memory.size() + static_cast<std::size_t>(piece.length));
        for (auto& byte : memory) byte = static_cast<std::byte>(random());
        std::shuffle(list.begin(), list.end(), random);
    }
    PiecesInWindow pieces() const { return {list, shift}; }

    // Calls visit(in the window, in memory, length).
    template <class Visit>
    void for_each(Visit&& visit) const {
        std::size_t done = 0;
        for (auto const& piece : list) {
            visit(static_cast<std::size_t>(piece.offset + shift), done, static_cast<std::size_t>(piece.length));
            done += static_cast<std::size_t>(piece.length);
        }
    }
};

template <class Try>
void try_jobs(Try&& one) {
    std::mt19937 random{1};
    for (int i = 0; i < 2000; ++i) {
        for (auto const longest : {1, 3, 8, 16, 32, 33, 100, 3000}) one(Job{random, longest});
    }
}

template <class Place>
void expect_places(Place&& place) {
    try_jobs([&](Job job) {
        auto expected = job.window;
        job.for_each([&](std::size_t in_window, std::size_t in_memory, std::size_t length) {
            std::copy_n(job.memory.data() + in_memory, length, expected.data() + in_window);
        });
        EXPECT_TRUE(place(job.pieces(), job.window.data(), job.memory).empty());
        ASSERT_EQ(job.window, expected);
    });
}

TEST(PlacePieces, copies_them_and_touches_nothing_beside_them) { expect_places(place_pieces); }

TEST(PlacePieces, does_so_on_any_processor) { expect_places(detail::place_anywhere); }

template <class Take>
void expect_takes(Take&& take) {
    try_jobs([&](Job job) {
        auto expected = job.memory;
        job.for_each([&](std::size_t in_window, std::size_t in_memory, std::size_t length) {
            std::copy_n(job.window.data() + in_window, length, expected.data() + in_memory);
        });
        EXPECT_TRUE(take(job.pieces(), job.window, job.memory).empty());
        ASSERT_EQ(job.memory, expected);
    });
}

TEST(TakePieces, copies_them_and_nothing_behind_the_memory) { expect_takes(take_pieces); }

TEST(TakePieces, does_so_on_any_processor) { expect_takes(detail::take_anywhere); }

TEST(TakePieces, leaves_the_rest_of_the_memory_to_others) {
    Bytes const window(200, std::byte{1});
    Bytes memory(200);
    std::vector<Extent> const list{{0, 5}, {10, 8}};
    auto const rest = detail::take_anywhere({list, 0}, window, memory);
    EXPECT_EQ(rest.data(), memory.data() + 13);
    EXPECT_EQ(rest.size(), 187U);
    EXPECT_EQ(std::count(memory.begin(), memory.begin() + 13, std::byte{1}), 13);
    EXPECT_EQ(std::count(memory.begin() + 13 + 32, memory.end(), std::byte{0}), 200 - 13 - 32);
}

}  // namespace
}  // namespace muster
