// Which ranks share a node.
#pragma once

#include "machine/machine.hpp"
#include "mpi/comm.hpp"

namespace muster {

// Collective. As MPI's shared-memory split says.
Machine discover_nodes(Comm const& comm);

}  // namespace muster
