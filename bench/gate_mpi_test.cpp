#include "gate.hpp"

#include <gtest/gtest.h>

#include "mpi/agree.hpp"

namespace muster::bench {
namespace {

Status failure() { return {Code::io, "the disk is full"}; }

TEST(Measure, gives_all_ranks_the_verdict_of_a_failure_on_all) {
    auto const comm = Comm::of(MPI_COMM_WORLD);
    Gate gate{comm};
    auto gave_up = false;
    gate.give_up = [&](Status const&) { gave_up = true; };
    EXPECT_EQ(measure(gate, comm, failure).status.code(), Code::io);
    EXPECT_TRUE(measure(gate, comm, [] { return Status{}; }).status.ok());
    EXPECT_FALSE(gave_up);
    gate.close();
}

// Here whoever gives up lets the others go; a benchmark ends them.
TEST(Measure, gives_up_when_a_rank_fails_for_which_the_others_wait) {
    auto const comm = Comm::of(MPI_COMM_WORLD);
    if (comm.size == 1) GTEST_SKIP() << "on several ranks only";
    Gate gate{comm};
    std::string said;
    gate.give_up = [&](Status const& status) {
        said = status.message();
        for (Rank rank = 1; rank < comm.size; ++rank) MPI_Send(nullptr, 0, MPI_BYTE, rank, 0, comm.handle);
    };
    auto const before = now();
    auto const measured = measure(gate, comm, [&] {
        if (comm.rank == 0) return failure();
        MPI_Recv(nullptr, 0, MPI_BYTE, 0, 0, comm.handle, MPI_STATUS_IGNORE);
        return Status{};
    });
    EXPECT_EQ(measured.status.code(), Code::io);
    EXPECT_EQ(said, comm.rank == 0 ? "the disk is full" : "");
    EXPECT_LT(now() - before, Gate::patience + 30);
    gate.close();
}

}  // namespace
}  // namespace muster::bench
