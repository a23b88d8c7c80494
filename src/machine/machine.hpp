// The machine a job runs on, as a plain value. No MPI, no discovery: what is known is written here, by discovery or by
// hand.
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
    // First ranks of all nodes, then second ranks, ...: 0, 4, 1, 5, 2, 6, 3, 7 on 2 nodes of 4.
    std::vector<Rank> ranks_round_robin() const;
    // "nodes 4 x 16" (ranks in blocks), "nodes 4 x 16 cyclic", or "nodes 0,0,1,1" (node of each rank).
    std::string text() const;
    bool operator==(Machine const&) const = default;
};

// `count` ranks in blocks of `ranks_per_node`; the last node may have fewer.
Machine block_machine(int count, int ranks_per_node);
// Renumbers arbitrary node labels (one per rank) into nodes.
Machine machine_from_labels(std::vector<int> const& labels);
// The three forms of Machine::text; a list may use any labels. At most 2^24 ranks.
Result<Machine> parse_machine(std::string_view text);

}  // namespace muster
