// Which ranks share a node.
#pragma once

#include "machine/machine.hpp"
#include "mpi/comm.hpp"

namespace muster {

// Collective. As MPI's shared-memory split says.
Machine discover_nodes(Comm const& comm);

// Collective. The same with every NUMA domain as a node of its own: where each rank runs now.
Machine discover_numa_domains(Comm const& comm, Machine const& nodes);

// Nodes split by the NUMA domain of each rank.
Machine split_nodes(Machine const& nodes, std::vector<Size> const& domains);

// Local. The NUMA domain on which this process runs; 0 where the system does not tell.
int numa_domain();

}  // namespace muster
