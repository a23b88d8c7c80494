// The network between the nodes, and what else is told about the machine.
#pragma once

#include <string>

#include "machine/machine.hpp"
#include "mpi/comm.hpp"

namespace muster {

// Collective. The machine with the network that SLURM's topology.conf describes, where rank 0 finds one that knows all
// hosts; else as it was, which is a flat network.
Machine discover_network(Comm const& comm, Machine machine);

// Collective. The machine as a hint describes it: text as in Machine::text, or "@" and a file with such text or of SLURM's
// topology.conf, which rank 0 reads. The same on all ranks.
Result<Machine> described_machine(Comm const& comm, Machine machine, std::string const& hint);

}  // namespace muster
