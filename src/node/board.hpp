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

private:
    struct Hall;
    struct Notice;
    Notice& notice(int rank, bool odd) const;

    Member member_;
    Hall* hall_{nullptr};
    Notice* notices_{nullptr};
    bool odd_{false};  // votes alternate between two sets of notices: a slow reader of the last one is not disturbed
};

}  // namespace muster
