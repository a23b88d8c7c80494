#include "workloads/data.hpp"

#include <cassert>

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

// Calls visit(offset, expected byte) for the bytes of an extent until it says false.
template <class Visit>
bool each_byte(Extent extent, std::uint64_t seed, Visit&& visit) {
    for (auto offset = extent.offset; offset < extent.end();) {
        auto const word = word_at(offset, seed);
        auto const stop = std::min(extent.end(), (offset | 7) + 1);
        for (; offset < stop; ++offset) {
            if (!visit(offset, byte_of(word, offset))) return false;
        }
    }
    return true;
}

}  // namespace

std::byte byte_at(Offset offset, std::uint64_t seed) { return byte_of(word_at(offset, seed), offset); }

void fill(Stream const& stream, std::span<std::byte> buffer, std::uint64_t seed) {
    assert(static_cast<Size>(buffer.size()) >= stream.size());
    auto* next = buffer.data();
    stream.for_each([&](Offset offset, Size length) {
        each_byte({offset, length}, seed, [&](Offset, std::byte value) {
            *next++ = value;
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
        each_byte({offset, length}, seed, [&](Offset at, std::byte expected) {
            if (*next != expected) first = Mismatch{at, next - buffer.data(), expected, *next};
            ++next;
            return !first.has_value();
        });
    });
    return first;
}

}  // namespace muster
