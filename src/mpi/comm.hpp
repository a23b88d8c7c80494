// A communicator with its rank and size at hand, and collectives that give up the core while they wait.
#pragma once

#include <mpi.h>

#include <span>
#include <string>
#include <vector>

#include "mpi/wait.hpp"
#include "muster/export.h"
#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster {

// Does not own the communicator: whoever duplicated it frees it, collectively.
struct Comm {
    MPI_Comm handle{MPI_COMM_NULL};
    Rank rank{0};
    int size{1};

    MUSTER_API static Comm of(MPI_Comm handle);
};

// Collective. Element-wise over all ranks, in place.
MUSTER_API void reduce_all(Comm const& comm, std::span<Size> values, MPI_Op op);
// Collective. Any trivially copyable value, combined by an MPI operation on its bytes.
void reduce_all(Comm const& comm, void* value, MPI_Datatype type, MPI_Op op);
// Collective. One value of each rank, in rank order, for everyone.
std::vector<Size> gather_all(Comm const& comm, Size value);
// Collective. The root's text, for everyone.
std::string broadcast(Comm const& comm, std::string text, Rank root);
// Collective. The root's bytes, for everyone; all know the size.
void broadcast(Comm const& comm, std::span<std::byte> bytes, Rank root);
// Collective.
void barrier(Comm const& comm);

// What the MPI says of an error of its own.
MUSTER_API std::string error_text(int code);

}  // namespace muster
