#include "engine/window_runs.hpp"

namespace muster {

namespace {

// The part of a window that a byte of the file belongs to.
struct Spot {
    WindowId window;
    Extent part;      // of the file
    Offset shift{0};  // from there to the window

    bool holds(Offset offset) const { return offset >= part.offset && offset < part.end(); }
};

Spot spot_of(Domains const& domains, Offset offset) {
    WindowId const window{domains.owner_of(offset), domains.round_of(offset)};
    int low = 0;
    for (int high = domains.parts(); high - low > 1;) {  // parts lie in file order
        auto const middle = low + (high - low) / 2;
        auto const part = domains.part(window.domain, window.round, middle);
        (part.length > 0 && part.offset <= offset ? low : high) = middle;
    }
    auto const part = domains.part(window.domain, window.round, low);
    return {window, part, low * domains.part_size() - part.offset};
}

Offset offset_at(Shape const& shape, Size position) {
    Offset found = 0;
    shape.for_each(position, position + 1, [&](Offset offset, Size) { found = offset; });
    return found;
}

// A stream that runs forwards needs to be looked at only where windows end.
WindowRuns ordered_runs(Domains const& domains, Shape const& shape, Size from, Size to) {
    WindowRuns runs;
    while (from < to) {
        auto const spot = spot_of(domains, offset_at(shape, from));
        auto const end = std::min(shape.position_of(spot.part.end()), to);
        runs[spot.window].push_back({from, end, spot.shift});
        from = end;
    }
    return runs;
}

}  // namespace

WindowRuns runs_of(Domains const& domains, Shape const& shape, Size from, Size to) {
    if (shape.ordered()) return ordered_runs(domains, shape, from, to);
    WindowRuns runs;
    Spot spot;
    std::vector<WindowRun>* here = nullptr;  // of the spot
    auto at = from;
    shape.for_each(from, to, [&](Offset offset, Size length) {
        for (Size inside = 0; length > 0; offset += inside, length -= inside) {
            if (here == nullptr || !spot.holds(offset)) {
                spot = spot_of(domains, offset);
                here = &runs[spot.window];
                here->push_back({at, at, spot.shift});
            }
            inside = std::min(length, spot.part.end() - offset);
            at = here->back().to += inside;
        }
    });
    return runs;
}

}  // namespace muster
