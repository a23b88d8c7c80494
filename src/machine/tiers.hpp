// The kinds of memory and storage of a node that can hold windows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster {

struct TierFacts {
    std::string name;        // "HBM", "DRAM", "NVR", ...
    double latency{1e-7};    // seconds
    double bandwidth{1e10};  // bytes per second
    Size capacity{0};        // bytes that may be used on a node; 0: no bound is known
    bool persistent{false};  // what is there survives the program
    std::string directory;   // of files that are mapped into memory; empty: plain memory

    bool operator==(TierFacts const&) const = default;
};

// "HBM 180GB/s 10ms 16GiB, NVR 150MB/s 100ms 1TiB persistent at /local": fastest first; what is left out is as above.
std::string tiers_text(std::vector<TierFacts> const& tiers);
Result<std::vector<TierFacts>> parse_tiers(std::string_view text);

}  // namespace muster
