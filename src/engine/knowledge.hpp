// What a call learns about the other ranks, and need not learn again when its plan runs again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exchange/lists.hpp"

namespace muster {

// What one window of the shared route holds, all ranks together.
struct WindowFacts {
    std::uint32_t members{0};  // ranks that have bytes there
    bool mine{false};          // this rank is one of them
    bool dense{false};         // covered from end to end, no byte twice
    bool presumed{false};      // dense or covered by the number of bytes; the extents are still to be looked at
    // Not dense, but these are, and nothing else is covered: sorted, apart from each other. Empty: not known.
    std::vector<Extent> covered{};

    bool known() const { return dense || !covered.empty(); }
};

struct Gathering;

struct Knowledge {
    std::shared_ptr<Gathering> gathering;  // exchange with a node step: what the group has together
    std::string no_gathering;              // why every rank speaks for itself, the same on all; empty: nobody does
    std::optional<std::vector<Contributor>> lists;    // exchange: by aggregators, of the ranks in their domains
    std::optional<std::vector<WindowFacts>> windows;  // shared: by all, of the windows
};

}  // namespace muster
