// Small contiguous accesses, one piece for each rank, leave nothing to gather: there the MPI's own I/O may be faster. Both are
// tried, a few calls each, and the faster one stays. All ranks hold the same numbers, so they choose the same.
#pragma once

#include <cstdint>
#include <limits>

#include "plan/plan.hpp"

namespace muster::preload {

class Trial {
public:
    // Whether the next call goes to the MPI; counts it.
    bool to_mpi();
    // Of a call by Muster: what all ranks asked for, and how long this rank took.
    void took(Summary const& summary, double seconds);
    // Of a call by the MPI. True: both have been tried, and the ranks are to agree on the times.
    bool mpi_took(double seconds);

    double own_seconds() const { return own_seconds_; }
    double mpi_seconds() const { return mpi_seconds_; }
    // The times of the slowest ranks.
    void decide(double own_seconds, double mpi_seconds);

private:
    static constexpr int calls = 2;                 // of each
    static constexpr Size large = Size{256} << 10;  // Muster is as fast with these
    static constexpr Size longest_pause = Size{1} << 12;
    static constexpr double never = std::numeric_limits<double>::infinity();

    int size_class_{-1};  // of the largest access: its binary digits
    bool decided_{false};
    bool mpi_is_faster_{false};
    int own_calls_{0};
    int mpi_calls_{0};
    double own_seconds_{never};
    double mpi_seconds_{never};
    Size straight_{0};  // calls that go to the MPI before Muster looks again whether they are what they were
    Size pause_{64};
};

}  // namespace muster::preload
