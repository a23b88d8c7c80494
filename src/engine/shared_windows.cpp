#include "engine/shared_windows.hpp"

#include <algorithm>

#include "core/care.hpp"

namespace muster {

namespace {

// What this rank has in a window.
Size bytes_in(SharedWindows const& windows, Size window) {
    Size bytes = 0;
    auto const& call = windows.call();
    for_each_cut(call.plan.domains, call.intent.access.file, windows.id(window),
                 [&](Stream const& cut, Offset) { bytes += cut.size(); });
    return bytes;
}

Size whole_size(SharedWindows const& windows, Size window) {
    Size bytes = 0;
    windows.for_each_part(window, [&](Extent part, Offset) { bytes += part.length; });
    return bytes;
}

// The expected extents as far as they lie in the window.
std::vector<Extent> framed(SharedWindows const& windows, Size window) {
    auto const& frame = windows.call().intent.access.frame;
    std::vector<Extent> covered;
    windows.for_each_part(window, [&](Extent part, Offset) {
        auto at = std::partition_point(frame.begin(), frame.end(),
                                       [&](Extent const& extent) { return extent.end() <= part.offset; });
        for (; at != frame.end() && at->offset < part.end(); ++at) {
            auto const begin = std::max(at->offset, part.offset);
            covered.push_back({begin, std::min(at->end(), part.end()) - begin});
        }
    });
    return covered;
}

Size size_of(std::vector<Extent> const& extents) {
    Size bytes = 0;
    for (auto const& extent : extents) bytes += extent.length;
    return bytes;
}

// Takes a window for what so many bytes could make of it.
void presume(SharedWindows const& windows, Size window, Size bytes, WindowFacts& fact) {
    fact.dense = !careful || bytes == whole_size(windows, window);
    if (!fact.dense) fact.covered = framed(windows, window);
    if (!fact.dense && size_of(fact.covered) != bytes) fact.covered.clear();
    fact.presumed = careful && fact.known();
}

// Of what the window is taken for.
Fingerprint expected(SharedWindows const& windows, Size window, WindowFacts const& fact) {
    Fingerprint sum;
    windows.for_each_part(window, [&](Extent part, Offset place) {
        if (fact.dense) return sum.add({place, part.length});
        for (auto const& extent : fact.covered) {
            if (extent.offset >= part.offset && extent.end() <= part.end())
                sum.add({extent.offset - part.offset + place, extent.length});
        }
    });
    return sum;
}

}  // namespace

std::vector<WindowFacts> learn_windows(SharedWindows const& windows, Size first, Size last) {
    std::vector<WindowFacts> facts(static_cast<std::size_t>(last - first));
    auto& slots = windows.slots();
    for (auto window = first; window < last; ++window) {
        auto const bytes = bytes_in(windows, window);
        facts[static_cast<std::size_t>(window - first)].mine = bytes > 0;
        if (bytes == 0) continue;
        auto& tally = slots.tally(window - first);
        tally.bytes.fetch_add(bytes, std::memory_order_relaxed);
        tally.members.fetch_add(1, std::memory_order_relaxed);
    }
    auto const& call = windows.call();
    call.session.quorum().meet();
    auto const writing = call.plan.direction == Direction::write;
    for (auto window = first; window < last; ++window) {
        auto& fact = facts[static_cast<std::size_t>(window - first)];
        auto const& tally = slots.tally(window - first);
        fact.members = tally.members.load(std::memory_order_relaxed);
        if (writing) presume(windows, window, tally.bytes.load(std::memory_order_relaxed), fact);
    }
    if (!writing || !careful) slots.turn_tallies(last - first);
    return facts;
}

void add_placed(SharedWindows const& windows, Size index, Fingerprint const& placed) {
    auto& tally = windows.slots().tally(index);
    tally.lanes[0].fetch_add(placed.lanes()[0], std::memory_order_relaxed);
    tally.lanes[1].fetch_add(placed.lanes()[1], std::memory_order_relaxed);
}

bool proves_true(SharedWindows const& windows, Size window, Size index, WindowFacts const& fact) {
    auto const& tally = windows.slots().tally(index);
    auto const sum = expected(windows, window, fact);
    return tally.lanes[0].load(std::memory_order_relaxed) == sum.lanes()[0] &&
           tally.lanes[1].load(std::memory_order_relaxed) == sum.lanes()[1];
}

std::vector<WindowFacts> settle_windows(SharedWindows const& windows, Size first, std::vector<WindowFacts>& facts) {
    windows.call().session.quorum().meet();
    std::vector<WindowFacts> again;
    for (std::size_t i = 0; i < facts.size(); ++i) {
        auto& fact = facts[i];
        auto const index = static_cast<Size>(i);
        if (!std::exchange(fact.presumed, false) || proves_true(windows, first + index, index, fact)) continue;
        fact = {fact.members, fact.mine};
        again.resize(facts.size());
        again[i] = fact;
    }
    windows.slots().turn_tallies(static_cast<Size>(facts.size()));
    return again;
}

}  // namespace muster
