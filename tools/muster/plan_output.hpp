// What 'muster plan' prints.
#pragma once

#include <nlohmann/json.hpp>

#include "plan_request.hpp"

namespace muster::tool {

using Json = nlohmann::ordered_json;

Json to_json(PlacementCost const& cost);
Json plan_json(PlanRequest const& request, PlanSubject const& subject, Study const& study);
void print_plan(PlanRequest const& request, PlanSubject const& subject, Study const& study);

Result<Study> study_with_progress(PlanSubject const& subject);

}  // namespace muster::tool
