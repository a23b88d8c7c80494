#include "preload/trial.hpp"

#include <gtest/gtest.h>

namespace muster::preload {
namespace {

Summary of(Size bytes) {
    Summary summary;
    summary.largest = bytes;
    return summary;
}

// Lets Muster and the MPI take so long; how many of the next calls go to the MPI.
int tried(Trial& trial, double own, double native) {
    for (int i = 0; i < 3; ++i) {
        EXPECT_FALSE(trial.to_mpi());
        trial.took(of(100), own);
    }
    EXPECT_TRUE(trial.to_mpi());
    EXPECT_FALSE(trial.mpi_took(native));
    EXPECT_TRUE(trial.to_mpi());
    EXPECT_TRUE(trial.mpi_took(native));
    trial.decide(trial.own_seconds(), trial.mpi_seconds());
    int straight = 0;
    while (trial.to_mpi()) ++straight;
    return straight;
}

TEST(Trial, leaves_calls_to_the_mpi_when_that_is_faster) {
    Trial trial;
    EXPECT_EQ(tried(trial, 2, 1), 64);
}

TEST(Trial, stays_with_muster_when_that_is_faster) {
    Trial trial;
    EXPECT_EQ(tried(trial, 1, 2), 0);
    trial.took(of(100), 5);
    EXPECT_FALSE(trial.to_mpi());
}

TEST(Trial, looks_again_now_and_then_and_less_often_each_time) {
    Trial trial;
    EXPECT_EQ(tried(trial, 2, 1), 64);
    trial.took(of(101), 2);
    int straight = 0;
    while (trial.to_mpi()) ++straight;
    EXPECT_EQ(straight, 128);
}

TEST(Trial, begins_anew_when_accesses_get_larger) {
    Trial trial;
    EXPECT_EQ(tried(trial, 2, 1), 64);
    trial.took(of(5000), 2);
    EXPECT_FALSE(trial.to_mpi());
    trial.took(of(5000), 2);
    EXPECT_FALSE(trial.to_mpi());
    trial.took(of(5000), 2);
    EXPECT_TRUE(trial.to_mpi());
}

TEST(Trial, does_not_try_large_accesses) {
    Trial trial;
    for (int i = 0; i < 10; ++i) {
        EXPECT_FALSE(trial.to_mpi());
        trial.took(of(1 << 20), 1);
    }
}

}  // namespace
}  // namespace muster::preload
