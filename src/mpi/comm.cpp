#include "mpi/comm.hpp"

namespace muster {

Comm Comm::of(MPI_Comm handle) {
    Comm comm{handle, 0, 1};
    MPI_Comm_rank(handle, &comm.rank);
    MPI_Comm_size(handle, &comm.size);
    return comm;
}

void reduce_all(Comm const& comm, std::span<Size> values, MPI_Op op) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, op, comm.handle,
                   &request);
    wait(request);
}

void reduce_all(Comm const& comm, void* value, MPI_Datatype type, MPI_Op op) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, value, 1, type, op, comm.handle, &request);
    wait(request);
}

std::vector<Size> gather_all(Comm const& comm, Size value) {
    std::vector<Size> values(static_cast<std::size_t>(comm.size));
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallgather(&value, 1, MPI_INT64_T, values.data(), 1, MPI_INT64_T, comm.handle, &request);
    wait(request);
    return values;
}

void broadcast(Comm const& comm, std::span<std::byte> bytes, Rank root) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, root, comm.handle, &request);
    wait(request);
}

std::string broadcast(Comm const& comm, std::string text, Rank root) {
    auto size = static_cast<Size>(text.size());
    broadcast(comm, std::as_writable_bytes(std::span{&size, 1}), root);
    text.resize(static_cast<std::size_t>(size));
    broadcast(comm, std::as_writable_bytes(std::span{text.data(), text.size()}), root);
    return text;
}

void barrier(Comm const& comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(comm.handle, &request);
    wait(request);
}

std::string error_text(int code) {
    std::string words(MPI_MAX_ERROR_STRING, '\0');
    int length = 0;
    MPI_Error_string(code, words.data(), &length);
    words.resize(static_cast<std::size_t>(length));
    return words;
}

}  // namespace muster
