#include "engine/placing.hpp"

#include "plan/placement.hpp"

namespace muster {

namespace {

// Collective. Everybody's bytes by domain.
DomainBytes gather_bytes(Session& session, Plan const& plan, DomainBytes::Rows rows, Stream const& mine) {
    auto const& comm = session.comm();
    auto const by_rank = rows == DomainBytes::Rows::ranks;
    auto const& machine = session.machine();
    auto const row_count = by_rank ? comm.size : machine.node_count();
    auto all = DomainBytes::of(rows, row_count, plan.domains.count);
    auto const own = by_rank ? comm.rank : machine.node_of[static_cast<std::size_t>(comm.rank)];
    count_by_domain(plan.domains, mine, all.row(own));
    // Where ranks have rows of their own the sum is a gathering; it is small either way.
    reduce_all(comm, all.bytes, MPI_SUM);
    return all;
}

}  // namespace

Plan place_together(Session& session, Plan plan, PlanInput input, Stream const& mine) {
    auto const need = placement_need(plan, session.machine(), session.hints());
    if (!need.reason.empty()) plan.decisions.push_back({"placement", "spread", need.reason});
    if (!need.wanted) return plan;
    auto const bytes = gather_bytes(session, plan, need.rows, mine);
    auto const window = plan.domains.parts() * plan.domains.part_size();
    auto const per_node = most_on_a_node(session.machine(), plan.aggregators);
    auto const choice = place_domains(
        need.policy, {session.machine(), bytes, plan.aggregators, per_node, {window * session.hints().windows, false}});
    auto const placed = placed_aggregators(need.policy, choice, session.machine());
    input.placed = &placed;
    return make_plan(input);
}

}  // namespace muster
