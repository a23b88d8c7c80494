#include "memory/buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace muster {
namespace {

constexpr Size mebi = Size{1} << 20;

struct AllocationLimit {
    explicit AllocationLimit(Size limit) { fail_allocations_above(limit); }
    ~AllocationLimit() { fail_allocations_above(no_allocation_limit); }
};

bool page_aligned(Buffer const& buffer) { return reinterpret_cast<std::uintptr_t>(buffer.data()) % 4096 == 0; }

Buffer reserved(BufferPool& pool, Size size) {
    auto buffer = pool.reserve(size);
    EXPECT_TRUE(buffer.ok()) << buffer.status().text();
    return buffer ? std::move(*buffer) : Buffer{};
}

TEST(Buffer, is_page_aligned_and_all_of_it_can_be_written) {
    for (Size const size : {Size{1}, Size{4095}, Size{4096}, Size{4097}, 4 * mebi, 5 * mebi + 3}) {
        auto buffer = Buffer::allocate(size);
        ASSERT_TRUE(buffer.ok());
        EXPECT_EQ(buffer->size(), size);
        EXPECT_TRUE(page_aligned(*buffer));
        std::ranges::fill(buffer->span(), std::byte{7});
        EXPECT_EQ(buffer->span().back(), std::byte{7});
    }
}

TEST(Buffer, of_no_bytes_is_empty) {
    auto buffer = Buffer::allocate(0);
    ASSERT_TRUE(buffer.ok());
    EXPECT_TRUE(buffer->span().empty());
    EXPECT_TRUE(Buffer{}.span().empty());
}

TEST(Buffer, that_was_moved_from_is_empty) {
    auto allocated = Buffer::allocate(100);
    ASSERT_TRUE(allocated.ok());
    auto* const data = allocated->data();
    Buffer moved{std::move(*allocated)};
    EXPECT_EQ(moved.data(), data);
    EXPECT_EQ(allocated->size(), 0);
    EXPECT_EQ(allocated->capacity(), 0);
    Buffer assigned;
    assigned = std::move(moved);
    EXPECT_EQ(assigned.size(), 100);
    EXPECT_EQ(moved.size(), 0);
}

TEST(Buffer, that_cannot_be_had_is_an_error_and_not_an_exception) {
    for (Size const size : {Size{-1}, Size{1} << 60, no_allocation_limit}) {
        auto buffer = Buffer::allocate(size);
        ASSERT_FALSE(buffer.ok());
        EXPECT_EQ(buffer.status().code(), Code::out_of_memory);
        EXPECT_NE(buffer.status().message().find(std::to_string(size)), std::string::npos);
    }
}

TEST(Buffer, allocation_fails_above_the_limit_of_a_test_and_only_there) {
    {
        AllocationLimit const limit{1000};
        EXPECT_TRUE(Buffer::allocate(1000).ok());
        EXPECT_EQ(Buffer::allocate(1001).status().code(), Code::out_of_memory);
    }
    EXPECT_TRUE(Buffer::allocate(1001).ok());
}

TEST(BufferPool, hands_a_released_buffer_out_again) {
    BufferPool pool;
    auto buffer = reserved(pool, mebi);
    auto* const data = buffer.data();
    pool.release(std::move(buffer));
    EXPECT_EQ(pool.kept_bytes(), mebi);
    auto again = reserved(pool, mebi - 5000);
    EXPECT_EQ(again.data(), data);
    EXPECT_EQ(again.size(), mebi - 5000);
    EXPECT_EQ(pool.kept_bytes(), 0);
}

TEST(BufferPool, does_not_waste_a_large_buffer_on_a_small_wish) {
    BufferPool pool;
    pool.release(reserved(pool, mebi));
    EXPECT_EQ(reserved(pool, 4096).capacity(), 4096);
    EXPECT_EQ(pool.kept_bytes(), mebi);
}

TEST(BufferPool, prefers_the_tightest_buffer) {
    BufferPool pool;
    auto large = reserved(pool, 2 * mebi);
    auto tight = reserved(pool, mebi + 4096);
    auto* const data = tight.data();
    pool.release(std::move(large));
    pool.release(std::move(tight));
    EXPECT_EQ(reserved(pool, mebi + 1).data(), data);
}

TEST(BufferPool, frees_the_oldest_to_stay_within_its_bound) {
    BufferPool pool{2 * mebi};
    auto first = reserved(pool, mebi);
    auto second = reserved(pool, mebi);
    auto third = reserved(pool, mebi);
    auto* const newest = third.data();
    pool.release(std::move(first));
    pool.release(std::move(second));
    pool.release(std::move(third));
    EXPECT_EQ(pool.kept_bytes(), 2 * mebi);
    auto const one = reserved(pool, mebi);
    auto const two = reserved(pool, mebi);
    EXPECT_TRUE(one.data() == newest || two.data() == newest);
}

TEST(BufferPool, does_not_keep_what_exceeds_its_bound_alone) {
    BufferPool pool{mebi};
    pool.release(reserved(pool, mebi / 2));
    pool.release(reserved(pool, 2 * mebi));
    EXPECT_EQ(pool.kept_bytes(), mebi / 2);
}

TEST(BufferPool, passes_on_that_there_is_no_memory) {
    BufferPool pool;
    pool.release(reserved(pool, 8192));
    AllocationLimit const limit{1000};
    EXPECT_EQ(pool.reserve(mebi).status().code(), Code::out_of_memory);
    EXPECT_EQ(pool.kept_bytes(), 0) << "the kept buffers were given up before the second try";
}

}  // namespace
}  // namespace muster
