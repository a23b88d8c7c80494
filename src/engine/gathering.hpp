// What the ranks of a group access together: their lists, merged by the local aggregator, in shared memory.
#pragma once

#include "engine/call.hpp"
#include "engine/group.hpp"
#include "exchange/merged_list.hpp"
#include "exchange/party.hpp"

namespace muster {

struct Gathering {
    SharedMemory memory;
    MergedList list;    // in that memory
    Shape merged;       // the same, on the local aggregator only
    Size waves{1};      // that a round goes in, the same on all ranks: what the group has in one of them fits in a slot
    Size slot_size{0};  // of this group
};

// Collective. For the rounds of one chapter, with the slots that these need; a failure of one rank is everybody's. Nothing is
// sent: lists are handed over in shared memory.
Result<std::shared_ptr<Gathering>> gather_lists(Call& call, Group& group, Chapter chapter);

// The domains that the wave serves, of all those of a round.
inline Passage passage_of(Plan const& plan, Size round, Size wave, Size waves) {
    auto const edge = [&](Size index) { return static_cast<int>(plan.domains.count * index / waves); };
    return {round, edge(wave), edge(wave + 1), nullptr};
}

}  // namespace muster
