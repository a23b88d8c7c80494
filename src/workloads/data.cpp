#include "workloads/data.hpp"

#include <bit>
#include <cassert>
#include <cstring>

namespace muster {

namespace {

// A bijection of 64-bit numbers that leaves no pattern: multiply and fold, three times.
std::uint64_t scramble(std::uint64_t value) {
    value += 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93;
    value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93;
    return value ^ (value >> 32);
}

std::uint64_t word_at(Offset offset, std::uint64_t seed) {
    return scramble((static_cast<std::uint64_t>(offset) >> 3) ^ (seed << 56));
}

std::byte byte_of(std::uint64_t word, Offset offset) { return static_cast<std::byte>(word >> (8 * (offset & 7))); }

// A word as its bytes lie in the file.
std::uint64_t laid_out(std::uint64_t word) {
    return std::endian::native == std::endian::little ? word : __builtin_bswap64(word);
}

// Calls visit(offset, bytes, count) for an extent, up to eight bytes at a time, until it says false.
template <class Visit>
bool each_word(Extent extent, std::uint64_t seed, Visit&& visit) {
    for (auto offset = extent.offset; offset < extent.end();) {
        auto const word = word_at(offset, seed) >> (8 * (offset & 7));
        auto const stop = std::min(extent.end(), (offset | 7) + 1);
        if (!visit(offset, laid_out(word), static_cast<std::size_t>(stop - offset))) return false;
        offset = stop;
    }
    return true;
}

// Whole words are by far the most: a constant count makes one instruction of a copy or a comparison.
void put(std::byte* to, std::uint64_t const& bytes, std::size_t count) {
    if (count == 8) {
        std::memcpy(to, &bytes, 8);
    } else {
        std::memcpy(to, &bytes, count);
    }
}

bool equal(std::byte const* there, std::uint64_t const& bytes, std::size_t count) {
    return count == 8 ? std::memcmp(there, &bytes, 8) == 0 : std::memcmp(there, &bytes, count) == 0;
}

}  // namespace

std::byte byte_at(Offset offset, std::uint64_t seed) { return byte_of(word_at(offset, seed), offset); }

void fill(Stream const& stream, std::span<std::byte> buffer, std::uint64_t seed) {
    assert(static_cast<Size>(buffer.size()) >= stream.size());
    auto* next = buffer.data();
    stream.for_each([&](Offset offset, Size length) {
        each_word({offset, length}, seed, [&](Offset, std::uint64_t bytes, std::size_t count) {
            put(next, bytes, count);
            next += count;
            return true;
        });
    });
}

std::optional<Mismatch> verify(Stream const& stream, std::span<std::byte const> buffer, std::uint64_t seed) {
    assert(static_cast<Size>(buffer.size()) >= stream.size());
    std::optional<Mismatch> first;
    auto const* next = buffer.data();
    stream.for_each([&](Offset offset, Size length) {
        if (first) return;
        each_word({offset, length}, seed, [&](Offset at, std::uint64_t bytes, std::size_t count) {
            if (equal(next, bytes, count)) {
                next += count;
                return true;
            }
            for (; *next == byte_at(at, seed); ++next) ++at;
            first = Mismatch{at, next - buffer.data(), byte_at(at, seed), *next};
            return false;
        });
    });
    return first;
}

}  // namespace muster
