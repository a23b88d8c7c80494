// Who takes part in the rounds of a call, and with what.
#pragma once

#include <span>
#include <vector>

#include "access/access.hpp"
#include "core/stopwatch.hpp"
#include "exchange/exchange.hpp"
#include "exchange/lists.hpp"
#include "exchange/route.hpp"

namespace muster {

// The order of a rank's messages, the same in all rounds.
struct Itinerary {
    std::vector<int> domains;                      // whose aggregators it serves
    std::vector<Contributor const*> contributors;  // whom it hears from as an aggregator, without itself
};
Itinerary itinerary_of(Courier const& courier, Plan const& plan, std::vector<Contributor> const& contributors);

// Constant over the rounds.
struct Party {
    Courier& courier;
    Plan const& plan;
    Access const& access;
    std::vector<Contributor> const& contributors;
    Stopwatch& watch;
    std::span<std::byte> packed;   // what this rank sends or receives in a round: see packed_size
    std::span<std::byte> staging;  // an aggregator's messages under way: at least a window
    Itinerary itinerary{itinerary_of(courier, plan, contributors)};

    int domain() const { return plan.aggregator_index(courier.comm().rank); }  // -1: no aggregator
};

}  // namespace muster
