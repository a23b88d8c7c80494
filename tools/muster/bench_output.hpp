// The results of 'muster bench' for people and for programs.
#pragma once

#include "bench_request.hpp"
#include "bench_results.hpp"

namespace muster::tool {

struct BenchSummary {
    BenchRequest const& request;
    BenchPlan const& plan;
    BenchSite const& site;
    BenchResults const& results;
    bool complete{false};  // everything asked for was done and verified
};

// Per operation: native_s, muster_s, speedup, floor_s, floor_ratio, verified (medians; _min and _max beside them), with
// several steps first_s and repeat_s, and all back ends one by one.
nlohmann::ordered_json bench_json(BenchSummary const& summary);
// A line per operation and back end.
std::string bench_csv(BenchSummary const& summary);
std::string bench_text(BenchSummary const& summary);

}  // namespace muster::tool
