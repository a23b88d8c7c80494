// The network between the nodes, and what else is told about the machine.
#pragma once

#include <string>

#include "machine/machine.hpp"
#include "mpi/comm.hpp"

namespace muster {

// A machine, and who told of its network; empty where nobody did, which is a flat network.
struct NetworkedMachine {
    Machine machine;
    std::string origin;
};

// Collective. The machine with the network that rank 0 finds, where it knows all hosts: by walking an InfiniBand network, for
// at most so many seconds, else in SLURM's topology.conf.
NetworkedMachine discover_network(Comm const& comm, Machine machine, int seconds);

// Collective. The machine as a hint describes it: see read_description; rank 0 reads files. The same on all ranks. The origin is
// empty where the hint says nothing about the network.
Result<NetworkedMachine> described_machine(Comm const& comm, Machine machine, std::string const& hint);

}  // namespace muster
