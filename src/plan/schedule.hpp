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
};

// Every rank exchanges at most one message with every aggregator, one way or the other. All messages of all ranks have
// one common order: by position, then by the aggregator's index. A rank starts its messages in that order and has no
// more than its throttle under way. Of all messages not yet done the first is then the first at both of its ends, and both
// have started it: nobody waits in a circle, whatever the throttles, whichever messages are absent, and even if a send
// is done only when it is received.
class Schedule {
public:
    explicit Schedule(Pattern pattern);

    // When a rank's message with an aggregator (given by its index) is due. For one aggregator: a permutation of ranks.
    int position(int aggregator, Rank rank) const;
    std::vector<int> aggregators_of(Rank rank) const;  // indices, in the order in which the rank serves them
    std::vector<Rank> ranks_of(int aggregator) const;  // in the order in which the aggregator hears from them
    std::string text() const;                          // both, for every rank

private:
    Pattern pattern_;
    std::vector<int> place_;  // of each rank in the rank list
};

}  // namespace muster
