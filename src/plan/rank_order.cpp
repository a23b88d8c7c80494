#include "plan/rank_order.hpp"

namespace muster {

std::vector<Rank> dealt_ranks(RankOrder order, std::vector<Rank> const& given, Machine const& machine) {
    if (order == RankOrder::automatic || order == RankOrder::round_robin) return machine.ranks_round_robin();
    std::vector<bool> dealt(machine.node_of.size());
    std::vector<Rank> ranks;
    ranks.reserve(dealt.size());
    auto const deal = [&](Rank rank) {
        if (rank < 0 || rank >= machine.rank_count() || dealt[static_cast<std::size_t>(rank)]) return;
        dealt[static_cast<std::size_t>(rank)] = true;
        ranks.push_back(rank);
    };
    if (order == RankOrder::list) {
        for (auto const rank : given) deal(rank);
    }
    for (Rank rank = 0; rank < machine.rank_count(); ++rank) deal(rank);
    return ranks;
}

char const* rank_order_name(RankOrder order) {
    switch (order) {
        case RankOrder::automatic: return "automatic";
        case RankOrder::plain: return "plain";
        case RankOrder::round_robin: return "round-robin";
        case RankOrder::list: return "list";
    }
    return "unknown";
}

}  // namespace muster
