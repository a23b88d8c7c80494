// File domains: which aggregator serves which bytes of the accessed range, in which round.
#pragma once

#include <string>

#include "muster/extent.hpp"
#include "muster/hints.hpp"

namespace muster {

// striped: aggregator i owns stripes i, i + count, i + 2 count, ... of the file (stripe = `unit` bytes, numbered from
//   offset 0). A round serves `window / unit` of its stripes (at least one); where the window is smaller than a stripe,
//   a part of one. Rounds are counted from the first accessed stripe; where no other stripe is served beside it, from
//   its first accessed part.
// contiguous: the accessed range is split evenly, inner edges on multiples of `unit`; a round serves `window` bytes of
//   each.
// All but rounds() and largest_domain() take constant time; all must have count, unit and window of at least 1.
struct Domains {
    Layout layout{Layout::contiguous};
    Extent range;    // accessed, all ranks together
    int count{1};    // of domains = of aggregators
    Size unit{1};    // stripe or block size
    Size window{1};  // bytes per aggregator and round

    Size rounds() const;
    // A round's window is made of `parts()` extents of the file (1 when contiguous), each at most `part_size()` long,
    // in file order; part p lies at p * part_size() of the window's buffer. Clipped to the range; may be empty.
    int parts() const;
    Size part_size() const;
    Extent part(int domain, Size round, int part) const;
    int owner_of(Offset offset) const;   // domain that serves the byte; the offset must lie in the range
    Size round_of(Offset offset) const;  // round in which it is served
    Extent domain(int index) const;      // contiguous only
    Size largest_domain() const;         // contiguous only, bytes
    // When all that is accessed moves in the file: whether stripes are cut where they were, and whether those of the same storage stay
    // with the same aggregator.
    bool keeps_edges(Offset shift) const { return layout != Layout::striped || shift % unit == 0; }
    bool keeps_owners(Offset shift) const {
        return keeps_edges(shift) && (layout != Layout::striped || shift / unit % count == 0);
    }
    std::string text() const;
    bool operator==(Domains const&) const = default;
};

}  // namespace muster
