// Rows that go past the caches: for targets that would not stay there anyway. To fetch each line of them before it is overwritten costs
// more than the copying.
#pragma once

#include <array>
#include <cstddef>

#include "core/rows.hpp"
#include "muster/export.h"
#include "muster/extent.hpp"

namespace muster {

// How long rows must be on this processor for streaming to gain anything.
Size least_streamed();

// Copies rows to where they lie one behind the other. A line of the cache that one row begins and the next one ends is kept until it is
// whole: written in parts, it would have to be fetched. A plain value; what it keeps is lost without finish.
class MUSTER_API Streaming {
public:
    void add(std::byte* to, std::byte const* from, Size length) { add(to, from, Rows{{0, length}, 1, length}); }
    // The first of them lies at `from`.
    void add(std::byte* to, std::byte const* from, Rows const& rows);
    // All is written, and may be told of to others.
    void finish();

    static constexpr Size line = 64;

private:
    void add_masked(std::byte* to, std::byte const* from, Rows const& rows);
    void put_kept();

    std::byte* line_{nullptr};  // where the kept bytes belong
    Size first_{0};             // they are [first_, end_) of it
    Size end_{0};
    alignas(line) std::array<std::byte, line> kept_{};
};

namespace detail {

// The same on any processor: row by row, the first and the last line of each by way of the caches.
MUSTER_API void stream_row(std::byte* to, std::byte const* from, Size length);

}  // namespace detail

}  // namespace muster
