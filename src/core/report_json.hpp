// Parts of a report as JSON.
#pragma once

#include "core/json.hpp"
#include "muster/report.hpp"

namespace muster {

// A rank's report: an object.
void write_rank(JsonWriter& json, RankReport const& rank);
// An object.
void write_flow(JsonWriter& json, Flow const& flow);

}  // namespace muster
