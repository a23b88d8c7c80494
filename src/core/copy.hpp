// Copying small pieces. Most pieces of scattered data are a few numbers long; a call of memcpy for each would cost more
// than the copying, so up to 32 bytes go as two loads and two stores that may overlap.
#pragma once

#include <cstddef>
#include <cstring>

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

}  // namespace detail

// As memcpy, but quick for up to 32 bytes. Source and target must not overlap; a length of 0 is fine.
inline void copy_small(void* to, void const* from, Size length) {
    auto* const target = static_cast<std::byte*>(to);
    auto const* const source = static_cast<std::byte const*>(from);
    auto const bytes = static_cast<std::size_t>(length);
    if (bytes > 32) {
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

}  // namespace muster
