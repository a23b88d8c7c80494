// Copying pieces. Most pieces of scattered data are a few numbers long; a call of memcpy for each would cost more
// than the copying, so up to 32 bytes go as two loads and two stores that may overlap.
//
// Long pieces are copied by one instruction of the processor, by memcpy as by Linux. Some processors take three times as long for
// that where the target trails the source: it begins a few bytes further in its page. Large arrays from malloc begin 16 bytes after
// a page does, so they trail whatever comes from the beginning of a page, of a window or of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "muster/export.h"
#include "muster/extent.hpp"

namespace muster {

namespace detail {

// Copies `length` bytes, where width <= length <= 2 * width.
template <std::size_t width>
inline void copy_ends(std::byte* to, std::byte const* from, std::size_t length) {
    std::byte head[width];
    std::byte tail[width];
    std::memcpy(head, from, width);
    std::memcpy(tail, from + length - width, width);
    std::memcpy(to, head, width);
    std::memcpy(to + length - width, tail, width);
}

MUSTER_API void copy_in_steps(std::byte* to, std::byte const* from, std::size_t length);

}  // namespace detail

inline bool trails(std::uint64_t to, std::uint64_t from) {
    auto const distance = (to - from) % 4096;
    return distance > 0 && distance < 64;
}
inline bool trails(void const* to, void const* from) {
    return trails(reinterpret_cast<std::uintptr_t>(to), reinterpret_cast<std::uintptr_t>(from));
}
// Whether this processor copies long pieces by its instruction so slowly where the target trails the source that copying them twice, in
// steps, is quicker. Tried out once.
bool copies_slowly_when_trailing();

// As memcpy, but quick for up to 32 bytes, and for long pieces that trail. Source and target must not overlap; a length of 0 is fine.
inline void copy_small(void* to, void const* from, Size length) {
    auto* const target = static_cast<std::byte*>(to);
    auto const* const source = static_cast<std::byte const*>(from);
    auto const bytes = static_cast<std::size_t>(length);
    constexpr std::size_t long_piece = 2048;
    if (bytes >= long_piece && trails(target, source)) {
        detail::copy_in_steps(target, source, bytes);
    } else if (bytes > 32) {
        std::memcpy(target, source, bytes);
    } else if (bytes >= 16) {
        detail::copy_ends<16>(target, source, bytes);
    } else if (bytes >= 8) {
        detail::copy_ends<8>(target, source, bytes);
    } else if (bytes >= 4) {
        detail::copy_ends<4>(target, source, bytes);
    } else if (bytes >= 2) {
        detail::copy_ends<2>(target, source, bytes);
    } else if (bytes == 1) {
        *target = *source;
    }
}

// Whether so many bytes, read by each of the processes that share a core, are more than the core's own cache holds.
bool exceeds_cache(Size bytes, int sharers);

}  // namespace muster
