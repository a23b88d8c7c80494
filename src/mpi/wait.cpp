#include "mpi/wait.hpp"

#include <sched.h>
#include <time.h>

#include <cstdio>

namespace muster {

namespace {

constexpr int spins = 50;     // looks without a pause: a peer on another core answers within these
constexpr int yields = 200;   // then give way to whoever is ready
constexpr long nap = 20'000;  // then sleep, in nanoseconds

void tell(Watchdog const& dog) {
    std::fprintf(stderr, "muster: rank %d has waited %d s while %s", dog.rank, dog.seconds, dog.doing);
    if (dog.round >= 0) std::fprintf(stderr, ", round %ld", dog.round);
    if (dog.peer >= 0) std::fprintf(stderr, ", for rank %d", dog.peer);
    std::fputs("\n", stderr);
}

}  // namespace

Watchdog& watchdog() {
    thread_local Watchdog dog;
    return dog;
}

void watch_wait(long microseconds) {
    auto& dog = watchdog();
    auto const late = dog.seconds > 0 && microseconds >= dog.seconds * 1'000'000L;
    if (late && !dog.told) tell(dog);
    dog.told = late;
}

void Patience::pause() {
    ++turns_;
    if (turns_ <= spins) return;
    if (turns_ <= spins + yields) {
        sched_yield();
        return;
    }
    timespec const duration{0, nap};
    nanosleep(&duration, nullptr);
    if (watchdog().seconds <= 0) return;
    if (since_ == 0) since_ = MPI_Wtime();
    watch_wait(static_cast<long>((MPI_Wtime() - since_) * 1e6));
}

// Of the world: on MPI_COMM_SELF, MPICH looks without moving anything on.
void move_messages_on() {
    int found = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}

void wait(MPI_Request& request) { wait_all({&request, 1}); }

void wait_all(std::span<MPI_Request> requests) {
    Patience patience;
    for (int done = 0; done == 0; patience.pause()) {
        MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
        if (done != 0) return;
    }
}

}  // namespace muster
