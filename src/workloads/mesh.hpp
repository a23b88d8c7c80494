// How the elements of unstructured meshes are divided among ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "muster/extent.hpp"

namespace muster {

// Things numbered 0 .. count-1, cut into runs of neighbours, `run` of them on average.
class Runs {
public:
    Runs(Size count, double run);
    Size size() const { return runs_; }
    Extent operator[](Size index) const;  // first number, and how many

private:
    Size count_;
    Size runs_;
};

// Runs dealt to the ranks in turns, as an atmosphere deals its columns to balance day and night: every rank has some of
// everywhere, at the same place of each turn, and neighbouring runs go to ranks far apart. Ascending.
std::vector<Extent> dealt_runs(Runs const& runs, int ranks, Rank rank);

// A mesh that is cut into compact patches along a space-filling curve, one per rank, but whose elements are numbered
// without regard to that curve: at random within neighbourhoods of `neighbourhood` runs (0: the whole mesh).
class Patches {
public:
    struct Division {
        int ranks{1};
        Size neighbourhood{0};
    };
    Patches(Runs const& runs, Division const& division);
    std::vector<Extent> of(Rank rank) const;  // ascending

private:
    Runs runs_;
    int ranks_;
    std::vector<std::uint32_t> order_;  // runs, rank by rank
};

}  // namespace muster
