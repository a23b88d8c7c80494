// A file of a capture as a workload: every collective call of the program is a variable.
#pragma once

#include <memory>

#include "capture/capture.hpp"
#include "workloads/registry.hpp"

namespace muster {

// Which calls of which file.
struct CapturedChoice {
    std::size_t file{0};
    bool write{true};
    Size calls{0};      // the first so many; 0: all
    std::string order;  // see rank_order_of
};

// Rank i does what rank order[i] of the program did. "" or "as-is", "reversed", "cyclic/4" (over 4 nodes that are filled one
// after the other), "random/7" (7 is a seed), or all ranks, as in "3,0,1,2".
Result<std::vector<Rank>> rank_order_of(std::string const& text, int ranks);

// The file with most bytes in collective calls; 0 where there is none.
std::size_t busiest_file(Capture const& capture);

Result<Workload> make_captured(std::shared_ptr<Capture const> const& capture, CapturedChoice const& choice);

}  // namespace muster
