// Waiting for MPI without burning the core that others need: test, give way, then sleep a little.
#pragma once

#include <mpi.h>

#include <atomic>
#include <span>

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

// Backs off between two looks at something that is not ready yet.
class Patience {
public:
    void pause();
    void reset() { turns_ = 0; }

private:
    int turns_{0};
    double since_{0};
};

// For waits of other kinds: lets MPI move on what this process has under way.
void move_messages_on();

// While one lives, other ranks reach into memory of this process by MPI, and some MPIs serve them only when it looks.
class Reachable {
public:
    Reachable() { ++count_; }
    ~Reachable() { --count_; }
    Reachable(Reachable const&) = delete;
    Reachable& operator=(Reachable const&) = delete;
    static bool now() { return count_ > 0; }

private:
    static inline std::atomic<int> count_{0};
};

void wait(MPI_Request& request);
void wait_all(std::span<MPI_Request> requests);

}  // namespace muster
