// What is learnt once per communicator and kept with it: our own duplicate, and who shares a node.
#pragma once

#include <memory>

#include "machine/machine.hpp"
#include "mpi/comm.hpp"

namespace muster {

struct Context {
    Comm comm;  // a duplicate: our messages never meet the user's
    Machine machine;
};

// Collective. The communicator's context, made at the first call and kept as its attribute.
std::shared_ptr<Context> context_of(MPI_Comm comm);

}  // namespace muster
