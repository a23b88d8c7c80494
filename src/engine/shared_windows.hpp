// The windows of a call in shared memory, numbered round by round and, within a round, domain by domain.
#pragma once

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

// Collective. What the windows [first, last) hold, learnt by adding up in shared memory what each rank has there. At most
// NodeShare::tallied_windows at once. Reads do not ask whether windows are dense.
std::vector<WindowFacts> learn_windows(SharedWindows const& windows, Size first, Size last);

}  // namespace muster
