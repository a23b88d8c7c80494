// The board of a node: where its processes meet and vote, in shared memory, without a message.
#pragma once

#include <functional>
#include <span>

#include "muster/extent.hpp"
#include "node/waiting.hpp"

namespace muster {

class Board {
public:
    static constexpr int values = 24;  // that one member may put up in a vote

    Board() = default;
    // `memory`: size_for(member.size) zeroed bytes that all members share, aligned to a cache line.
    Board(std::span<std::byte> memory, Member const& member);
    static Size size_for(int members);

    Member const& member() const { return member_; }

    // Collective on the node. Nobody leaves before all have come.
    void meet();
    // Collective on the node. Puts up `mine`, meets, then visits what every member has put up, in rank order.
    void vote(std::span<Size const> mine, std::function<void(std::span<Size const>)> const& visit);
    // Collective on the node. The same where only the outcome counts: whoever comes last combines all numbers, and `ballots` is
    // what has come out. `into` is given the outcome so far and one member's numbers, in rank order.
    using Combine = std::function<void(std::span<Size> outcome, std::span<Size const> theirs)>;
    void combine(std::span<Size> ballots, Combine const& into);
    // Collective on the node. The same, but member 0 combines, and takes what has come out of this node beyond it before the
    // others go on.
    using Beyond = std::function<void(std::span<Size> outcome)>;
    void combine_and(std::span<Size> ballots, Combine const& into, Beyond const& beyond);

    // Of one member: waits until no other member has the turn. Whoever has it waits for nobody.
    void take_turn();
    void end_turn();

private:
    struct Hall;
    struct Notice;
    Notice& notice(int rank, bool odd) const;
    Notice& outcome(bool odd) const;
    // Whoever comes last does `work` before the others go on.
    template <class Work>
    void meet_after(Work&& work);
    // Member 0 does `work` when all are there, before the others go on.
    template <class Work>
    void meet_led(Work&& work);
    void wait_for_meeting(std::uint32_t before);
    // Puts up the ballots, lets `meet` combine them as `into` says, and tells what has come out.
    template <class Meet>
    void combine_by(std::span<Size> ballots, Combine const& into, Meet&& meet);

    Member member_;
    Hall* hall_{nullptr};
    Notice* notices_{nullptr};
    bool odd_{false};  // votes alternate between two sets of notices: a slow reader of the last one is not disturbed
};

// A member's turn, while it lives.
class Turn {
public:
    explicit Turn(Board* board) : board_{board} {  // null: no turn is needed
        if (board_ != nullptr) board_->take_turn();
    }
    ~Turn() {
        if (board_ != nullptr) board_->end_turn();
    }
    Turn(Turn const&) = delete;
    Turn& operator=(Turn const&) = delete;

private:
    Board* board_;
};

}  // namespace muster
