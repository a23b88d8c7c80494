// One bit per byte of a window: which bytes its members have placed. Used where a window has holes or overlaps.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "muster/extent.hpp"

namespace muster {

// Several processes may mark neighbouring bytes at the same time.
inline void mark(std::span<std::uint64_t> marks, Size from, Size length) {
    auto const bits = [](Size low, Size high) {  // of one word
        auto const upto = high == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << high) - 1;
        return upto & ~((std::uint64_t{1} << low) - 1);
    };
    for (auto at = from, end = from + length; at < end;) {
        auto const word = at / 64;
        auto const stop = std::min(end, (word + 1) * 64);
        std::atomic_ref<std::uint64_t>{marks[static_cast<std::size_t>(word)]}.fetch_or(
            bits(at - word * 64, stop - word * 64), std::memory_order_relaxed);
        at = stop;
    }
}

// The marked bytes of [from, to) as extents, relative to `from` and moved by `base`.
inline std::vector<Extent> marked_extents(std::span<std::uint64_t const> marks, Size from, Size to, Offset base) {
    std::vector<Extent> extents;
    // The first byte at or after `at` that is marked or not, as asked.
    auto const seek = [&](Size at, bool marked) {
        while (at < to) {
            auto const word = marks[static_cast<std::size_t>(at / 64)];
            auto const rest = (marked ? word : ~word) >> (at % 64);
            if (rest != 0) return std::min<Size>(at + std::countr_zero(rest), to);
            at = (at / 64 + 1) * 64;
        }
        return to;
    };
    for (auto at = seek(from, true); at < to;) {
        auto const end = seek(at, false);
        extents.push_back({base + at - from, end - at});
        at = seek(end, true);
    }
    return extents;
}

}  // namespace muster
