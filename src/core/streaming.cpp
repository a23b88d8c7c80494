#include "core/streaming.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstdint>
#include <cstring>
#include <utility>

#include "core/copy.hpp"
#include "core/processor.hpp"

namespace muster {

namespace {

constexpr auto line = Streaming::line;

Size place_in_line(std::byte const* at) { return static_cast<Size>(reinterpret_cast<std::uintptr_t>(at) % line); }

#if defined(__SSE2__)
void stream_line(std::byte* to, std::byte const* from) {
    auto const* const source = reinterpret_cast<__m128i const*>(from);
    auto* const target = reinterpret_cast<__m128i*>(to);
    auto const first = _mm_loadu_si128(source), second = _mm_loadu_si128(source + 1);
    auto const third = _mm_loadu_si128(source + 2), fourth = _mm_loadu_si128(source + 3);
    _mm_stream_si128(target, first);
    _mm_stream_si128(target + 1, second);
    _mm_stream_si128(target + 2, third);
    _mm_stream_si128(target + 3, fourth);
}
#endif

}  // namespace

// Where lines are not kept, short rows are better left to the caches: of 144 bytes Intel's processors gain, AMD's (Zen 4) take up to a
// third longer; of 1 KiB both gain.
Size least_streamed() {
    static Size const length = stores_masked_bytes() || made_by_intel() ? 128 : 1024;
    return length;
}

void detail::stream_row(std::byte* to, std::byte const* from, Size length) {
#if defined(__SSE2__)
    if (length < 2 * line) return copy_small(to, from, length);
    auto const before = -place_in_line(to) & (line - 1);
    auto const streamed = (length - before) / line * line;
    copy_small(to, from, before);
    for (auto at = before; at < before + streamed; at += line) stream_line(to + at, from + at);
    copy_small(to + before + streamed, from + before + streamed, length - before - streamed);
#else
    copy_small(to, from, length);
#endif
}

void Streaming::put_kept() {
    if (first_ < end_) std::memcpy(line_ + first_, kept_.data() + first_, static_cast<std::size_t>(end_ - first_));
    first_ = end_;
}

#if defined(__x86_64__)
namespace {

// Rows lie apart, where processors do not look ahead by themselves.
void fetch_ahead(std::byte const* row, Size length) {
    for (Size at = 0; at < length; at += line) __builtin_prefetch(row + at);
    __builtin_prefetch(row + length - 1);
}

}  // namespace

MUSTER_MASKED void Streaming::add_masked(std::byte* to, std::byte const* from, Rows const& rows) {
    if (to != line_ + end_) {
        put_kept();
        first_ = end_ = place_in_line(to);
        line_ = to - end_;
    }
    constexpr Size ahead = 6;
    auto* out = line_;  // here, for stores to `out` could else be to it
    auto end = end_;
    auto kept = _mm512_load_si512(kept_.data());
    for (Size i = 0; i < rows.count; ++i, from += rows.stride) {
        auto const* row = from;
        auto left = rows.first.length;
        if (i + ahead < rows.count) fetch_ahead(row + ahead * rows.stride, left);
        for (auto room = line - end; left >= room; room = line, end = 0, out += line) {
            kept = _mm512_mask_loadu_epi8(kept, ~0ULL << end, row - end);
            if (first_ == 0) [[likely]] {
                _mm512_stream_si512(reinterpret_cast<__m512i*>(out), kept);
            } else {
                _mm512_mask_storeu_epi8(out, ~0ULL << std::exchange(first_, 0), kept);
            }
            row += room;
            left -= room;
        }
        auto const mask = _bzhi_u64(~0ULL, static_cast<unsigned long long>(left)) << end;
        kept = _mm512_mask_loadu_epi8(kept, mask, row - end);
        end += left;
    }
    line_ = out;
    end_ = end;
    _mm512_store_si512(kept_.data(), kept);
}
#endif

void Streaming::add(std::byte* to, std::byte const* from, Rows const& rows) {
#if defined(__x86_64__)
    if (stores_masked_bytes()) return add_masked(to, from, rows);
#endif
    auto const length = rows.first.length;
    for (Size i = 0; i < rows.count; ++i) detail::stream_row(to + i * length, from + i * rows.stride, length);
}

void Streaming::finish() {
    put_kept();
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

}  // namespace muster
