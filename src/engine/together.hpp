// Planning together: one small reduction, then every rank computes the same plan.
#pragma once

#include "access/access.hpp"
#include "engine/session.hpp"
#include "exchange/lists.hpp"

namespace muster {

// What a call brings along on this rank.
struct Intent {
    Direction direction{Direction::write};
    Access access;
    OwnList list;  // of access.file
};

// Local. The access in file order and its list.
Result<Intent> make_intent(Session const& session, Direction direction, Result<Access> access);

// What becomes of bytes that a read wants beyond the end of the file.
enum class Beyond {
    cut,   // they are not in the intent afterwards
    keep,  // the file may be longer by the time the plan runs
};

// Collective. The same plan, or the same error, on every rank: also when ranks bring different directions or one of them an
// error.
Result<Plan> plan_together(Session& session, Direction direction, Result<Intent>& intent, Beyond beyond);

// Collective. Before a kept plan runs again: all ranks do so with the same shift. The result is the size of the file for
// reads, 0 for writes.
Result<Size> rerun_together(Session& session, Direction direction, Offset shift, Status const& mine);

}  // namespace muster
