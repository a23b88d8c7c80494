// Arithmetic that workloads share: products that may be too large, and even shares.
#pragma once

#include <array>
#include <initializer_list>
#include <string>

#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster {

// The product, or an error that says what is too large.
Result<Size> product(std::initializer_list<Size> factors, std::string const& what);

// Where share `index` of `total` things begins, when `shares` take as equal parts as possible.
inline Size share_begin(Size total, Size shares, Size index) {
    __extension__ using Wide = __int128;
    return static_cast<Size>(static_cast<Wide>(total) * index / shares);
}

// Three factors of `count`, as equal as possible, the largest first: 16384 -> 32, 32, 16.
std::array<Size, 3> three_factors(Size count);

}  // namespace muster
