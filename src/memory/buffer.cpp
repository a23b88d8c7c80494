#include "memory/buffer.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <numeric>
#include <string>
#include <utility>

namespace muster {

namespace {

constexpr Size page = 4096;
constexpr Size huge_page = Size{2} << 20;
constexpr Size address_space = Size{1} << 47;

std::atomic<Size> allocation_limit{no_allocation_limit};

// Null when there is no memory. `capacity` must be a multiple of the page.
std::byte* allocate_pages(Size capacity) {
    bool const huge = capacity >= 2 * huge_page;
    void* memory = nullptr;
    auto const alignment = static_cast<std::size_t>(huge ? huge_page : page);
    if (posix_memalign(&memory, alignment, static_cast<std::size_t>(capacity)) != 0) return nullptr;
    if (huge) (void)madvise(memory, static_cast<std::size_t>(capacity), MADV_HUGEPAGE);  // only a wish
    return static_cast<std::byte*>(memory);
}

Status no_memory(Size size) {
    return {Code::out_of_memory, "cannot allocate a buffer of " + std::to_string(size) + " bytes"};
}

bool fits_well(Buffer const& buffer, Size size) { return buffer.capacity() >= size && buffer.capacity() / 2 <= size; }

}  // namespace

Buffer::Buffer(Buffer&& other) noexcept
    : memory_{std::move(other.memory_)},
      size_{std::exchange(other.size_, 0)},
      capacity_{std::exchange(other.capacity_, 0)} {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    memory_ = std::move(other.memory_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
}

Result<Buffer> Buffer::allocate(Size size) {
    Buffer buffer;
    if (size == 0) return buffer;
    if (size < 0 || size > allocation_limit || size > address_space) return no_memory(size);
    auto const capacity = (size + page - 1) / page * page;
    buffer.memory_.reset(allocate_pages(capacity));
    if (!buffer.memory_) return no_memory(size);
    buffer.size_ = size;
    buffer.capacity_ = capacity;
    return buffer;
}

Buffer Buffer::adopt(std::span<std::byte> memory, std::function<void(std::byte*)> release) {
    Buffer buffer;
    buffer.memory_ = {memory.data(), Free{std::move(release), {}}};
    buffer.size_ = buffer.capacity_ = static_cast<Size>(memory.size());
    return buffer;
}

void Buffer::on_release(std::function<void()> tell) { memory_.get_deleter().tell = std::move(tell); }

void Buffer::resize_within_capacity(Size size) {
    assert(size >= 0 && size <= capacity_);
    size_ = size;
}

Result<Buffer> BufferPool::reserve(Size size) {
    auto best = kept_.end();
    for (auto kept = kept_.begin(); kept != kept_.end(); ++kept)
        if (fits_well(*kept, size) && (best == kept_.end() || kept->capacity() < best->capacity())) best = kept;
    if (best != kept_.end()) {
        auto buffer = std::move(*best);
        kept_.erase(best);
        buffer.resize_within_capacity(size);
        return buffer;
    }
    auto made = fresh(size);
    if (made || kept_.empty()) return made;
    clear();  // what is kept for reuse may be what is missing
    return fresh(size);
}

void BufferPool::release(Buffer buffer) {
    if (buffer.capacity() == 0 || buffer.capacity() > keep_at_most_) return;
    while (kept_bytes() + buffer.capacity() > keep_at_most_) kept_.erase(kept_.begin());
    kept_.push_back(std::move(buffer));
}

void BufferPool::clear() { kept_.clear(); }

Size BufferPool::kept_bytes() const {
    return std::accumulate(kept_.begin(), kept_.end(), Size{0},
                           [](Size sum, Buffer const& buffer) { return sum + buffer.capacity(); });
}

void fail_allocations_above(Size limit) { allocation_limit = limit; }

}  // namespace muster
