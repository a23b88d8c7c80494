// The node step of two-layer aggregation: in every passage the ranks of a group place their bytes in a slot of shared memory,
// from which the local aggregator sends them on; reading, the other way round.
#pragma once

#include "engine/gathering.hpp"

namespace muster {

// Does nothing without a group, or with a group of one: such a rank speaks for itself.
class NodeStep {
public:
    NodeStep(Call& call, Group* group, Gathering const* gathering);

    Size waves() const { return gathering_ != nullptr ? gathering_->waves : 1; }
    // What this rank exchanges with the aggregators: its own, its group's, or nothing.
    Access const& access() const { return access_; }

    // Write, before the passage: places this rank's bytes. The local aggregator waits for those of the others, and has them all.
    void hand_over(Passage& passage);
    // Write, after the passage: the slot is free again.
    void handed_on();
    // Read, before the passage: the local aggregator gets a free slot for what will come.
    void make_room(Passage& passage);
    // Read, after the passage: everybody takes what it wants.
    void hand_out(Passage const& passage);
    // After the last passage, by everybody.
    void finish();

private:
    bool gathers() const { return slots_ != nullptr; }
    bool leads() const { return gathers() && group_->leads(); }
    void find_starts(Passage const& passage);
    template <class Copy>
    void for_own_pieces(Passage const& passage, Copy&& copy) const;

    Call& call_;
    Group* group_;
    Gathering const* gathering_;
    Slots* slots_{nullptr};
    Access access_;
    Gathered gathered_;  // of the passage under way
    Size used_{0};       // slots so far
};

}  // namespace muster
