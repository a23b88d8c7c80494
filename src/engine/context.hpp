// What is learnt once per communicator and kept with it: our own duplicate, who shares a node, and what they share.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "discovery/network.hpp"
#include "engine/group.hpp"
#include "engine/node_share.hpp"
#include "engine/quorum.hpp"
#include "machine/machine.hpp"
#include "mpi/comm.hpp"

namespace muster {

// A machine before and after its network was looked for.
struct Networked {
    Machine plain;
    int seconds;
    NetworkedMachine found;
};

// One of several nodes: its ranks, what they share, and those who speak for a node each.
struct Neighbourhood {
    std::vector<int> node_of;
    Comm node{};
    Comm leaders{};  // the first rank of each node; only they have the handle
    NodeShare share{};
    bool shares{false};  // the same on all ranks: every node's ranks have memory in common
};

struct Context {
    Comm comm;  // a duplicate: our messages never meet the user's
    Machine machine;
    std::optional<NodeShare> share;              // when all are on one node and shared memory is to be had
    std::vector<Networked> networks;             // of machines that were asked for so far
    std::vector<std::unique_ptr<Group>> groups;  // that were asked for so far
    std::vector<std::unique_ptr<Neighbourhood>>
        neighbourhoods;  // the same; that of `machine` comes first, if it has several nodes

    int neighbours() const;  // ranks on this rank's node, as MPI found it
};

// Collective. This rank's group when each node of the machine has so many local aggregators; null, on all ranks, where a group
// cannot share memory. Made once and kept.
Group* group_of(Context& context, Machine const& machine, int per_node);

// Collective where ranks are on nodes that were not asked for before. How they come to a verdict there.
Quorum quorum_on(Context& context, Machine const& machine);

// Collective. The machine with its network, looked for once and kept.
NetworkedMachine const& networked(Context& context, Machine const& plain, int seconds);

// Collective where there is no context yet. How the ranks of the communicator come to a verdict.
MUSTER_API Quorum quorum_of(MPI_Comm comm);
// Local. The same, where something has been learnt about the communicator before.
std::optional<Quorum> known_quorum_of(MPI_Comm comm);

// Collective. The communicator's context, made at the first call and kept as its attribute.
std::shared_ptr<Context> context_of(MPI_Comm comm);

}  // namespace muster
