// What is learnt once per communicator and kept with it: our own duplicate, who shares a node, and what they share.
#pragma once

#include <memory>
#include <optional>

#include "engine/node_share.hpp"
#include "machine/machine.hpp"
#include "mpi/comm.hpp"

namespace muster {

struct Context {
    Comm comm;  // a duplicate: our messages never meet the user's
    Machine machine;
    std::optional<NodeShare> share;  // when all are on one node and shared memory is to be had
};

// Collective. The communicator's context, made at the first call and kept as its attribute.
std::shared_ptr<Context> context_of(MPI_Comm comm);

}  // namespace muster
