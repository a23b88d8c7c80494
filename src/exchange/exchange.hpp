// Messages between ranks and aggregators, by one of the kernels: an order, a throttle and a way to send.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "exchange/courier.hpp"
#include "muster/hints.hpp"

namespace muster {

// Messages one way, none of them empty and none to oneself. Their memory is asked for when they are due.
struct Lane {
    std::vector<Rank> peers;  // in the order of the kernel: see plan/schedule.hpp
    std::function<std::span<std::byte>(std::size_t)>
        load;                                 // the message, ready to go; empty: no room until others are done
    std::function<void(std::size_t)> unload;  // it is done
    bool fits_at_once{true};                  // there is room for all of them together
};

struct Lanes {
    Lane outgoing;
    Lane incoming;
};

struct Terms {
    Kernel kernel{Kernel::balanced};
    int throttle{0};  // messages in flight each way; 0: no bound
    int throttle_inside{
        0};  // the same for peers on the own node, which then do not count for the other; 0: no difference
    int tag{data_tag};
};

using Work = std::function<void()>;

// Collective. `meanwhile` is done once the first messages are on their way.
void exchange(Courier& courier, Terms const& terms, Lanes const& lanes, Work const& meanwhile);

// The two ways to do it. In order, one message after the other: all kernels but one.
void exchange_in_order(Courier& courier, Terms const& terms, Lanes const& lanes, Work const& meanwhile);
// Collective. All at once, by the MPI's own Ialltoallw: there must be room for all messages on every rank.
void exchange_at_once(Courier& courier, Terms const& terms, Lanes const& lanes, Work const& meanwhile);

}  // namespace muster
