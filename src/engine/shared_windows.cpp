#include "engine/shared_windows.hpp"

#include <algorithm>

#include "core/care.hpp"
#include "core/fingerprint.hpp"

namespace muster {

namespace {

struct Share {
    Fingerprint fingerprint;
    Size bytes{0};
};

// What this rank has in a window.
Share share_of(SharedWindows const& windows, Size window, bool fingerprinted) {
    Share share;
    auto const& call = windows.call();
    for_each_cut(call.plan.domains, call.intent.access.file, windows.id(window), [&](Stream const& cut, Offset) {
        share.bytes += cut.size();
        if (!fingerprinted) return;
        auto fingerprint = share.fingerprint;  // a local copy stays in registers
        cut.for_each([&](Offset offset, Size length) { fingerprint.add({offset, length}); });
        share.fingerprint = fingerprint;
    });
    return share;
}

void add_to(WindowTally& tally, Share const& share) {
    if (share.bytes == 0) return;
    tally.lanes[0].fetch_add(share.fingerprint.lanes()[0], std::memory_order_relaxed);
    tally.lanes[1].fetch_add(share.fingerprint.lanes()[1], std::memory_order_relaxed);
    tally.members.fetch_add(1, std::memory_order_relaxed);
}

bool has(WindowTally const& tally, Fingerprint const& expected) {
    return tally.lanes[0].load(std::memory_order_relaxed) == expected.lanes()[0] &&
           tally.lanes[1].load(std::memory_order_relaxed) == expected.lanes()[1];
}

// Do all ranks' extents together make up exactly the window's parts?
bool is_dense(SharedWindows const& windows, Size window, WindowTally const& tally) {
    Fingerprint whole;
    windows.for_each_part(window, [&](Extent part, Offset) { whole.add(part); });
    return has(tally, whole);
}

// The expected extents as far as they lie in the window, when all ranks' extents together make up exactly these.
std::vector<Extent> covered_frame(SharedWindows const& windows, Size window, WindowTally const& tally) {
    auto const& frame = windows.call().intent.access.frame;
    std::vector<Extent> covered;
    Fingerprint expected;
    windows.for_each_part(window, [&](Extent part, Offset) {
        auto at = std::partition_point(frame.begin(), frame.end(),
                                       [&](Extent const& extent) { return extent.end() <= part.offset; });
        for (; at != frame.end() && at->offset < part.end(); ++at) {
            auto const begin = std::max(at->offset, part.offset);
            covered.push_back({begin, std::min(at->end(), part.end()) - begin});
            expected.add(covered.back());
        }
    });
    return has(tally, expected) ? covered : std::vector<Extent>{};
}

}  // namespace

std::vector<WindowFacts> learn_windows(SharedWindows const& windows, Size first, Size last) {
    std::vector<WindowFacts> facts(static_cast<std::size_t>(last - first));
    auto const& call = windows.call();
    auto& slots = windows.slots();
    auto const writing = call.plan.direction == Direction::write;
    for (auto window = first; window < last; ++window) {
        auto const share = share_of(windows, window, writing && careful);
        facts[static_cast<std::size_t>(window - first)].mine = share.bytes > 0;
        add_to(slots.tally(window - first), share);
    }
    call.session.quorum().meet();
    for (auto window = first; window < last; ++window) {
        auto& fact = facts[static_cast<std::size_t>(window - first)];
        auto const& tally = slots.tally(window - first);
        fact.members = tally.members.load(std::memory_order_relaxed);
        fact.dense = writing && (!careful || is_dense(windows, window, tally));
        if (writing && !fact.dense) fact.covered = covered_frame(windows, window, tally);
    }
    slots.turn_tallies(last - first);
    return facts;
}

}  // namespace muster
