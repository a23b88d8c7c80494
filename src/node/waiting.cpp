#include "node/waiting.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace muster {

namespace {

long futex(Bell& bell, int operation, std::uint32_t value, timespec const* timeout) {
    return syscall(SYS_futex, &bell, operation, value, timeout, nullptr, 0);
}

constexpr int longest_nap = 8'000;  // microseconds; where many wait for each other, patience may ask for more

}  // namespace

bool sleep_on(Bell& bell, std::uint32_t seen, int microseconds) {
    timespec const timeout{microseconds / 1'000'000, (microseconds % 1'000'000) * 1000L};
    return futex(bell, FUTEX_WAIT, seen, &timeout) == 0 || errno == EAGAIN;
}

void Naps::end() {
    slept_ += length_;
    auto const moved = member_.poke != nullptr && member_.poke(slept_);
    length_ = moved ? member_.patience : std::min(2 * length_, std::max(longest_nap, 2 * member_.patience));
}

void give_way() { sched_yield(); }

void wake_all(Bell& bell) { futex(bell, FUTEX_WAKE, INT_MAX, nullptr); }
void wake_one(Bell& bell) { futex(bell, FUTEX_WAKE, 1, nullptr); }

void ring(Bell& bell) {
    bell.fetch_add(1, std::memory_order_release);
    wake_all(bell);
}

}  // namespace muster
