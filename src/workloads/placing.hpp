// Where a workload's file domains are served best on a machine: what the engine decides, without running anything.
#pragma once

#include <optional>

#include "plan/placement.hpp"
#include "workloads/workload.hpp"

namespace muster {

// What each rank has in each domain of a call of all variables.
DomainBytes bytes_by_domain(Workload const& workload, Domains const& domains);

// The original, the locality-aware and the topology-aware placement of one call on one machine.
struct PlacementComparison {
    int domains{0};
    PlacementCost original;  // one aggregator per node, domain after domain
    PlacementCost locality;
    PlacementCost topology;
};
// `per_node`: at most so many aggregators on a node; 0: any rank may be one.
PlacementComparison compare_placements(Workload const& workload, Machine const& machine, int per_node);

}  // namespace muster
