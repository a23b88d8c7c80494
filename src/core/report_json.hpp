// Parts of a report as JSON.
#pragma once

#include "core/json.hpp"
#include "muster/report.hpp"

namespace muster {

// A rank's report: an object.
void write_rank(JsonWriter& json, RankReport const& rank);

}  // namespace muster
