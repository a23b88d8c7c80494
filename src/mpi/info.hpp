// What an MPI_Info says.
#pragma once

#include <mpi.h>

#include <vector>

#include "muster/export.h"
#include "muster/hints.hpp"

namespace muster {

// Local. All its keys with their values; nothing of MPI_INFO_NULL.
MUSTER_API std::vector<HintPair> pairs_of(MPI_Info info);

}  // namespace muster
