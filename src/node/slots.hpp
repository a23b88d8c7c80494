// Window slots in shared memory: filled by many, emptied by one (write), or filled by some and emptied by many (read).
//
// Windows 0, 1, 2, ... go through the slots in turn: window w uses slot w % count, and only when window w - count has left it.
#pragma once

#include <span>

#include "muster/extent.hpp"
#include "node/waiting.hpp"

namespace muster {

// What all members together have in one window; added up by them.
struct WindowTally {
    std::atomic<std::uint64_t> lanes[2];  // fingerprints of the extents, see core/fingerprint.hpp
    std::atomic<Size> bytes;
    std::atomic<std::uint32_t> members;  // that have bytes there
};

class Slots {
public:
    struct Layout {
        int count{3};
        Size window{0};   // bytes of one window
        Size tallies{0};  // windows that can be tallied at once
    };
    Slots() = default;
    // `memory`: size_for(layout) zeroed bytes that all members share, aligned to a page.
    Slots(std::span<std::byte> memory, Layout const& layout, Member const& member);
    static Size size_for(Layout const& layout);

    int count() const { return layout_.count; }
    Member const& member() const { return member_; }
    WindowTally& tally(Size window) const { return tallies(odd_)[window]; }
    std::span<std::byte> bytes(Size window) const;
    std::span<std::byte> all_bytes() const;  // of all windows
    std::span<std::uint64_t> marks(
        Size window) const;  // one bit per byte, for windows with holes; zero when not in use

    // A slot's life: free for window w -> filled `fills` times -> full -> emptied `empties` times -> free for w + count.
    bool is_free(Size window) const;
    bool is_full(Size window) const;
    void wait_free(Size window) const;
    void wait_full(Size window) const;
    void fill(Size window, std::uint32_t fills) const;     // this member has filled its part
    void empty(Size window, std::uint32_t empties) const;  // this member has emptied its part
    void skip(Size window) const;                          // nobody has anything in it: by one member, once it is free
    // By every member, after all windows of a use: the next use starts counting at 0 again.
    void finish(Size windows) { first_ += windows; }
    // By every member, when it has seen so many tallies, which were met for: the next ones begin at zero, once all have met again.
    void turn_tallies(Size windows);

private:
    struct State;
    State& state(Size window) const;
    std::uint32_t lap(Size window) const { return static_cast<std::uint32_t>((first_ + window) / layout_.count); }
    Size slot(Size window) const { return (first_ + window) % layout_.count; }
    WindowTally* tallies(bool odd) const { return tallies_ + (odd ? layout_.tallies : 0); }

    Size first_{0};  // windows of earlier uses
    Layout layout_;
    Member member_;
    State* states_{nullptr};
    WindowTally* tallies_{nullptr};
    bool odd_{false};  // two sets take turns: a slow reader of the last one is not disturbed
    Size turned_{0};   // tallies of the other set that are in use
    std::byte* windows_{nullptr};
};

}  // namespace muster
