// One round of a collective call: data between the ranks and the windows of the aggregators.
#pragma once

#include "exchange/owner_end.hpp"
#include "exchange/party.hpp"

namespace muster {

// Collective. Write: a passage's bytes of all ranks into the window (empty on ranks that are no aggregators).
void gather_round(Party const& party, Passage const& passage, std::span<std::byte> window);
// Collective. Read: the window's bytes to the ranks that want them.
void scatter_round(Party const& party, Passage const& passage, std::span<std::byte const> window);

// The extents of the file that the contributors have in one part of a window: sorted, joined. Most parts are covered
// exactly once from end to end, which a fingerprint tells without sorting.
std::vector<Extent> covered_extents(std::vector<Contributor> const& contributors, Extent part);

}  // namespace muster
