#include "preload/shared_pointer.hpp"

#include "mpi/wait.hpp"
#include "preload/native.hpp"

namespace muster::preload {

namespace {

// Bytes of the ranks before this one, and of all.
struct Sums {
    Size before{0};
    Size all{0};
};

// Collective. Nobody gets it before all have come.
Sums add_up(Comm const& comm, Size bytes) {
    Sums sums{0, bytes};
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iexscan(&bytes, &sums.before, 1, MPI_INT64_T, MPI_SUM, comm.handle, &request);
    reduce_all(comm, std::span{&sums.all, 1}, MPI_SUM);
    wait(request);
    if (comm.rank == 0) sums.before = 0;  // where MPI leaves it undefined
    return sums;
}

// Collective. The first rank asks the MPI when all have come: what a rank did before with the pointer on its own counts.
// Negative: the MPI does not tell.
Offset shared_position(OpenFile& file) {
    if (!file.all_native_see()) return file.shared_position;
    MPI_Offset position = 0;
    auto error = MPI_SUCCESS;
    if (file.comm.comm.rank == 0) error = call_native(&Calls::get_position_shared, file.handle, &position);
    Offset bytes = error == MPI_SUCCESS ? position * file.view.etype_size : -1;
    broadcast(file.comm.comm, std::as_writable_bytes(std::span{&bytes, 1}), 0);
    return bytes;
}

}  // namespace

std::optional<Turn> take_turn(OpenFile& file, Size bytes) {
    auto const sums = add_up(file.comm.comm, bytes);
    auto const begin = shared_position(file);
    if (begin < 0) return std::nullopt;
    return Turn{begin + sums.before, begin + sums.all};
}

int move_shared(OpenFile& file, Offset position) {
    if (file.all_native_see()) {
        return call_native(&Calls::seek_shared, file.handle, MPI_Offset{position / file.view.etype_size}, MPI_SEEK_SET);
    }
    file.shared_position = position;
    return MPI_SUCCESS;
}

}  // namespace muster::preload
