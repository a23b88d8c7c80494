// Runs the back ends against each other.
#pragma once

#include "lines.hpp"

namespace muster::bench {

// Collective. True when all that was asked for was done and verified.
bool run_contest(Comm const& comm, Job const& job);

}  // namespace muster::bench
