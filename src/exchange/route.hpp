// Routes: what a rank has in an aggregator's window, as parts of its stream.
#pragma once

#include "core/shape.hpp"
#include "plan/domains.hpp"

namespace muster {

// A window: what the aggregator of `domain` serves in `round`.
struct WindowId {
    int domain{0};
    Size round{0};
};

// Calls visit(cut, place) for each part of the window in which the stream has bytes: `cut` is that part of the stream, and
// a byte at file offset x belongs at window[x + place].
template <class Visit>
void for_each_cut(Domains const& domains, Stream const& stream, WindowId window, Visit&& visit) {
    for (int index = 0; index < domains.parts(); ++index) {
        auto const part = domains.part(window.domain, window.round, index);
        if (part.length <= 0) continue;
        auto const cut = stream.within(part.offset, part.end());
        if (cut.size() > 0) visit(cut, index * domains.part_size() - part.offset);
    }
}

inline Size bytes_in_window(Domains const& domains, Stream const& stream, WindowId window) {
    Size bytes = 0;
    for_each_cut(domains, stream, window, [&](Stream const& cut, Offset) { bytes += cut.size(); });
    return bytes;
}

}  // namespace muster
