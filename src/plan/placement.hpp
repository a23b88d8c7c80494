// Which rank serves which file domain, so that data has a short way: topology-aware two-phase I/O (hop-bytes, by linear
// assignment) and memory-aware aggregation (seconds, by a model of latencies and bandwidths).
#pragma once

#include <optional>
#include <string>

#include "plan/aggregators.hpp"
#include "plan/assignment.hpp"
#include "plan/domain_bytes.hpp"

namespace muster {

// What moves where under a placement.
struct PlacementCost {
    double hop_bytes{0};     // bytes times the hops they take; inside a node one hop at most, in a rank none
    Size bytes_inside{0};    // between ranks of one node
    Size bytes_between{0};   // between nodes
    double busiest_link{0};  // bytes of the link that carries most, per cable; 0 where routes are not known
    std::string busiest_link_name{};
};

// Domain j is served by aggregators[j]. With rows by node, ranks of a node count as if they had equal parts.
PlacementCost cost_of_placement(Machine const& machine, DomainBytes const& bytes, std::vector<Rank> const& aggregators);

// Hop-bytes of each domain (rows) if it were served by each rank (columns): the transposed W = D C.
CostMatrix hop_bytes(Machine const& machine, DomainBytes const& bytes);

// What the memory model must know beside the machine.
struct MemoryDemand {
    Size buffers{0};         // bytes of the windows of an aggregator
    bool persistent{false};  // all the data of a domain must stay there
};

// Seconds until a domain's data has gone through a rank of `node` in a tier: sum(l d + w / B) over the senders, with
// l = max(network, tier) and B = min(network, tier), inside the node one hop at the tier's own; then the same to storage.
double aggregation_seconds(Machine const& machine, DomainBytes const& bytes, int domain, int node,
                           TierFacts const& tier);
// Whether a tier can hold what is demanded. A capacity of 0 is no bound.
bool tier_fits(TierFacts const& tier, MemoryDemand const& demand, Size domain_bytes);
// The fastest tier that fits for a domain on a node; nothing where none does.
struct TierChoice {
    int tier{0};
    double seconds{0};
};
std::optional<TierChoice> choose_tier(Machine const& machine, DomainBytes const& bytes, int domain, int node,
                                      MemoryDemand const& demand);

struct PlacementRequest {
    Machine const& machine;
    DomainBytes const& bytes;
    std::vector<Rank> const& classic;  // the aggregators without regard to who has what
    int per_node{0};                   // at most so many aggregators on a node; 0: any number
    MemoryDemand demand{};
};

struct PlacementChoice {
    std::vector<Rank> aggregators;
    PlacementCost chosen;
    PlacementCost classic;
    int tier{-1};  // memory: index in machine.tiers; -1: none
};

// Exact for ranks as candidates; where `per_node` makes nodes the candidates, their ranks are chosen afterwards. Never
// worse in its own measure than the classic placement.
PlacementChoice place_domains(Placement policy, PlacementRequest const& request);
// Everything stays where it is.
PlacementChoice classic_placement(PlacementRequest const& request);
// Aggregators of the node that has most. As a bound it keeps the work shared: hop-bytes alone would crowd the middle of
// the network.
int most_on_a_node(Machine const& machine, std::vector<Rank> const& aggregators);

// Whether a plan should be placed by what the ranks have, and how finely that must be known. Policies that were asked for
// are followed; `automatic` places by topology where a network is known and the call is worth it.
struct PlacementNeed {
    bool wanted{false};
    Placement policy{Placement::spread};
    DomainBytes::Rows rows{DomainBytes::Rows::ranks};
    std::string reason;  // why not, where it was asked for
};
PlacementNeed placement_need(Plan const& plan, Machine const& machine, Hints const& hints);

// The plan's aggregators as `choose_aggregators` would give them, with the reason of the placement.
AggregatorChoice placed_aggregators(Placement policy, PlacementChoice const& choice, Machine const& machine);

}  // namespace muster
