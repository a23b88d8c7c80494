#include "mpi/agree.hpp"

#include <gtest/gtest.h>

namespace muster {
namespace {

Comm world() { return Comm::of(MPI_COMM_WORLD); }

TEST(Agree, is_ok_when_all_are) { EXPECT_TRUE(agree(world(), {}).ok()); }

TEST(Agree, gives_all_the_error_of_the_one_that_has_one) {
    auto const comm = world();
    for (int origin = 0; origin < comm.size; ++origin) {
        auto const mine = comm.rank == origin ? Status{Code::no_space, "the disk is full", 28} : Status{};
        auto const verdict = agree(comm, mine);
        EXPECT_EQ(verdict.text(), "no_space: rank " + std::to_string(origin) + ": the disk is full");
        EXPECT_EQ(verdict.system_error(), 28);
    }
}

TEST(Agree, gives_all_the_error_of_the_lowest_rank) {
    auto const comm = world();
    for (int lowest = 0; lowest < comm.size; ++lowest) {
        auto const fails = comm.rank >= lowest;
        auto const mine = fails ? Status{Code::io, "mine is " + std::to_string(comm.rank)} : Status{};
        auto const origin = std::to_string(lowest);
        EXPECT_EQ(agree(comm, mine).text(), "io: rank " + origin + ": mine is " + origin);
    }
}

TEST(Agree, carries_messages_of_any_length) {
    auto const comm = world();
    for (std::size_t const length : {0u, 1u, 100'000u}) {
        auto const mine = comm.rank == comm.size - 1 ? Status{Code::internal, std::string(length, 'x')} : Status{};
        auto const prefix = "rank " + std::to_string(comm.size - 1) + ": ";
        EXPECT_EQ(agree(comm, mine).message(), prefix + std::string(length, 'x'));
    }
}

TEST(Agree, on_many_verdicts_in_a_row_does_not_mix_them_up) {
    auto const comm = world();
    for (int i = 0; i < 30; ++i) {
        auto const origin = i % (comm.size + 1);  // one more: nobody fails
        auto const mine = comm.rank == origin ? Status{Code::io, std::to_string(i)} : Status{};
        auto const verdict = agree(comm, mine);
        EXPECT_EQ(verdict.ok(), origin == comm.size);
        auto const wanted = "rank " + std::to_string(origin) + ": " + std::to_string(i);
        EXPECT_EQ(verdict.message(), verdict.ok() ? "" : wanted);
    }
}

TEST(ShareFailure, tells_the_error_of_the_origin) {
    auto const comm = world();
    auto const last = comm.size - 1;
    auto const mine = comm.rank == last ? Status{Code::exists, "there already", 17} : Status{};
    auto const verdict = share_failure(comm, mine, last);
    EXPECT_EQ(verdict.text(), "exists: rank " + std::to_string(last) + ": there already");
    EXPECT_EQ(verdict.system_error(), 17);
}

}  // namespace
}  // namespace muster
