// One collective call under way: its plan, what this rank brings, and the measurements.
#pragma once

#include <optional>

#include "core/stopwatch.hpp"
#include "engine/together.hpp"

namespace muster {

struct Call {
    Session& session;
    Plan const& plan;
    Intent const& intent;
    Stopwatch watch{};
    Offset shift{0};  // added to every file offset: a kept plan runs elsewhere
    bool reused{false};
    // Where a kept plan keeps what the aggregators have learnt, once they have; null: every call learns it anew.
    std::optional<std::vector<Contributor>>* kept_lists{nullptr};
    RankReport numbers{};

    bool aggregates() const { return plan.aggregator_index(session.comm().rank) >= 0; }
};

// Collective. Runs the plan; the same verdict on every rank.
Status run_plan(Call& call);

// The routes. Collective; what they return is this rank's own outcome, still to be agreed upon, except for failures before
// the first round, which all ranks have in common.
Status write_by_exchange(Call& call);
Status read_by_exchange(Call& call);
// Local: every rank accesses its own pieces.
Status write_directly(Call& call);
Status read_directly(Call& call);

}  // namespace muster
