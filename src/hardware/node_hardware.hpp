// What this node is made of, as hwloc sees it: cores, caches, NUMA nodes, kinds of memory.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.hpp"

namespace muster {

struct CacheFacts {
    int level{1};
    Size size{0};  // bytes of each
    int count{1};
};

struct NodeHardware {
    NodeFacts facts;
    std::vector<CacheFacts> caches;   // for data, nearest first
    std::vector<TierFacts> tiers;     // fastest first
    std::vector<int> numa_distances;  // row by row, as the firmware says; empty: not known
    std::string origin;               // "hwloc 2.9.0", or why not
    bool speeds_known{false};         // latencies and bandwidths come from the hardware, not from a guess
};

// Local. Never fails: without hwloc, what the system says about cores and memory.
NodeHardware look_at_node();
// The same for a made-up node, in hwloc's words: "pack:2 numa:2 l3:1 core:4 pu:2".
NodeHardware look_at_synthetic(std::string const& description);

// --- measured ---

// Seconds of a dependent load, and bytes per second of copying, in plain memory.
TierFacts measure_memory();
// The same for files in a directory, mapped into memory: a random page, and writing through.
Result<TierFacts> measure_directory(std::string const& directory);

}  // namespace muster
