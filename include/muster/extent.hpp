// The words for bytes in a file. Plain 64-bit integers: offsets and sizes meet in arithmetic in every second line,
// and wrapping each would hide the formulas. What must not be mixed up are ranks and indices, which have names.
#pragma once

#include <cstdint>

namespace muster {

using Offset = std::int64_t;  // a place in a file (or in memory, relative to a buffer), in bytes
using Size = std::int64_t;    // a number of bytes, pieces or anything else that is counted
using Rank = int;             // a rank of the session's communicator

// Contiguous bytes in the file.
struct Extent {
    Offset offset{0};
    Size length{0};

    Offset end() const { return offset + length; }
    bool operator==(Extent const&) const = default;
};

// Contiguous user memory. Writing to a file only reads from it.
struct Segment {
    void const* data{nullptr};
    Size length{0};
};

}  // namespace muster
