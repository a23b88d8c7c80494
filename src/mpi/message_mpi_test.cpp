#include "mpi/message.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <vector>

namespace muster {
namespace {

constexpr int tag = 5;

Comm world() { return Comm::of(MPI_COMM_WORLD); }

std::byte at(std::size_t place, int sender) {
    return static_cast<std::byte>((place * 7 + place / 251 + static_cast<std::size_t>(sender)) % 256);
}

// Collective. Everybody sends so many bytes to the next rank, and gets as many from the one before.
void expect_round(std::size_t size, Send mode) {
    auto const comm = world();
    auto const next = (comm.rank + 1) % comm.size;
    auto const before = (comm.rank + comm.size - 1) % comm.size;
    std::vector<std::byte> out(size), in(size + 1, std::byte{0xee});
    for (std::size_t i = 0; i < size; ++i) out[i] = at(i, comm.rank);
    MPI_Request requests[2] = {start_receive(comm, std::span{in}.first(size), before, tag),
                               start_send(comm, out, next, tag, mode)};
    wait_all(requests);
    bool same = in.back() == std::byte{0xee};
    for (std::size_t i = 0; i < size; ++i) same = same && in[i] == at(i, before);
    EXPECT_TRUE(same) << size << " bytes";
}

TEST(Messages, of_any_size_arrive_whole) {
    for (std::size_t const size : {0u, 1u, 1000u, 70'000u, 1'000'003u}) {
        expect_round(size, Send::plain);
        expect_round(size, Send::synchronous);
    }
}

TEST(Messages, that_are_synchronous_end_only_when_they_are_received) {
    auto const comm = world();
    if (comm.size == 1) GTEST_SKIP() << "needs two ranks";
    std::byte out{1}, in{0};
    MPI_Request request = MPI_REQUEST_NULL;
    int done = 0;
    if (comm.rank == 0) {
        request = start_send(comm, {&out, 1}, 1, tag, Send::synchronous);
        for (int i = 0; i < 100; ++i) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        EXPECT_EQ(done, 0);
    }
    barrier(comm);
    if (comm.rank == 1) request = start_receive(comm, {&in, 1}, 0, tag);
    wait(request);
    EXPECT_EQ(in, comm.rank == 1 ? std::byte{1} : std::byte{0});
}

// Address space without memory behind it until it is written to; zeros, of which one page is shared by all that is read.
class VastZeros {
public:
    explicit VastZeros(std::size_t size) : size_{size} {
        data_ = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    ~VastZeros() { ::munmap(data_, size_); }
    VastZeros(VastZeros const&) = delete;
    VastZeros& operator=(VastZeros const&) = delete;
    bool ok() const { return data_ != MAP_FAILED; }
    std::span<std::byte> bytes() const { return {static_cast<std::byte*>(data_), size_}; }

private:
    std::size_t size_;
    void* data_;
};

// More bytes than an int counts, sent into nowhere: to MPI_PROC_NULL, so that only counts and types are put to the test.
TEST(Messages, of_more_bytes_than_an_int_counts_are_described_without_loss) {
    auto const comm = world();
    VastZeros const vast{(std::size_t{5} << 30) + 7};
    if (!vast.ok()) GTEST_SKIP() << "no address space";
    MPI_Request requests[2] = {start_send(comm, vast.bytes(), MPI_PROC_NULL, tag, Send::plain),
                               start_receive(comm, vast.bytes(), MPI_PROC_NULL, tag)};
    wait_all(requests);
    EXPECT_EQ(requests[0], MPI_REQUEST_NULL);
    EXPECT_EQ(requests[1], MPI_REQUEST_NULL);
}

}  // namespace
}  // namespace muster
