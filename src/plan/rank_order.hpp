// The order in which the balanced kernel deals ranks to aggregators.
#pragma once

#include "plan/plan.hpp"

namespace muster {

// All ranks of the machine, each once: plain, round-robin over the nodes, or those given first and the others behind.
std::vector<Rank> dealt_ranks(RankOrder order, std::vector<Rank> const& given, Machine const& machine);
inline std::vector<Rank> dealt_ranks(Plan const& plan, Machine const& machine) {
    return dealt_ranks(plan.rank_order, plan.rank_list, machine);
}

char const* rank_order_name(RankOrder order);  // as in hints

}  // namespace muster
