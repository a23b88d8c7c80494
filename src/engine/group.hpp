// A local aggregator and the ranks of its node that it gathers for (two-layer aggregation).
#pragma once

#include "engine/node_share.hpp"
#include "machine/machine.hpp"

namespace muster {

struct Group {
    Comm comm;  // rank 0 is the local aggregator
    NodeShare share;
    Status failure;  // why some group cannot share memory; the same on all ranks
    Machine machine;
    int per_node{0};  // local aggregators

    bool leads() const { return comm.rank == 0; }
    bool alone() const { return comm.size == 1; }
};

}  // namespace muster
