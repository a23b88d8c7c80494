// Hints between MPI_Info and the program.
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi/info.hpp"
#include "muster/hints.hpp"

namespace muster::preload {

// Later ones count. Whether something is different now.
bool merge(std::vector<HintPair>& pairs, std::vector<HintPair> const& later);
// Without those of ours that make no sense: MPI says that wrong hints are ignored.
std::vector<HintPair> sensible(std::vector<HintPair> const& pairs);
// The hints in force for these pairs, by name, as far as one rank can tell.
std::vector<HintPair> in_force(std::vector<HintPair> const& pairs);
// Whether muster_enable, which is for this library alone, leaves the file to the MPI.
bool switched_off(std::vector<HintPair> const& pairs);
void add_missing(MPI_Info info, std::vector<HintPair> const& pairs);

}  // namespace muster::preload
