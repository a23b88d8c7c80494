#include "c/handles.hpp"

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace muster {

namespace {

// The lists of C are used where they are: the structs are the same in all but name.
static_assert(sizeof(muster_extent) == sizeof(Extent) && sizeof(muster_segment) == sizeof(Segment));
static_assert(offsetof(muster_extent, offset) == offsetof(Extent, offset));
static_assert(offsetof(muster_extent, length) == offsetof(Extent, length));
static_assert(offsetof(muster_segment, data) == offsetof(Segment, data));
static_assert(offsetof(muster_segment, length) == offsetof(Segment, length));

// Refused by every file: an extent before its beginning, a block of elements that cannot be.
constexpr Extent no_extent{-1, -1};
Pieces refused_pieces() { return {{&no_extent, 1}, {}}; }
Subarray refused_block() {
    Subarray block;
    block.element_size = -1;
    return block;
}

template <class Item>
bool missing(Item const* items, std::int64_t count) {
    return count < 0 || (count > 0 && items == nullptr);
}

template <class Item, class Plain>
std::span<Item const> list_of(Plain const* items, std::int64_t count) {
    return {reinterpret_cast<Item const*>(items), static_cast<std::size_t>(count)};
}

}  // namespace

Pieces pieces_of(muster_pieces const* pieces) {
    if (pieces == nullptr || missing(pieces->extents, pieces->extent_count) ||
        missing(pieces->segments, pieces->segment_count)) {
        return refused_pieces();
    }
    return {list_of<Extent>(pieces->extents, pieces->extent_count),
            list_of<Segment>(pieces->segments, pieces->segment_count)};
}

Subarray block_of(muster_subarray const* block) try {
    if (block == nullptr || missing(block->sizes, block->dimensions) || missing(block->subsizes, block->dimensions) ||
        missing(block->starts, block->dimensions)) {
        return refused_block();
    }
    auto const list = [&](std::int64_t const* items) { return std::vector<Size>(items, items + block->dimensions); };
    return {list(block->sizes),  list(block->subsizes), list(block->starts),
            block->element_size, block->offset,         block->fortran_order != 0};
} catch (std::bad_alloc const&) {
    return refused_block();
}

Status deliver(std::string const& text, char** copy) {
    if (copy == nullptr) return invalid_argument("there is no place for the text");
    auto* const bytes = static_cast<char*>(std::malloc(text.size() + 1));
    if (bytes == nullptr) return {Code::out_of_memory, "no memory for a text"};
    std::memcpy(bytes, text.c_str(), text.size() + 1);
    *copy = bytes;
    return {};
}

}  // namespace muster
