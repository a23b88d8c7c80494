// Page-aligned memory for windows and messages, and a pool that keeps it between calls.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster {

// Plain memory is freed, other kinds as they want it.
struct Free {
    std::function<void(std::byte*)> other{};  // empty: plain memory
    std::function<void()> tell{};             // afterwards

    void operator()(std::byte* memory) const {
        other ? other(memory) : std::free(memory);
        if (tell) tell();
    }
};

class Buffer {
public:
    Buffer() = default;  // no bytes
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;

    // The bytes are not initialised. Fails with out_of_memory, never by exception.
    static Result<Buffer> allocate(Size size);
    // Memory of another kind, with the way to free it.
    static Buffer adopt(std::span<std::byte> memory, std::function<void(std::byte*)> release);
    void on_release(std::function<void()> tell);  // is called when the memory is freed

    Size size() const { return size_; }
    Size capacity() const { return capacity_; }
    std::byte* data() const { return memory_.get(); }
    std::span<std::byte> span() const { return {data(), static_cast<std::size_t>(size_)}; }
    void resize_within_capacity(Size size);  // keeps the bytes; size <= capacity()

private:
    std::unique_ptr<std::byte, Free> memory_;
    Size size_{0};
    Size capacity_{0};
};

// Keeps released buffers for the next call. For one thread.
class BufferPool {
public:
    // `keep_at_most`: bytes held for reuse; buffers that are in use do not count.
    explicit BufferPool(Size keep_at_most = Size{256} << 20) : keep_at_most_{keep_at_most} {}
    // Where new buffers come from, instead of plain memory.
    using Source = std::function<Result<Buffer>(Size)>;
    void draw_from(Source source) { source_ = std::move(source); }

    // A kept buffer where one fits without wasting more than half of itself, else a new one.
    Result<Buffer> reserve(Size size);
    // Takes a buffer back; the oldest are freed where the bound would be exceeded.
    void release(Buffer buffer);
    void clear();
    Size kept_bytes() const;

private:
    Result<Buffer> fresh(Size size) { return source_ ? source_(size) : Buffer::allocate(size); }

    Source source_;
    std::vector<Buffer> kept_;  // oldest first
    Size keep_at_most_;
};

// For tests, process-wide: allocations of more than `limit` bytes fail from now on.
inline constexpr Size no_allocation_limit = std::numeric_limits<Size>::max();
void fail_allocations_above(Size limit);

}  // namespace muster
