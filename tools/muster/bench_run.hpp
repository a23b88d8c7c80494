// Starts muster-bench and listens to it.
#pragma once

#include <functional>

#include "bench_output.hpp"

namespace muster::tool {

// `show` gets what was measured, even if not everything went well.
Status run_bench(BenchRequest const& request, std::function<void(BenchSummary const&)> const& show);

}  // namespace muster::tool
