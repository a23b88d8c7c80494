// The communicator of an open file: a duplicate of the program's, which may be freed as soon as the file is open.
#pragma once

#include "mpi/comm.hpp"

namespace muster::preload {

struct FileComm {
    Comm comm;
    bool shared{false};  // with other files, of the same processes: none of them is used while another is
};

// Local. Whether there is a duplicate for these processes already.
bool has_duplicate(MPI_Comm comm);
// Collective. `share`: the same for all ranks; takes the duplicate that is there, where all have one.
FileComm duplicate(MPI_Comm comm, bool share, bool all_have_one);
// Collective.
void release(FileComm& comm);

}  // namespace muster::preload
