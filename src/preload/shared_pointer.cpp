#include "preload/shared_pointer.hpp"

#include <array>

#include "mpi/agree.hpp"
#include "mpi/wait.hpp"
#include "preload/counter.hpp"
#include "preload/native.hpp"

namespace muster::preload {

namespace {

// Bytes of the ranks before this one, and of all.
struct Sums {
    Size before{0};
    Size all{0};
    bool moved{false};  // by some rank alone
};

// Collective. Nobody gets it before all have come.
Sums add_up(OpenFile const& file, Size bytes) {
    auto const& comm = file.comm.comm;
    Size before = 0;
    std::array<Size, 2> all{bytes, file.shared.moved ? 1 : 0};
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iexscan(&bytes, &before, 1, MPI_INT64_T, MPI_SUM, comm.handle, &request);
    reduce_all(comm, all, MPI_SUM);
    wait(request);
    return {comm.rank == 0 ? 0 : before, all[0], all[1] != 0};  // MPI leaves the first rank's undefined
}

std::string counter_of(OpenFile const& file) {
    auto const slash = file.path.rfind('/');
    auto const place = file.one_memory ? std::string{memory_directory} + '/'
                                       : file.path.substr(0, slash == std::string::npos ? 0 : slash + 1);
    return place + ".muster-pointer-" + std::to_string(file.identity) + '-' + std::to_string(file.shared.epoch);
}

// A new counter, for which the position is the beginning.
void begin_epoch(OpenFile& file, Offset position) {
    file.shared.position = position;
    file.shared.moved = false;
    ++file.shared.epoch;
}

// Collective, when all have come.
Status learn_position(OpenFile& file) {
    auto const first = file.comm.comm.rank == 0;
    auto const read = first ? shared_position_alone(file) : Result<Offset>{0};
    if (auto status = agree(file.comm.comm, read.status()); !status.ok()) return status;
    if (first) remove_counter(counter_of(file));
    auto position = *read;
    broadcast(file.comm.comm, std::as_writable_bytes(std::span{&position, 1}), 0);
    begin_epoch(file, position);
    return {};
}

// Collective. The first rank asks the MPI when all have come: what a rank did before with the pointer on its own counts.
// Negative: nobody can tell.
Offset shared_position(OpenFile& file, bool moved) {
    if (!file.all_native_see()) return !moved || learn_position(file).ok() ? file.shared.position : -1;
    MPI_Offset position = 0;
    auto error = MPI_SUCCESS;
    if (file.comm.comm.rank == 0) error = call_native(&Calls::get_position_shared, file.handle, &position);
    Offset bytes = error == MPI_SUCCESS ? position * file.view.etype_size : -1;
    broadcast(file.comm.comm, std::as_writable_bytes(std::span{&bytes, 1}), 0);
    return bytes;
}

}  // namespace

std::optional<Turn> take_turn(OpenFile& file, Size bytes) {
    auto const sums = add_up(file, bytes);
    auto const begin = shared_position(file, sums.moved);
    if (begin < 0) return std::nullopt;
    return Turn{begin + sums.before, begin + sums.all};
}

int move_shared(OpenFile& file, Offset position) {
    if (file.all_native_see()) {
        return call_native(&Calls::seek_shared, file.handle, MPI_Offset{position / file.view.etype_size}, MPI_SEEK_SET);
    }
    begin_epoch(file, position);
    return MPI_SUCCESS;
}

Result<Offset> move_shared_alone(OpenFile& file, Size bytes) {
    file.shared.moved = true;
    return count_on(counter_of(file), file.shared.position, bytes);
}

Result<Offset> shared_position_alone(OpenFile& file) { return read_counter(counter_of(file), file.shared.position); }

Status settle_shared(OpenFile& file) {
    Size moved = file.shared.moved ? 1 : 0;
    find_largest(file, std::span{&moved, 1});
    return moved != 0 ? learn_position(file) : Status{};
}

void reset_shared(OpenFile& file, bool moved) {
    if (moved && file.comm.comm.rank == 0) remove_counter(counter_of(file));
    begin_epoch(file, 0);
}

}  // namespace muster::preload
