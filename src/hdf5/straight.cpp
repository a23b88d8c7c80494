#include "hdf5/straight.hpp"

#include <cstring>
#include <new>
#include <string>

#include "access/copy.hpp"
#include "mpi/comm.hpp"

namespace muster::hdf5 {

namespace {

Status outcome_of(int code, Direction direction) {
    if (code == MPI_SUCCESS) return {};
    return {Code::io, std::string{"cannot "} + name_of(direction) + " a piece of a dataset: " + error_text(code)};
}

Status move_piece(MPI_File file, Direction direction, Extent const& piece, std::byte* bytes) {
    MPI_Status status{};
    auto const count = static_cast<int>(piece.length);
    auto const move = direction == Direction::write
                          ? MPI_File_write_at(file, piece.offset, bytes, count, MPI_BYTE, &status)
                          : MPI_File_read_at(file, piece.offset, bytes, count, MPI_BYTE, &status);
    int moved = 0;
    if (move == MPI_SUCCESS) MPI_Get_count(&status, MPI_BYTE, &moved);
    if (move == MPI_SUCCESS && direction == Direction::read) {
        std::memset(bytes + moved, 0, static_cast<std::size_t>(count - moved));
    } else if (move == MPI_SUCCESS && moved < count) {
        return {Code::io, "a piece of a dataset was not written to its end"};
    }
    return outcome_of(move, direction);
}

// Memory is one piece.
Status move_pieces(MPI_File file, Direction direction, Stream const& places, std::byte* bytes) {
    Status status;
    places.for_each([&](Offset offset, Size length) {
        if (status.ok()) status = move_piece(file, direction, {offset, length}, bytes);
        bytes += length;
    });
    return status;
}

}  // namespace

Status move_straight(MPI_File file, Direction direction, Access const& access) try {
    auto const place = Cursor{access.memory.shape, access.memory.begin}.take(access.size());
    if (place.length == access.size()) return move_pieces(file, direction, access.file, access.base + place.offset);
    std::vector<std::byte> staged(static_cast<std::size_t>(access.size()));
    if (direction == Direction::write) gather(access.memory, access.base, staged.data());
    auto status = move_pieces(file, direction, access.file, staged.data());
    if (direction == Direction::read && status.ok()) scatter(staged.data(), access.memory, access.base);
    return status;
} catch (std::bad_alloc const&) {
    return {Code::out_of_memory, "no memory for a piece of a dataset"};
}

}  // namespace muster::hdf5
