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
    for (int i = 0; i < 4; ++i) {
        EXPECT_FALSE(trial.to_mpi());
        trial.took(of(100), own);
    }
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(trial.to_mpi());
        EXPECT_EQ(trial.mpi_took(native), i == 2);
    }
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
    for (int i = 0; i < 4; ++i) {
        EXPECT_FALSE(trial.to_mpi() && i > 0);
        trial.took(of(5000), 2);
    }
    EXPECT_TRUE(trial.to_mpi());
}

TEST(Trial, does_not_begin_anew_for_ever_when_sizes_change_all_the_time) {
    Trial trial;
    int own = 0;
    while (!trial.to_mpi() && own < 100) trial.took(of(own++ % 2 == 0 ? 100 : 5000), 2);
    EXPECT_LT(own, 12);
}

TEST(Trial, tries_the_mpi_again_after_a_while) {
    Trial trial;
    EXPECT_EQ(tried(trial, 1, 2), 0);
    int own = 0;
    while (!trial.to_mpi() && own < 1000) {
        trial.took(of(100), 1);
        ++own;
    }
    EXPECT_EQ(own, 64 + 3);
}

TEST(Trial, has_a_few_early_calls) {
    Trial trial;
    int early = 0;
    for (; trial.early() && early < 100; ++early) trial.passed_early();
    EXPECT_EQ(early, 4);
    Trial other;
    other.no_longer_early();
    EXPECT_FALSE(other.early());
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
