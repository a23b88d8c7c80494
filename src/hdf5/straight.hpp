// Few pieces straight to or from the file, by the handle that HDF5 has open: nothing needs to be opened, no rank waits for another.
#pragma once

#include "access/access.hpp"
#include "plan/plan.hpp"

namespace muster::hdf5 {

// Local. Each piece of less than 2 GiB; bytes behind the end of the file read as 0.
Status move_straight(MPI_File file, Direction direction, Access const& access);

}  // namespace muster::hdf5
