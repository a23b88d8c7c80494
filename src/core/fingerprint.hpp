// Do these extents tile a range, without holes and overlaps? Answered without sorting them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "muster/export.h"
#include "muster/extent.hpp"

namespace muster {

// The sum of h(start) - h(end) over all extents, h a keyed hash. Where one extent ends and another starts the two cancel, so
// a tiling leaves h(start) - h(end) of the whole range. Anything else leaves other terms: the starts and ends of a set
// of extents determine how often each byte is covered, and a hole cannot make up for an overlap. The answer is wrong
// with a probability of 2^-64 at most. Order does not matter; empty extents count for nothing.
class Fingerprint {
public:
    using Lanes = std::array<std::uint64_t, 2>;

    // Only fingerprints with equal keys may be compared or combined. A key that differs from run to run guards against input
    // made to deceive; the default gives the same lanes everywhere.
    explicit Fingerprint(std::uint64_t key = 0x6d75737465723031, Lanes lanes = {}) : key_{key}, lanes_{lanes} {}

    void add(Extent const& extent) {
        auto const first = hash(extent.offset);
        auto const last = hash(extent.end());
        lanes_[0] += first[0] - last[0];
        lanes_[1] += first[1] - last[1];
    }

    // Of many at a time, each moved by `shift`.
    MUSTER_API void add_all(std::span<Extent const> extents, Offset shift = 0);

    Fingerprint& operator+=(Fingerprint const& other) {
        lanes_[0] += other.lanes_[0];
        lanes_[1] += other.lanes_[1];
        return *this;
    }

    bool tiles(Extent const& range) const {
        Fingerprint whole{key_};
        whole.add(range);
        return lanes_ == whole.lanes_;
    }

    // To be sent, and summed by whoever likes (modulo 2^64).
    Lanes const& lanes() const { return lanes_; }

private:
    friend struct EightLanes;

    // One round of mixing for a lane, two for the other, in steps that vectors of numbers can take as well.
    static constexpr std::uint64_t first_factor = 0x9fb21c651e98df25;
    static constexpr std::uint64_t second_factor = 0xd6e8feb86659fd93;
    Lanes hash(Offset offset) const {
        auto mixed = static_cast<std::uint64_t>(offset) ^ key_;
        mixed = (mixed ^ mixed >> 32) * first_factor;
        mixed ^= mixed >> 29;
        auto const again = mixed * second_factor;
        return {again ^ again >> 32, mixed};
    }

    std::uint64_t key_;
    Lanes lanes_;
};

}  // namespace muster
