// A random order of 0 .. size-1 without a table: the same on every rank, in no memory.
#pragma once

#include <cstdint>

#include "muster/extent.hpp"

namespace muster {

class Permutation {
public:
    Permutation(Size size, std::uint64_t seed);
    Size operator()(Size index) const;  // each of 0 .. size-1 comes once

private:
    std::uint64_t once(std::uint64_t value) const;

    Size size_;
    std::uint64_t seed_;
    unsigned half_bits_;  // the network permutes numbers of twice so many bits
};

}  // namespace muster
