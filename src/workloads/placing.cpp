#include "workloads/placing.hpp"

#include <algorithm>

namespace muster {

namespace {

Summary summary_of(Workload const& workload) {
    Summary summary;
    for (Rank rank = 0; rank < workload.ranks; ++rank) {
        auto const stream = workload.file_of(rank);
        if (stream.size() == 0) continue;
        auto const bounds = stream.bounds();
        auto const first = summary.ranks_with_data++ == 0;
        summary.low = first ? bounds.offset : std::min(summary.low, bounds.offset);
        summary.high = std::max(summary.high, bounds.end());
        summary.bytes += stream.size();
        summary.pieces += stream.piece_count();
    }
    return summary;
}

}  // namespace

DomainBytes bytes_by_domain(Workload const& workload, Domains const& domains) {
    auto bytes = DomainBytes::of(DomainBytes::Rows::ranks, workload.ranks, domains.count);
    for (Rank rank = 0; rank < workload.ranks; ++rank)
        count_by_domain(domains, workload.file_of(rank), bytes.row(rank));
    return bytes;
}

PlacementComparison compare_placements(Workload const& workload, Machine const& machine, int per_node) {
    Hints hints;
    hints.collective_write = Toggle::on;
    auto const plan = make_plan({Direction::write, summary_of(workload), {}, &machine, &hints});
    auto const bytes = bytes_by_domain(workload, plan.domains);
    PlacementRequest const request{machine, bytes, plan.aggregators, per_node};
    auto const topology = place_domains(Placement::topology, request);
    return {plan.domains.count, topology.classic, place_domains(Placement::locality, request).chosen, topology.chosen};
}

}  // namespace muster
