// The metadata exchange: every aggregator learns which bytes of its domain each rank will send or wants.
#pragma once

#include <vector>

#include "core/shape.hpp"
#include "exchange/courier.hpp"
#include "plan/plan.hpp"

namespace muster {

// A rank that has bytes in this aggregator's domain. The stream may reach beyond the domain: windows cut it.
struct Contributor {
    Rank rank{0};
    Stream stream;
};

// What this rank accesses, with its code: made once, before the reduction that wants to know its size.
struct OwnList {
    Stream stream;
    std::vector<std::byte> coded;  // empty when the stream is, or when it is to be coded as it is sent
};
OwnList make_list(Stream stream);

// Rounds whose lists are sent together.
struct Chapter {
    Size first_round{0};
    Size last_round{0};  // one past
};

// Collective. In rank order; empty on ranks that are no aggregators. A failure is local, and others have no lists then
// either: agree before the rounds.
Result<std::vector<Contributor>> exchange_lists(Courier& courier, Plan const& plan, OwnList const& mine,
                                                Chapter chapter);

}  // namespace muster
