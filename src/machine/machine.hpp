// The machine a job runs on, as a plain value. No MPI, no discovery: what is known is written here, by discovery or by hand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster {

struct Machine {
    std::vector<int> node_of;  // node of each rank; nodes are numbered from 0 without gaps, by their lowest rank

    int rank_count() const { return static_cast<int>(node_of.size()); }
    int node_count() const;
    std::vector<std::vector<Rank>> ranks_by_node() const;  // ascending
    // "nodes 4 x 16" (ranks in blocks), "nodes 4 x 16 cyclic", or "nodes 0,0,1,1" (node of each rank).
    std::string text() const;
};

// `count` ranks in blocks of `ranks_per_node`; the last node may have fewer.
Machine block_machine(int count, int ranks_per_node);
// Renumbers arbitrary node labels (one per rank) into nodes.
Machine machine_from_labels(std::vector<int> const& labels);
Result<Machine> parse_machine(std::string_view text);

}  // namespace muster
