// Files in C: one thin wrapper per function of muster::File.
#include <memory>

#include "c/handles.hpp"

using namespace muster;

namespace {

bool known(int mode) { return mode >= MUSTER_READ && mode <= MUSTER_EXCLUSIVE; }

// Collective. A rank with a wrong argument takes part with the empty path, which no file has.
Status open_file(MPI_Comm comm, char const* path, int mode, MPI_Info info, muster_file** file) {
    if (comm == MPI_COMM_NULL) return invalid_argument("the communicator is MPI_COMM_NULL");
    std::unique_ptr<muster_file> handle{new (std::nothrow) muster_file};
    auto const valid = handle != nullptr && path != nullptr && file != nullptr && known(mode);
    auto opened = File::open(comm, valid ? path : "", static_cast<Mode>(mode), {}, info);
    if (!opened) return opened.status();
    if (!valid) return invalid_argument("a file needs a path, a mode and a place for its handle");
    handle->hints = opened->effective_hints();
    handle->file = std::move(*opened);
    *file = handle.release();
    return {};
}

Status close_file(muster_file*& file) {
    if (file == nullptr) return invalid_argument("the handle is NULL");
    auto const status = file->file->close();
    if (!file->file->is_open()) delete std::exchange(file, nullptr);
    return status;
}

}  // namespace

muster_error muster_open(MPI_Comm comm, char const* path, int mode, MPI_Info info, muster_file** file) {
    if (file != nullptr) *file = nullptr;
    return guarded([&] { return open_file(comm, path, mode, info, file); });
}

muster_error muster_close(muster_file** file) { return guarded(file, close_file); }

muster_error muster_set_view(muster_file* file, int64_t displacement, MPI_Datatype etype, MPI_Datatype filetype) {
    return guarded(file, [&](muster_file& own) { return own.file->set_view(displacement, etype, filetype); });
}

muster_error muster_write_all(muster_file* file, void const* buffer, int64_t count, MPI_Datatype type, int64_t* bytes) {
    return guarded(file, [&](muster_file& own) { return deliver(own.file->write_all(buffer, count, type), bytes); });
}

muster_error muster_read_all(muster_file* file, void* buffer, int64_t count, MPI_Datatype type, int64_t* bytes) {
    return guarded(file, [&](muster_file& own) { return deliver(own.file->read_all(buffer, count, type), bytes); });
}

muster_error muster_write_at_all(muster_file* file, int64_t offset, void const* buffer, int64_t count,
                                 MPI_Datatype type, int64_t* bytes) {
    return guarded(
        file, [&](muster_file& own) { return deliver(own.file->write_at_all(offset, buffer, count, type), bytes); });
}

muster_error muster_read_at_all(muster_file* file, int64_t offset, void* buffer, int64_t count, MPI_Datatype type,
                                int64_t* bytes) {
    return guarded(
        file, [&](muster_file& own) { return deliver(own.file->read_at_all(offset, buffer, count, type), bytes); });
}

muster_error muster_position(muster_file const* file, int64_t* position) {
    return guarded(file, [&](muster_file const& own) { return deliver(own.file->position(), position); });
}

muster_error muster_seek(muster_file* file, int64_t position) {
    return guarded(file, [&](muster_file& own) {
        own.file->seek(position);
        return Status{};
    });
}

muster_error muster_write_extents(muster_file* file, muster_pieces const* pieces, int64_t* bytes) {
    return guarded(file, [&](muster_file& own) { return deliver(own.file->write_all(pieces_of(pieces)), bytes); });
}

muster_error muster_read_extents(muster_file* file, muster_pieces const* pieces, int64_t* bytes) {
    return guarded(file, [&](muster_file& own) { return deliver(own.file->read_all(pieces_of(pieces)), bytes); });
}

muster_error muster_write_subarray(muster_file* file, muster_subarray const* block, void const* buffer,
                                   int64_t* bytes) {
    return guarded(file,
                   [&](muster_file& own) { return deliver(own.file->write_all(block_of(block), buffer), bytes); });
}

muster_error muster_read_subarray(muster_file* file, muster_subarray const* block, void* buffer, int64_t* bytes) {
    return guarded(file, [&](muster_file& own) { return deliver(own.file->read_all(block_of(block), buffer), bytes); });
}

muster_error muster_size(muster_file* file, int64_t* size) {
    return guarded(file, [&](muster_file& own) { return deliver(own.file->size(), size); });
}

muster_error muster_resize(muster_file* file, int64_t size) {
    return guarded(file, [&](muster_file& own) { return own.file->resize(size); });
}

muster_error muster_reserve(muster_file* file, int64_t size) {
    return guarded(file, [&](muster_file& own) { return own.file->reserve(size); });
}

muster_error muster_sync(muster_file* file) {
    return guarded(file, [](muster_file& own) { return own.file->sync(); });
}
