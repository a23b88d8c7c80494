#include "mpi/spent.hpp"

#include <sys/resource.h>
#include <time.h>

namespace muster {

Spent Spent::now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return {time.tv_sec * 1'000'000'000L + time.tv_nsec, usage.ru_nvcsw + usage.ru_nivcsw};
}

bool has_moved(Spent const& before, Spent const& after) {
    constexpr long idle = 4'000;
    return after.nanoseconds - before.nanoseconds > idle && after.switches == before.switches;
}

}  // namespace muster
