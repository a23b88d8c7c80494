#include "mpi/message.hpp"

#include <limits>

namespace muster {

namespace {

constexpr Size largest_count = std::numeric_limits<int>::max();
constexpr Size chunk = Size{1} << 30;

// Bytes as an MPI count and type: MPI_BYTE, or for what an int cannot count a type of chunks and a remainder.
class Counted {
public:
    explicit Counted(Size size) : count_{static_cast<int>(size)} {
        if (size <= largest_count) return;
        count_ = 1;
        make_large(size);
    }
    ~Counted() {
        if (type_ != MPI_BYTE) MPI_Type_free(&type_);
    }
    Counted(Counted const&) = delete;
    Counted& operator=(Counted const&) = delete;
    int count() const { return count_; }
    MPI_Datatype type() const { return type_; }

private:
    void make_large(Size size) {
        MPI_Datatype chunks = MPI_DATATYPE_NULL;
        MPI_Type_vector(static_cast<int>(size / chunk), static_cast<int>(chunk), static_cast<int>(chunk), MPI_BYTE,
                        &chunks);
        int const lengths[2] = {1, static_cast<int>(size % chunk)};
        MPI_Aint const places[2] = {0, static_cast<MPI_Aint>(size - size % chunk)};
        MPI_Datatype const types[2] = {chunks, MPI_BYTE};
        MPI_Type_create_struct(2, lengths, places, types, &type_);
        MPI_Type_commit(&type_);
        MPI_Type_free(&chunks);
    }

    int count_;
    MPI_Datatype type_{MPI_BYTE};
};

}  // namespace

MPI_Request start_send(Comm const& comm, std::span<std::byte const> bytes, Rank to, int tag, Send mode) {
    MPI_Request request = MPI_REQUEST_NULL;
    Counted const counted{static_cast<Size>(bytes.size())};
    auto const start = mode == Send::synchronous ? MPI_Issend : MPI_Isend;
    start(bytes.data(), counted.count(), counted.type(), to, tag, comm.handle, &request);
    return request;
}

MPI_Request start_receive(Comm const& comm, std::span<std::byte> bytes, Rank from, int tag) {
    MPI_Request request = MPI_REQUEST_NULL;
    Counted const counted{static_cast<Size>(bytes.size())};
    MPI_Irecv(bytes.data(), counted.count(), counted.type(), from, tag, comm.handle, &request);
    return request;
}

}  // namespace muster
