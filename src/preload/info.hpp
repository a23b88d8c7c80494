// Hints between MPI_Info and the program.
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi/info.hpp"
#include "muster/hints.hpp"
#include "plan/plan.hpp"

namespace muster::preload {

// Later ones count. Whether something is different now.
bool merge(std::vector<HintPair>& pairs, std::vector<HintPair> const& later);
// Without those of ours that make no sense: MPI says that wrong hints are ignored.
std::vector<HintPair> sensible(std::vector<HintPair> const& pairs);
// The hints in force for these pairs, by name, as far as one rank can tell.
std::vector<HintPair> in_force(std::vector<HintPair> const& pairs);
// Whether the file is left to the MPI: muster_enable, which is for this library alone, says so, or the environment is wrong,
// with which Muster could not open it later.
bool switched_off(std::vector<HintPair> const& pairs);
// Whether it has Muster do all that it can do; also by the environment.
bool switched_always(std::vector<HintPair> const& pairs);
// Local. Whether the user has decided if these calls are to be collective.
bool is_decided(std::vector<HintPair> const& pairs, Direction direction);
void add_missing(MPI_Info info, std::vector<HintPair> const& pairs);

}  // namespace muster::preload
