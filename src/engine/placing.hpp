// Aggregators near their data: what each rank has in each domain is gathered, and the plan made again with better places.
#pragma once

#include "engine/together.hpp"

namespace muster {

// Collective where the hints or the network ask for it, else free. The plan with aggregators placed by what the ranks have;
// as it was where that gains nothing. The same on all ranks.
Plan place_together(Session& session, Plan plan, PlanInput input, Stream const& mine);

}  // namespace muster
