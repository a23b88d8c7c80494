// Waiting for MPI without burning the core that others need: test, give way, then sleep a little.
#pragma once

#include <mpi.h>

#include <span>

#include "mpi/spent.hpp"

namespace muster {

// Tells the user when a rank waits for too long: what it was doing, in which round, for whom.
struct Watchdog {
    int seconds{0};  // 0: never
    int rank{0};
    char const* doing{"opening a file"};
    long round{-1};    // -1: not in the rounds
    int peer{-1};      // -1: for everybody
    bool told{false};  // of the wait that goes on
};
// The one in force for this thread (one collective call at a time).
Watchdog& watchdog();

// For waits of other kinds: tells the user once the wait has taken as long as the watchdog allows.
void watch_wait(long microseconds);

// Backs off between two looks at something that is not ready yet: looks again, gives way, then sleeps, and the longer the longer it
// has waited, because among many who wait on few cores short naps leave nothing to those who work. Looks that move messages on bring
// the short naps back.
class Patience {
public:
    void pause();
    void reset() { *this = {}; }

    static constexpr long shortest_nap = 20'000;  // nanoseconds
    static constexpr long longest_nap = 1'000'000;
    long next_nap() const;

private:
    bool look_again();
    void sleep();

    int turns_{0};
    int moving_looks_{0};  // in a row
    long slept_{0};        // nanoseconds since a message moved
    Spent before_look_;
    double since_{0};
};

// For waits of other kinds: lets MPI move on what this process has under way.
void move_messages_on();

void wait(MPI_Request& request);
void wait_all(std::span<MPI_Request> requests);

}  // namespace muster
