// Preloaded into tests with more ranks than cores: MPICH's progress engine spins, so that a rank that waits keeps the
// core from the rank it waits for. Here a rank that has found nothing to do for a while sleeps for a moment.
// MPICH as Debian builds it (ch4:ucx) makes all progress through this one function of UCX.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

enum { patience = 16 };  // idle calls before the first sleep
enum { sleep_nanoseconds = 20000 };

typedef unsigned (*Progress)(void* worker);

unsigned ucp_worker_progress(void* worker);

unsigned ucp_worker_progress(void* worker) {
    static Progress real;
    static __thread int idle_calls;
    if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "ucp_worker_progress");
    unsigned const events = real(worker);
    idle_calls = events > 0 ? 0 : idle_calls + 1;
    if (idle_calls > patience) {
        struct timespec const moment = {0, sleep_nanoseconds};
        nanosleep(&moment, NULL);
    }
    return events;
}
