#include "workloads/permutation.hpp"

#include <bit>

namespace muster {

Permutation::Permutation(Size size, std::uint64_t seed) : size_{size}, seed_{seed}, half_bits_{1} {
    auto const bits = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(size > 1 ? size - 1 : 1)));
    half_bits_ = (bits + 1) / 2;
}

// A Feistel network: each step mixes one half into the other and can be undone, so the whole is a permutation.
std::uint64_t Permutation::once(std::uint64_t value) const {
    auto const mask = (std::uint64_t{1} << half_bits_) - 1;
    auto left = value >> half_bits_;
    auto right = value & mask;
    for (std::uint64_t step = 1; step <= 4; ++step) {
        auto mixed = (right + step + seed_) * 0x9e3779b97f4a7c15;
        mixed = (mixed ^ (mixed >> 29)) * 0xbf58476d1ce4e5b9;
        auto const next = left ^ ((mixed >> 32) & mask);
        left = right;
        right = next;
    }
    return (left << half_bits_) | right;
}

// Numbers beyond the size are sent on until they fall inside: less than four times on average.
Size Permutation::operator()(Size index) const {
    auto value = static_cast<std::uint64_t>(index);
    do {
        value = once(value);
    } while (value >= static_cast<std::uint64_t>(size_));
    return static_cast<Size>(value);
}

}  // namespace muster
