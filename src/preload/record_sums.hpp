// Numbers of all ranks, added up.
#pragma once

#include <array>
#include <vector>

#include "mpi/comm.hpp"
#include "preload/accounts.hpp"

namespace muster::preload {

// Of the calls of one pattern: seconds by Phase and, last, in total.
struct PatternSums {
    static constexpr std::size_t times = phase_count + 1;
    std::array<double, times> lowest{};
    std::array<double, times> mean{};
    std::array<double, times> highest{};
    RankReport total;
    // Of the patterns with most bytes only, so that reports stay small.
    Flow flow;
    std::vector<RankReport> by_rank;
};

// Collective. For each pattern, in the order of the patterns.
std::vector<PatternSums> add_up(Comm const& comm, std::vector<PatternAccount> const& patterns);

// For the line at the end.
struct Totals {
    Size files{0};
    Size collective{0};  // calls of all ranks
    Size handled{0};     // of these
    Size independent{0};
    Size bytes_written{0};
    Size bytes_read{0};
    Size microseconds{0};  // of the slowest ranks

    Totals& operator+=(Totals const& other);
};
Totals totals_of(std::vector<Size> const& counts, std::vector<PatternAccount> const& patterns,
                 std::vector<PatternSums> const& sums);
// Collective.
Totals add_up(Comm const& comm, Totals totals);
std::string summary_of(Totals const& totals);

}  // namespace muster::preload
