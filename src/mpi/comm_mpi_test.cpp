#include "mpi/comm.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace muster {
namespace {

Comm world() { return Comm::of(MPI_COMM_WORLD); }

TEST(Comm, knows_its_rank_and_size) {
    int rank = -1, size = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    EXPECT_EQ(world().rank, rank);
    EXPECT_EQ(world().size, size);
    EXPECT_EQ(Comm::of(MPI_COMM_SELF).size, 1);
}

TEST(ReduceAll, combines_element_by_element) {
    auto const comm = world();
    std::array<Size, 3> values{comm.rank, -comm.rank, Size{1} << 40};
    reduce_all(comm, std::span<Size>{values}, MPI_MAX);
    EXPECT_EQ(values, (std::array<Size, 3>{comm.size - 1, 0, Size{1} << 40}));
    std::array<Size, 1> sum{Size{1} << 33};
    reduce_all(comm, std::span<Size>{sum}, MPI_SUM);
    EXPECT_EQ(sum[0], comm.size * (Size{1} << 33));
    reduce_all(comm, std::span<Size>{}, MPI_SUM);
}

TEST(ReduceAll, keeps_the_extremes) {
    auto const comm = world();
    std::array<Size, 2> values{std::numeric_limits<Size>::min(), std::numeric_limits<Size>::max()};
    auto const before = values;
    reduce_all(comm, std::span<Size>{values}, MPI_MIN);
    EXPECT_EQ(values, before);
}

TEST(ReduceAll, takes_a_value_of_any_type) {
    auto const comm = world();
    struct Pair {
        double value;
        int rank;
    } pair{comm.rank == comm.size / 2 ? 9.5 : 1.0, comm.rank};
    reduce_all(comm, &pair, MPI_DOUBLE_INT, MPI_MAXLOC);
    EXPECT_EQ(pair.value, 9.5);
    EXPECT_EQ(pair.rank, comm.size / 2);
}

TEST(GatherAll, is_in_rank_order) {
    auto const comm = world();
    auto const all = gather_all(comm, Size{10} * comm.rank);
    ASSERT_EQ(all.size(), static_cast<std::size_t>(comm.size));
    for (int i = 0; i < comm.size; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)], 10 * i);
}

TEST(Broadcast, of_text_gives_everyone_the_roots) {
    auto const comm = world();
    for (int root = 0; root < comm.size; ++root) {
        for (std::size_t const length : {0u, 1u, 70'000u}) {
            std::string const own(comm.rank == root ? length : 5, comm.rank == root ? 'r' : 'o');
            EXPECT_EQ(broadcast(comm, own, root), std::string(length, 'r'));
        }
    }
}

TEST(Broadcast, of_bytes_gives_everyone_the_roots) {
    auto const comm = world();
    std::vector<int> values(1000, comm.rank);
    broadcast(comm, std::as_writable_bytes(std::span{values}), comm.size - 1);
    EXPECT_EQ(values, std::vector<int>(1000, comm.size - 1));
    broadcast(comm, std::span<std::byte>{}, 0);
}

TEST(Barrier, is_passed_only_when_all_have_come) {
    auto const comm = world();
    for (int late = 0; late < comm.size; ++late) {
        // Who is late says so first; who is through the barrier must have heard of it.
        MPI_Request request = MPI_REQUEST_NULL;
        int flag = 0;
        auto const hears = comm.rank == (late + 1) % comm.size && comm.size > 1;
        if (comm.rank == late && comm.size > 1) {
            int const came = 1;
            MPI_Send(&came, 1, MPI_INT, (late + 1) % comm.size, late, MPI_COMM_WORLD);
        }
        barrier(comm);
        if (!hears) continue;
        MPI_Irecv(&flag, 1, MPI_INT, late, late, MPI_COMM_WORLD, &request);
        wait(request);
        EXPECT_EQ(flag, 1);
    }
}

}  // namespace
}  // namespace muster
