// 'muster plan --tune': which stripe or window takes the fewest rounds.
#pragma once

#include "plan/tuning.hpp"
#include "plan_request.hpp"

namespace muster::tool {

// One call for all variables of the subject, or one for each, as its mode says.
TuningInput tuning_input(PlanSubject const& subject, Size memory);
// Prints what comes of it. `memory` as the user gave it: "64MiB".
Status print_tuning(PlanSubject const& subject, std::string const& memory, bool json);

}  // namespace muster::tool
