// Which ranks touch the file: how many, and where.
#pragma once

#include "plan/plan.hpp"

namespace muster {

// Number: as hinted; else the stripe count where the file is striped; else one per node. At most all ranks.
// spread: node by node, each node's aggregators evenly over its ranks; with one per node that is the node's first rank.
// round_robin: first ranks of all nodes, then second ranks, ... (2 nodes of 64 ranks, 4 aggregators: 0, 64, 1, 65).
// list: as given, without ranks that do not exist or are repeated; where none is left, as if no list had been given.
// The machine has at least one rank.
AggregatorChoice choose_aggregators(Machine const& machine, Hints const& hints, FileLayout const& layout);

}  // namespace muster
