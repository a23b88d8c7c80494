// Point-to-point messages of any size. The one place where sizes become MPI counts.
#pragma once

#include <cstddef>
#include <span>

#include "mpi/comm.hpp"

namespace muster {

enum class Send { plain, synchronous };  // synchronous: completes only once the receiver has begun to receive

MPI_Request start_send(Comm const& comm, std::span<std::byte const> bytes, Rank to, int tag, Send mode);
MPI_Request start_receive(Comm const& comm, std::span<std::byte> bytes, Rank from, int tag);

}  // namespace muster
