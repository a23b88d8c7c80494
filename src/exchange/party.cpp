#include "exchange/party.hpp"

#include "plan/rank_order.hpp"
#include "plan/schedule.hpp"

namespace muster {

namespace {

// Contributors as the aggregator hears from them.
std::vector<Contributor const*> in_order(std::vector<Rank> const& ranks, std::vector<Contributor> const& contributors) {
    std::vector<Contributor const*> by_rank(ranks.size());
    for (auto const& contributor : contributors) by_rank[static_cast<std::size_t>(contributor.rank)] = &contributor;
    std::vector<Contributor const*> ordered;
    for (auto const rank : ranks) {
        if (auto const* contributor = by_rank[static_cast<std::size_t>(rank)]) ordered.push_back(contributor);
    }
    return ordered;
}

}  // namespace

Itinerary itinerary_of(Courier const& courier, Plan const& plan, std::vector<Contributor> const& contributors) {
    auto const& comm = courier.comm();
    Schedule const schedule{{plan.data_kernel, comm.size, plan.aggregators, dealt_ranks(plan, courier.machine())}};
    Itinerary itinerary{schedule.aggregators_of(comm.rank), {}};
    auto const own = plan.aggregator_index(comm.rank);
    if (own < 0) return itinerary;
    std::erase(itinerary.domains, own);
    itinerary.contributors = in_order(schedule.ranks_of(own), contributors);
    std::erase_if(itinerary.contributors, [&](Contributor const* each) { return each->rank == comm.rank; });
    return itinerary;
}

}  // namespace muster
