// 'muster bench exchange': all kernels on three patterns of messages, as ratios to ascending.
#pragma once

#include "bench_request.hpp"

namespace muster::tool {

Status run_exchange_bench(BenchRequest const& request);

// What the program told, as a table.
std::string exchange_text(std::string const& told);

}  // namespace muster::tool
