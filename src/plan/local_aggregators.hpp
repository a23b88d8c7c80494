// Which ranks of a node gather for the others before anything leaves the node (two-layer aggregation).
#pragma once

#include <vector>

namespace muster {

// Node ranks [first, end): `first` gathers for all of them.
struct LocalGroup {
    int first{0};
    int end{0};
    bool operator==(LocalGroup const&) const = default;
};

// A node's ranks in `count` groups (at least 1, at most one per rank). Of 5 ranks in 2 groups, 0 gathers 0..2 and 3
// gathers 3..4. As many groups as ranks is plain two-phase I/O.
std::vector<LocalGroup> local_groups(int ranks, int count);

}  // namespace muster
