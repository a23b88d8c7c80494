// One collective call from beginning to end.
#pragma once

#include "engine/call.hpp"

namespace muster {

// Collective. Plans and runs an access; bytes written or read by this rank.
MUSTER_API Result<Size> perform(Session& session, Direction direction, Result<Access> access);

// Collective. Runs a call whose plan exists, and reports. `start`: when the user called, by clock_seconds.
Status run_and_report(Call& call, double start);
double clock_seconds();

}  // namespace muster
