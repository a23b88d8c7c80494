// The order of messages between all ranks and the aggregators, as pure data: what the kernels of the exchange do.
// The orders are those of "Improving All-to-Many Personalized Communication in Two-Phase I/O" (Kang et al., 2020).
#pragma once

#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace muster {

struct Pattern {
    Kernel kernel{Kernel::balanced};
    int ranks{0};
    std::vector<Rank> aggregators;  // without repetition
    std::vector<Rank> rank_list;    // balanced: the order in which ranks are dealt to aggregators; empty: 0, 1, 2, ...
    int throttle{0};                // an aggregator's messages in flight; 0: no bound
    Direction direction{
        Direction::write};  // write: ranks send to aggregators; read: the same steps, the other way round
};

// What one rank starts together and waits for before its next step. A message to oneself is in both lists of one step.
struct Step {
    std::vector<Rank> receive_from;  // in the order to start them
    std::vector<Rank> send_to;
    bool operator==(Step const&) const = default;
};

struct Schedule {
    std::vector<Step> steps;  // those in which this rank has something to do
    std::string text() const;
};

// Every rank exchanges one message with every aggregator. Both sides put a message into the same of all ranks' steps,
// so nobody waits in a circle, even if sends complete only when received; leaving out messages keeps that.
//   ascending, ascending_sync: aggregators take ranks 0, 1, 2, ...; a rank serves all aggregators in one step.
//   spread_out: aggregator a starts with rank a.
//   balanced: aggregator j starts with the j-th of equal shares of rank_list.
//   pairwise: one partner at a time, a rank's exclusive or with the step where ranks are a power of two.
// In the last three a rank has, like an aggregator, at most `throttle` messages in flight each way.
// automatic and alltoallw have no order of their own: no steps.
Schedule schedule_of(Pattern const& pattern, Rank rank);

}  // namespace muster
