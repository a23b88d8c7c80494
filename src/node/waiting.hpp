// Sleeping until another process of the node has done something.
#pragma once

#include <atomic>
#include <cstdint>

namespace muster {

// A number in shared memory that others change and wake sleepers for.
using Bell = std::atomic<std::uint32_t>;
static_assert(Bell::is_always_lock_free);

void ring(Bell& bell);  // adds one and wakes all

// Sleeps while the bell still reads `seen`, at most so long. False: the time is up, or a signal came.
bool sleep_on(Bell& bell, std::uint32_t seen, int microseconds);
void wake_all(Bell& bell);
void wake_one(Bell& bell);
void give_way();  // lets others run that share the core

// Between two looks: leaves the core to its other thread, where it has two.
inline void rest() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// One process of the node.
struct Member {
    int rank{0};  // among those on the node
    int size{1};
    bool spin{false};  // there is a core for everybody: look again before sleeping
    // Called now and then while waiting, with the microseconds waited so far: a pending send of this process may be what the
    // others wait for. True: it has moved something on, and there may soon be more.
    bool (*poke)(long waited){nullptr};
    int patience{1000};  // microseconds before the first poke: it takes the core from those who work
    // Before it sleeps: others are done soon, and to let them run costs less than to fall asleep and be woken.
    int yields{0};
};

// How long one who waits sleeps before the next poke: longer and longer, while pokes find nothing to move on.
class Naps {
public:
    explicit Naps(Member const& member) : member_{member} {}

    int length() const { return length_; }  // microseconds
    void end();                             // no other process woke us

private:
    Member const& member_;
    int length_{member_.patience};
    long slept_{0};
};

// Waits until ready() holds. Whoever makes it hold changes the bell's number afterwards and wakes.
template <class Ready>
void wait_until(Member const& member, Bell& bell, Ready&& ready) {
    // To be woken takes longer than most waits. But the one we wait for may have been put on our core.
    constexpr int spins = 100;
    constexpr int looks = 50;  // about a microsecond
    for (int i = 0; member.spin && i < spins; ++i) {
        for (int look = 0; look < looks; ++look) {
            if (ready()) return;
            rest();
        }
        give_way();
    }
    for (auto left = member.yields; left > 0; --left) {
        if (ready()) return;
        give_way();
    }
    for (Naps naps{member};;) {
        auto const seen = bell.load(std::memory_order_acquire);
        if (ready()) return;
        auto const woken = sleep_on(bell, seen, naps.length());
        if (ready()) return;
        if (!woken) naps.end();
    }
}

}  // namespace muster
