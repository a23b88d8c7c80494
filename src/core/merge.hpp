// The union of extents that come in many lists.
#pragma once

#include <span>
#include <vector>

#include "muster/extent.hpp"

namespace muster {

// Sorted, with neighbours and overlapping extents joined and empty ones left out.
std::vector<Extent> cover(std::vector<Extent> extents);

// The same for k lists that are ascending already (by offset; a list may overlap itself): O(n log k), by merging pairs of
// lists, then pairs of pairs. A list that starts behind the end of the one before costs nothing: the two are one.
class CoverBuilder {
public:
    void reserve(Size extents) { extents_.reserve(static_cast<std::size_t>(extents)); }
    void add(std::span<Extent const> ascending);
    // The union so far; the builder is empty afterwards.
    std::vector<Extent> take();

private:
    std::vector<Extent> extents_;      // all lists, one behind the other
    std::vector<std::size_t> starts_;  // where each begins
};

}  // namespace muster
