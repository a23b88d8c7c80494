// Small contiguous accesses, one piece for each rank, leave nothing to gather: there the MPI's own I/O may be faster. Both are
// tried, a few calls each, and the faster one stays for a while. All ranks hold the same numbers, so they choose the same.
#pragma once

#include <cstdint>
#include <limits>

#include "plan/plan.hpp"

namespace muster::preload {

class Trial {
public:
    static constexpr Size large = Size{256} << 10;  // bytes of a rank: Muster is as fast with these

    // The first small calls are not worth opening the file a second time.
    bool early() const { return early_calls_ < first_calls; }
    void passed_early() { ++early_calls_; }
    void no_longer_early() { early_calls_ = first_calls; }

    // Whether the next call goes to the MPI; counts it.
    bool to_mpi();
    // Of a call by Muster: what all ranks asked for, and how long this rank took.
    void took(Summary const& summary, double seconds);
    // Of a call by the MPI. True: both have been tried, and the ranks are to agree on the times.
    bool mpi_took(double seconds);
    bool decided() const { return decided_; }

    double own_seconds() const { return own_seconds_; }
    double mpi_seconds() const { return mpi_seconds_; }
    // The times of the slowest ranks.
    void decide(double own_seconds, double mpi_seconds);

private:
    static constexpr int first_calls = 4;
    static constexpr int calls = 3;  // of each
    static constexpr int most_changes = 4;
    static constexpr Size longest_pause = Size{1} << 12;
    static constexpr double never = std::numeric_limits<double>::infinity();

    bool is_new_size(int size_class) const;
    void begin_anew(int size_class);
    void try_again();
    void lengthen_pause() { pause_ = pause_ < longest_pause ? 2 * pause_ : longest_pause; }

    int early_calls_{0};
    int size_class_{-1};  // of the largest access: its binary digits
    int changes_{0};      // of it
    bool decided_{false};
    bool mpi_is_faster_{false};
    int own_calls_{0};
    int mpi_calls_{0};
    double own_seconds_{never};
    double mpi_seconds_{never};
    Size straight_{0};   // calls that go to the MPI before Muster looks again whether they are what they were
    Size own_since_{0};  // calls by Muster since it was found to be faster
    Size pause_{64};     // calls until the next look
};

}  // namespace muster::preload
