// One collective call under way: its plan, what this rank brings, and the measurements.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/stopwatch.hpp"
#include "engine/together.hpp"

namespace muster {

// What one window of the shared route holds, all ranks together.
struct WindowFacts {
    std::uint32_t members{0};  // ranks that have bytes there
    bool mine{false};          // this rank is one of them
    bool dense{false};         // covered from end to end, no byte twice
};

// What a call learns about the others, and a kept plan need not learn again.
struct Knowledge {
    std::optional<std::vector<Contributor>> lists;   // exchange: by aggregators, of the ranks in their domains
    std::optional<std::vector<WindowFacts>> windows; // shared: by all, of the windows
};

struct Call {
    Session& session;
    Plan const& plan;
    Intent const& intent;
    Stopwatch watch{};
    Offset shift{0};  // added to every file offset: a kept plan runs elsewhere
    bool reused{false};
    Knowledge* known{nullptr};  // of a kept plan; null: the call learns it anew
    RankReport numbers{};

    bool aggregates() const { return plan.aggregator_index(session.comm().rank) >= 0; }
};

// Collective. Runs the plan; the same verdict on every rank.
Status run_plan(Call& call);

// The routes. Collective; what they return is this rank's own outcome, still to be agreed upon, except for failures before
// the first round, which all ranks have in common.
Status write_by_exchange(Call& call);
Status read_by_exchange(Call& call);
Status write_by_sharing(Call& call);
Status read_by_sharing(Call& call);
// Local: every rank accesses its own pieces.
Status write_directly(Call& call);
Status read_directly(Call& call);

}  // namespace muster
