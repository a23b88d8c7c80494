// Who takes part in the rounds of a call, and with what.
#pragma once

#include <span>
#include <vector>

#include "access/access.hpp"
#include "core/flow.hpp"
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

// What a local aggregator has in hand for its ranks: their bytes of some windows of a round, window after window in file order.
struct Gathered {
    std::span<std::byte> bytes;
    std::vector<Size> starts;  // of each domain's window

    std::byte* window(int domain) const { return bytes.data() + starts[static_cast<std::size_t>(domain)]; }
};

// One go at a round: the windows of the domains [first, last). All of them, unless a round goes in waves.
struct Passage {
    Size round{0};
    int first{0};
    int last{0};
    Gathered const* gathered{nullptr};  // on local aggregators

    bool serves(int domain) const { return domain >= first && domain < last; }
};
inline Passage whole_round(Plan const& plan, Size round) { return {round, 0, plan.domains.count, nullptr}; }

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
    Flow* flow{nullptr};  // where somebody counts what goes where

    void count(int domain, Size round, Size bytes) const {
        if (flow != nullptr) count_bytes(*flow, domain, round, bytes);
    }
    int domain() const { return plan.aggregator_index(courier.comm().rank); }  // -1: no aggregator
};

}  // namespace muster
