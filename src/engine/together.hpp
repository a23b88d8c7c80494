// Planning together: one small reduction, then every rank computes the same plan.
#pragma once

#include <optional>

#include "access/access.hpp"
#include "engine/session.hpp"
#include "exchange/lists.hpp"

namespace muster {

// What a call brings along on this rank.
struct Intent {
    Direction direction{Direction::write};
    Access access;
    OwnList list;                           // of access.file
    Patterns::Matches matches{};            // remembered patterns that it fits
    Size overwritten{0};                    // bytes of a write that later ones of the same rank replace
    std::optional<Size> declared_pieces{};  // declared I/O: as they will be handed over, often more than in the list

    // What the call tells the user: all that was asked for, of reads what lies before the end of the file.
    Size size() const;
};

// Local. The access in file order and its list.
Result<Intent> make_intent(Session const& session, Direction direction, Result<Access> access);

// Collective. The same plan, or the same error, on every rank: also when ranks bring different directions or one of them an
// error. What a read wants beyond the end of the file stays in it: the file may be longer by the time the plan runs.
Result<Plan> plan_together(Session& session, Direction direction, Result<Intent>& intent);
// The same; tells also where the file ends, to those who read.
Result<Plan> plan_together(Session& session, Direction direction, Result<Intent>& intent, Size& end_of_file);

// What a call runs: a plan of its own, or that of an earlier call of the same pattern elsewhere in the file.
struct Planned {
    Pattern* earlier{nullptr};
    Offset shift{0};   // from there to here
    Plan own;          // unless there is an earlier one
    bool whole{true};  // nothing was cut off at the end of the file
};

// Collective. As plan_together, but reads are cut at the end of the file, and a pattern that all ranks remember is not planned again: that is agreed upon in
// the same vote.
Result<Planned> plan_or_recall(Session& session, Direction direction, Result<Intent>& intent);

// A kept plan that runs again.
struct Rerun {
    Direction direction{Direction::write};
    Size plan{0};  // which of the session's
    Offset shift{0};
};

// Collective. Before a kept plan runs again: all ranks run the same one with the same shift. The result is the size of the
// file for reads, 0 for writes.
Result<Size> rerun_together(Session& session, Rerun const& rerun, Status const& mine);

}  // namespace muster
