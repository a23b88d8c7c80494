#include "core/copy_pieces.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <array>
#include <cstdint>
#include <vector>

#include "core/copy.hpp"
#include "core/processor.hpp"
#include "core/quickest.hpp"

namespace muster {

namespace {

// One of two addresses, without a branch.
std::byte* either(bool first, std::byte const* one, std::byte const* other) {
    auto mask = -static_cast<std::uintptr_t>(first);
    asm("" : "+r"(mask));  // hides where it comes from: compilers would make a branch of it
    auto const otherwise = reinterpret_cast<std::uintptr_t>(other);
    return reinterpret_cast<std::byte*>(otherwise + ((reinterpret_cast<std::uintptr_t>(one) - otherwise) & mask));
}

// Two words, at the beginning and at the end of a piece; of no piece where it is shorter than a word.
template <std::size_t width>
struct Ends {
    std::byte const *head, *tail;
    std::byte *to_head, *to_tail;
    std::array<std::byte, width> first, last;

    Ends(std::byte* to, std::byte const* from, Size length, std::byte* nowhere) {
        auto const fits = length >= static_cast<Size>(width);
        auto const end = length - static_cast<Size>(width);
        head = either(fits, from, nowhere);
        tail = either(fits, from + end, nowhere);
        to_head = either(fits, to, nowhere);
        to_tail = either(fits, to + end, nowhere);
    }
    void load() {
        std::memcpy(first.data(), head, width);
        std::memcpy(last.data(), tail, width);
    }
    void store() const {
        std::memcpy(to_head, first.data(), width);
        std::memcpy(to_tail, last.data(), width);
    }
};

constexpr Size few = 32;

// 4 bytes to `few`.
void copy_few(std::byte* to, std::byte const* from, Size length, std::byte* nowhere) {
    Ends<4> fours{to, from, length, nowhere};
    Ends<8> eights{to, from, length, nowhere};
    Ends<16> sixteens{to, from, length, nowhere};
    fours.load(), eights.load(), sixteens.load();
    fours.store(), eights.store(), sixteens.store();
}

#if defined(__x86_64__)
// Bytes are loaded and stored under a mask of as many bits, in two halves: one whole vector would cross a line nearly always, which takes
// longer.
MUSTER_MASKED inline void copy_masked(std::byte* to, std::byte const* from, Size length) {
    if (length > 64) [[unlikely]]
        return copy_small(to, from, length);
    auto const mask = _bzhi_u64(~0ULL, static_cast<unsigned long long>(length));
    auto const head = static_cast<__mmask32>(mask), tail = static_cast<__mmask32>(mask >> 32);
    _mm256_mask_storeu_epi8(to, head, _mm256_maskz_loadu_epi8(head, from));
    _mm256_mask_storeu_epi8(to + 32, tail, _mm256_maskz_loadu_epi8(tail, from + 32));
}

// Stores wait for their lines one after the other, so these are asked for early.
MUSTER_MASKED std::byte const* place_masked(PiecesInWindow const& pieces, std::byte* window, std::byte const* memory) {
    constexpr std::size_t ahead = 24;
    auto const [list, shift] = pieces;
    for (std::size_t i = 0; i < list.size(); ++i) {
        __builtin_prefetch(window + (list[std::min(i + ahead, list.size() - 1)].offset + shift), 1);
        copy_masked(window + (list[i].offset + shift), memory, list[i].length);
        memory += list[i].length;
    }
    return memory;
}

// Whether masks are quicker than words that go nowhere, on pieces of a few numbers each.
bool try_masks() {
    constexpr Size most = 32, count = 256;
    std::vector<std::byte> window(count * most + 64), memory(count * most + 64);
    std::vector<Extent> list;
    for (Size i = 0; i < count; ++i) list.push_back({i * most, 8 + i * 5 % 4 * 8});
    PiecesInWindow const pieces{list, 0};
    auto const masked = quickest_seconds([&] { place_masked(pieces, window.data(), memory.data()); });
    return masked < quickest_seconds([&] { detail::place_anywhere(pieces, window.data(), memory); });
}

// Some processors store under masks as quickly as without (Intel's do), some far more slowly. Tried out once.
bool masks_are_quicker() {
    static bool const quicker = stores_masked_bytes() && try_masks();
    return quicker;
}
#endif

}  // namespace

std::span<std::byte const> detail::place_anywhere(PiecesInWindow const& pieces, std::byte* window,
                                                  std::span<std::byte const> memory) {
    alignas(16) std::array<std::byte, 16> nowhere{};
    auto const* from = memory.data();
    for (auto const& piece : pieces.list) {
        auto* const to = window + (piece.offset + pieces.shift);
        if (piece.length >= 4 && piece.length <= few) [[likely]] {
            copy_few(to, from, piece.length, nowhere.data());
        } else {
            copy_small(to, from, piece.length);
        }
        from += piece.length;
    }
    return {from, memory.data() + memory.size()};
}

std::span<std::byte const> place_pieces(PiecesInWindow const& pieces, std::byte* window,
                                        std::span<std::byte const> memory) {
#if defined(__x86_64__)
    if (masks_are_quicker()) return {place_masked(pieces, window, memory.data()), memory.data() + memory.size()};
#endif
    return detail::place_anywhere(pieces, window, memory);
}

namespace {

// In whole steps, which may overwrite what comes next. Nearly all pieces are one step, so that nothing is left to guess.
[[gnu::always_inline]] inline std::span<std::byte> take_in_steps(PiecesInWindow const& pieces,
                                                                 std::span<std::byte const> window,
                                                                 std::span<std::byte> memory) {
    constexpr Size step = 32, most = 4 * step;
    auto* to = memory.data();
    auto* const end = to + memory.size();
    auto const last = static_cast<Offset>(window.size()) - most;  // behind it no whole steps are sure to be left
    for (auto const& piece : pieces.list) {
        auto const offset = piece.offset + pieces.shift;
        auto const* const from = window.data() + offset;
        if (piece.length <= most && offset <= last && end - to >= most) [[likely]] {
            for (Size done = 0; done < piece.length; done += step) std::memcpy(to + done, from + done, step);
        } else {
            copy_small(to, from, piece.length);
        }
        to += piece.length;
    }
    return {to, end};
}

#if defined(__x86_64__)
// A step is one load and one store of whole vectors: to store under masks takes longer.
MUSTER_MASKED std::span<std::byte> take_wide(PiecesInWindow const& pieces, std::span<std::byte const> window,
                                             std::span<std::byte> memory) {
    return take_in_steps(pieces, window, memory);
}
#endif

}  // namespace

std::span<std::byte> detail::take_anywhere(PiecesInWindow const& pieces, std::span<std::byte const> window,
                                           std::span<std::byte> memory) {
    return take_in_steps(pieces, window, memory);
}

std::span<std::byte> take_pieces(PiecesInWindow const& pieces, std::span<std::byte const> window,
                                 std::span<std::byte> memory) {
#if defined(__x86_64__)
    if (stores_masked_bytes()) return take_wide(pieces, window, memory);
#endif
    return detail::take_anywhere(pieces, window, memory);
}

}  // namespace muster
