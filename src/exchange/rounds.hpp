// One round of a collective call: data between the ranks and the windows of the aggregators.
#pragma once

#include <span>
#include <vector>

#include "access/access.hpp"
#include "core/fingerprint.hpp"
#include "core/stopwatch.hpp"
#include "exchange/courier.hpp"
#include "exchange/lists.hpp"
#include "exchange/route.hpp"

namespace muster {

// Who takes part in the rounds of a call, and with what; constant over the rounds.
struct Party {
    Courier& courier;
    Plan const& plan;
    Access const& access;
    std::vector<Contributor> const& contributors;
    Stopwatch& watch;
    std::span<std::byte> packed;   // what this rank sends or receives in a round: see packed_size
    std::span<std::byte> staging;  // an aggregator's messages under way: at least a window

    int domain() const { return plan.aggregator_index(courier.comm().rank); }  // -1: no aggregator
};

// Bytes of `packed` that a rank needs at most.
Size packed_size(Plan const& plan, Access const& access);

// Collective. Write: this round's bytes of all ranks into the window (empty on ranks that are no aggregators).
void gather_round(Party const& party, Size round, std::span<std::byte> window);
// Collective. Read: the window's bytes to the ranks that want them.
void scatter_round(Party const& party, Size round, std::span<std::byte const> window);

// The extents of the file that the contributors have in one part of a window: sorted, joined. Most parts are covered
// exactly once from end to end, which a fingerprint tells without sorting.
std::vector<Extent> covered_extents(std::vector<Contributor> const& contributors, Extent part);

}  // namespace muster
