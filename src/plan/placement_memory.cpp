// The cost model of MA-TAPIOCA: how long a domain's data takes through a rank and a tier of its memory.
#include <algorithm>

#include "plan/placement.hpp"

namespace muster {

namespace {

// One leg of the way: `hops` at the slower of two latencies, bytes at the lower of two bandwidths.
struct Leg {
    double latency;
    double bandwidth;

    double seconds(double hops, Size bytes) const { return latency * hops + static_cast<double>(bytes) / bandwidth; }
};

Leg over_network(Machine const& machine, TierFacts const& tier) {
    return {std::max(machine.network.latency, tier.latency), std::min(machine.network.bandwidth, tier.bandwidth)};
}

Leg to_storage(Machine const& machine, TierFacts const& tier) {
    auto const& storage = machine.storage;
    auto const latency = storage.latency > 0 ? storage.latency : machine.network.latency;
    auto const bandwidth = storage.bandwidth > 0 ? storage.bandwidth : machine.network.bandwidth;
    return {std::max(latency, tier.latency), std::min(bandwidth, tier.bandwidth)};
}

int node_of_row(Machine const& machine, DomainBytes const& bytes, int row) {
    return bytes.rows == DomainBytes::Rows::nodes ? row : machine.node_of[static_cast<std::size_t>(row)];
}

Size bytes_of(DomainBytes const& bytes, int domain) {
    Size total = 0;
    for (int row = 0; row < bytes.row_count; ++row) total += bytes.at(row, domain);
    return total;
}

}  // namespace

double aggregation_seconds(Machine const& machine, DomainBytes const& bytes, int domain, int node,
                           TierFacts const& tier) {
    auto const network = over_network(machine, tier);
    Leg const inside{tier.latency, tier.bandwidth};
    double seconds = 0;
    for (int row = 0; row < bytes.row_count; ++row) {
        auto const count = bytes.at(row, domain);
        if (count == 0) continue;
        auto const from = node_of_row(machine, bytes, row);
        seconds += from == node ? inside.seconds(1, count) : network.seconds(machine.node_distance(from, node), count);
    }
    return seconds + to_storage(machine, tier).seconds(machine.storage_distance(node), bytes_of(bytes, domain));
}

bool tier_fits(TierFacts const& tier, MemoryDemand const& demand, Size domain_bytes) {
    if (demand.persistent && !tier.persistent) return false;
    auto const wanted = demand.persistent ? domain_bytes : demand.buffers;
    return tier.capacity == 0 || tier.capacity >= wanted;
}

std::optional<TierChoice> choose_tier(Machine const& machine, DomainBytes const& bytes, int domain, int node,
                                      MemoryDemand const& demand) {
    // Of a machine whose memory nobody has described: plain memory, without a bound.
    static std::vector<TierFacts> const plain{TierFacts{"DRAM", 1e-7, 1e10, 0, false, {}}};
    auto const& tiers = machine.tiers.empty() ? plain : machine.tiers;
    auto const total = bytes_of(bytes, domain);
    std::optional<TierChoice> best;
    for (std::size_t i = 0; i < tiers.size(); ++i) {
        if (!tier_fits(tiers[i], demand, total)) continue;
        auto const seconds = aggregation_seconds(machine, bytes, domain, node, tiers[i]);
        if (!best || seconds < best->seconds) best = TierChoice{static_cast<int>(i), seconds};
    }
    if (best && machine.tiers.empty()) best->tier = -1;
    return best;
}

}  // namespace muster
