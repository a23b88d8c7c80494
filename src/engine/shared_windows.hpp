// The windows of a call in shared memory, numbered round by round and, within a round, domain by domain.
#pragma once

#include "core/fingerprint.hpp"
#include "engine/call.hpp"
#include "exchange/route.hpp"

namespace muster {

class SharedWindows {
public:
    explicit SharedWindows(Call& call) : call_{call}, slots_{call.session.share()->slots()} {}

    Size count() const { return call_.plan.rounds * call_.plan.domains.count; }
    WindowId id(Size window) const {
        return {static_cast<int>(window % call_.plan.domains.count), window / call_.plan.domains.count};
    }
    Rank aggregator(Size window) const { return call_.plan.aggregators[static_cast<std::size_t>(id(window).domain)]; }

    Call& call() const { return call_; }
    Slots& slots() const { return slots_; }

    // Calls visit(part, place) for each part of the window: its extent in the file, and where it lies in the window.
    template <class Visit>
    void for_each_part(Size window, Visit&& visit) const {
        auto const& domains = call_.plan.domains;
        for (int index = 0; index < domains.parts(); ++index) {
            auto const part = domains.part(id(window).domain, id(window).round, index);
            if (part.length > 0) visit(part, index * domains.part_size());
        }
    }

private:
    Call& call_;
    Slots& slots_;
};

// The windows [first, first + facts.size()) of a call: at most NodeShare::tallied_windows.
//
// What a window holds is learnt by adding up in shared memory what each rank has there: first the numbers of bytes, which cost
// nothing to know. Where they are just those of a window without holes, it is taken for one, and each rank adds the fingerprint of its
// extents while it places them. Whoever stores the window looks whether they add up: only holes and overlaps of the same size do not,
// and such windows are placed once more. Reads do not ask whether windows are dense.

// Collective.
std::vector<WindowFacts> learn_windows(SharedWindows const& windows, Size first, Size last);

// Local. What this rank has placed, with places counted in the window.
void add_placed(SharedWindows const& windows, Size index, Fingerprint const& placed);
// Local, when all have placed theirs: the window is what it is taken for.
bool proves_true(SharedWindows const& windows, Size window, Size index, WindowFacts const& fact);

// Collective, after a first run of windows that were learnt. The facts become true, and the result is what to run once more: empty
// where all proved true.
std::vector<WindowFacts> settle_windows(SharedWindows const& windows, Size first, std::vector<WindowFacts>& facts);

}  // namespace muster
