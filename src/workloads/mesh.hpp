// Runs of neighbours, and how an atmosphere deals them to ranks.
#pragma once

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

}  // namespace muster
