// A report with all ranks in it.
#pragma once

#include "mpi/comm.hpp"
#include "muster/report.hpp"

namespace muster {

// Collective.
Report gather_report(Comm const& comm, Report report);

}  // namespace muster
