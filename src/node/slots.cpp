#include "node/slots.hpp"

#include <new>

namespace muster {

struct alignas(64) Slots::State {
    std::atomic<std::uint32_t> filled;  // parts of the present window
    std::atomic<std::uint32_t> emptied;
    Bell full_laps;              // windows that became full here; the sleepers are those who want to empty
    alignas(64) Bell free_laps;  // windows that left; the sleepers are those who want to fill
};

namespace {

constexpr Size page = 4096;
Size pages(Size bytes) { return (bytes + page - 1) / page * page; }
Size words(Size window) { return (window + 63) / 64; }

}  // namespace

Size Slots::size_for(Layout const& layout) {
    auto const states = pages(layout.count * static_cast<Size>(sizeof(State)));
    auto const tallies = pages(2 * layout.tallies * static_cast<Size>(sizeof(WindowTally)));
    return states + tallies + layout.count * (pages(layout.window) + pages(words(layout.window) * 8));
}

Slots::Slots(std::span<std::byte> memory, Layout const& layout, Member const& member)
    : layout_{layout}, member_{member} {
    auto* at = memory.data();
    states_ = std::launder(reinterpret_cast<State*>(at));
    at += pages(layout.count * static_cast<Size>(sizeof(State)));
    tallies_ = std::launder(reinterpret_cast<WindowTally*>(at));
    windows_ = at + pages(2 * layout.tallies * static_cast<Size>(sizeof(WindowTally)));
}

Slots::State& Slots::state(Size window) const { return states_[slot(window)]; }

std::span<std::byte> Slots::bytes(Size window) const {
    auto const stride = pages(layout_.window);
    return {windows_ + slot(window) * stride, static_cast<std::size_t>(layout_.window)};
}

std::span<std::byte> Slots::all_bytes() const {
    return {windows_, static_cast<std::size_t>(layout_.count * pages(layout_.window))};
}

std::span<std::uint64_t> Slots::marks(Size window) const {
    auto const stride = pages(words(layout_.window) * 8);
    auto* const first = windows_ + layout_.count * pages(layout_.window) + slot(window) * stride;
    return {std::launder(reinterpret_cast<std::uint64_t*>(first)), static_cast<std::size_t>(words(layout_.window))};
}

bool Slots::is_free(Size window) const {
    return state(window).free_laps.load(std::memory_order_acquire) == lap(window);
}
bool Slots::is_full(Size window) const {
    return state(window).full_laps.load(std::memory_order_acquire) == lap(window) + 1;
}

void Slots::wait_free(Size window) const {
    wait_until(member_, state(window).free_laps, [&] { return is_free(window); });
}

void Slots::wait_full(Size window) const {
    wait_until(member_, state(window).full_laps, [&] { return is_full(window); });
}

void Slots::fill(Size window, std::uint32_t fills) const {
    auto& here = state(window);
    if (here.filled.fetch_add(1, std::memory_order_acq_rel) + 1 < fills) return;
    here.filled.store(0, std::memory_order_relaxed);
    ring(here.full_laps);
}

void Slots::empty(Size window, std::uint32_t empties) const {
    auto& here = state(window);
    if (here.emptied.fetch_add(1, std::memory_order_acq_rel) + 1 < empties) return;
    here.emptied.store(0, std::memory_order_relaxed);
    ring(here.free_laps);
}

void Slots::skip(Size window) const {
    ring(state(window).full_laps);
    ring(state(window).free_laps);
}

// Who has met for these tallies looks at the others no more.
void Slots::turn_tallies(Size windows) {
    auto* const others = tallies(!odd_);
    for (Size i = 0; member_.rank == 0 && i < turned_; ++i) {
        others[i].lanes[0].store(0, std::memory_order_relaxed);
        others[i].lanes[1].store(0, std::memory_order_relaxed);
        others[i].bytes.store(0, std::memory_order_relaxed);
        others[i].members.store(0, std::memory_order_relaxed);
    }
    turned_ = windows;
    odd_ = !odd_;
}

}  // namespace muster
