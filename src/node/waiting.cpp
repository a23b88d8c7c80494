#include "node/waiting.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

namespace muster {

namespace {

long futex(Bell& bell, int operation, std::uint32_t value, timespec const* timeout) {
    return syscall(SYS_futex, &bell, operation, value, timeout, nullptr, 0);
}

}  // namespace

bool sleep_on(Bell& bell, std::uint32_t seen, int microseconds) {
    timespec const timeout{microseconds / 1'000'000, (microseconds % 1'000'000) * 1000L};
    return futex(bell, FUTEX_WAIT, seen, &timeout) == 0 || errno != ETIMEDOUT;
}

void give_way() { sched_yield(); }

void wake_all(Bell& bell) { futex(bell, FUTEX_WAKE, INT_MAX, nullptr); }
void wake_one(Bell& bell) { futex(bell, FUTEX_WAKE, 1, nullptr); }

void ring(Bell& bell) {
    bell.fetch_add(1, std::memory_order_release);
    wake_all(bell);
}

}  // namespace muster
