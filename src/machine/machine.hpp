// The machine a job runs on, as a plain value. No MPI, no discovery: what is known is written here, by discovery or by
// hand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/network.hpp"
#include "machine/tiers.hpp"
#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster {

// What a node is made of; zeros: not known.
struct NodeFacts {
    int packages{0};
    int numa{0};
    int cores{0};
    int threads{0};
    Size last_cache{0};  // bytes of one last-level cache
    bool operator==(NodeFacts const&) const = default;
};

// The way from the nodes to the file system.
struct StorageFacts {
    std::vector<int> hops;  // from each node; one: from all; none: all the same, and not counted
    double latency{0};      // seconds; 0: as the network's
    double bandwidth{0};    // bytes per second of a node; 0: as the network's
    bool operator==(StorageFacts const&) const = default;
};

struct Machine {
    std::vector<int> node_of;  // node of each rank; nodes are numbered from 0 without gaps, by their lowest rank
    Network network{};
    std::vector<int> place_of{};  // of each node in the network; empty: node i is at place i
    NodeFacts node_facts{};
    std::vector<TierFacts> tiers{};  // of every node, fastest first
    StorageFacts storage{};

    int rank_count() const { return static_cast<int>(node_of.size()); }
    int node_count() const;
    std::vector<std::vector<Rank>> ranks_by_node() const;  // ascending
    // First ranks of all nodes, then second ranks, ...: 0, 4, 1, 5, 2, 6, 3, 7 on 2 nodes of 4.
    std::vector<Rank> ranks_round_robin() const;

    int place(int node) const { return place_of.empty() ? node : place_of[static_cast<std::size_t>(node)]; }
    // Hops between two nodes; 0 for the same.
    int node_distance(int from, int to) const { return network.distance(place(from), place(to)); }
    // Hops between two ranks: 0 for the same, at most 1 inside a node.
    double distance(Rank from, Rank to) const;
    int storage_distance(int node) const;
    bool has_network() const { return network.kind != Network::Kind::flat; }

    // "nodes 4 x 16" (ranks in blocks), "nodes 4 x 16 cyclic", or "nodes 0,0,1,1" (node of each rank); then what else is
    // known, each after a semicolon: "network ..." (see network.hpp), "at 3,17,40" (the places of the nodes), "node 2
    // packages 4 numa 64 cores 128 threads 32MiB cache", "tiers ..." (see tiers.hpp), "storage 3,2,5,2 latency 1ms".
    std::string text() const;
    bool operator==(Machine const&) const = default;
};

// `count` ranks in blocks of `ranks_per_node`; the last node may have fewer.
Machine block_machine(int count, int ranks_per_node);
// Renumbers arbitrary node labels (one per rank) into nodes.
Machine machine_from_labels(std::vector<int> const& labels);
// The forms of Machine::text; a list of nodes may use any labels, "at random 7" puts the nodes at random places, from a
// seed. New lines are as good as semicolons, and what follows a # is a remark. At most 2^24 ranks.
Result<Machine> parse_machine(std::string_view text);
// The same text over a machine that is known: what it does not mention stays. `nodes` must have as many ranks.
Result<Machine> describe_machine(Machine machine, std::string_view text);

}  // namespace muster
