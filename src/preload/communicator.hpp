// The communicator of an open file: a duplicate of the program's, which may be freed as soon as the file is open.
#pragma once

#include <optional>

#include "engine/context.hpp"

namespace muster::preload {

struct FileComm {
    Comm comm;
    bool shared{false};  // with other files, of the same processes: none of them is used while another is
};

// Local. The duplicate for these processes, if there is one: then all of them have it, because they open and close files
// together, and one thread of each at a time. MPI_COMM_NULL: none.
MPI_Comm find_duplicate(MPI_Comm comm);
// Local. Whether it stays until the end, so that files may learn later what their ranks have in common.
bool has_lasting_duplicate(MPI_Comm comm);
// Collective. How the processes of a duplicate vote: on the board of their node, once that is worth making one.
std::optional<Quorum> quorum_of_duplicate(MPI_Comm own);
// Collective. `share`: the same for all ranks; takes the duplicate that is there.
FileComm duplicate(MPI_Comm comm, bool share);
// Collective.
void release(FileComm& comm);

}  // namespace muster::preload
