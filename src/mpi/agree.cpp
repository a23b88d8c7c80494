#include "mpi/agree.hpp"

#include <array>

namespace muster {

Status agree(Comm const& comm, Status const& mine) {
    Size lowest = mine.ok() ? comm.size : comm.rank;
    reduce_all(comm, std::span{&lowest, 1}, MPI_MIN);
    if (lowest == comm.size) return {};
    return share_failure(comm, mine, static_cast<Rank>(lowest));
}

Status share_failure(Comm const& comm, Status const& mine, Rank origin) {
    std::array<Size, 2> codes{static_cast<Size>(mine.code()), mine.system_error()};
    broadcast(comm, std::as_writable_bytes(std::span{codes}), origin);
    auto const message = broadcast(comm, mine.message(), origin);
    return {static_cast<Code>(codes[0]), "rank " + std::to_string(origin) + ": " + message, static_cast<int>(codes[1])};
}

}  // namespace muster
