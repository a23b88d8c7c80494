// One collective call under way: its plan, what this rank brings, and the measurements.
#pragma once

#include "core/stopwatch.hpp"
#include "engine/knowledge.hpp"
#include "engine/together.hpp"

namespace muster {

struct Call {
    Session& session;
    Plan const& plan;
    Intent const& intent;
    Stopwatch watch{};
    Offset shift{0};  // added to every file offset: a kept plan runs elsewhere
    bool reused{false};
    Knowledge* known{nullptr};  // where what is learnt is kept, and found again
    RankReport numbers{};
    bool agreed{false};                     // the failure of this call is known to all already
    std::vector<Decision> afterthoughts{};  // what was done other than planned
    Flow flow{};                            // what this rank hands over, where anything is

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
