// One verdict for all ranks.
#pragma once

#include "mpi/comm.hpp"

namespace muster {

// Collective. Ok when all ranks are ok; else the error of the lowest rank that has one, with its rank in the message, on
// every rank. Costs one small reduction when all is well.
MUSTER_API Status agree(Comm const& comm, Status const& mine);

// Collective, only after a reduction has told everybody that `origin` is the lowest rank with an error: its error for all.
Status share_failure(Comm const& comm, Status const& mine, Rank origin);

}  // namespace muster
