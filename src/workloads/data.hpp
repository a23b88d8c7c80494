// Contents for files that anybody can check: each byte follows from its place in the file.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/shape.hpp"

namespace muster {

// The 8 bytes at offset 8k are a number that no other k has, so a byte at a wrong place is noticed. Contents of
// different seeds (time steps, passes) differ everywhere.
std::byte byte_at(Offset offset, std::uint64_t seed = 0);

// The contents of the stream's bytes, in stream order.
void fill(Stream const& stream, std::span<std::byte> buffer, std::uint64_t seed = 0);

struct Mismatch {
    Offset offset{0};  // in the file
    Size position{0};  // in the buffer
    std::byte expected{};
    std::byte found{};
};
// The first byte that is not what fill would have put there.
std::optional<Mismatch> verify(Stream const& stream, std::span<std::byte const> buffer, std::uint64_t seed = 0);

}  // namespace muster
