#include "plan_output.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "core/hints.hpp"
#include "progress.hpp"
#include "table.hpp"

namespace muster::tool {

namespace {

Json decisions_json(Plan const& plan) {
    auto list = Json::array();
    for (auto const& decision : plan.decisions) {
        list.push_back({{"subject", decision.subject}, {"choice", decision.choice}, {"reason", decision.reason}});
    }
    return list;
}

std::string decision_on(Plan const& plan, std::string_view subject) {
    for (auto const& decision : plan.decisions) {
        if (decision.subject == subject) return decision.choice + ": " + decision.reason;
    }
    return {};
}

Json to_json(Flow const& flow) {
    return {{"ranks_per_row", flow.ranks_per_row},
            {"aggregators_per_column", flow.aggregators_per_column},
            {"rounds_per_step", flow.rounds_per_step},
            {"bytes", flow.bytes},
            {"bytes_by_round", flow.by_round}};
}

}  // namespace

Json to_json(PlacementCost const& cost) {
    return {{"hop_bytes", cost.hop_bytes},
            {"bytes_inside_nodes", cost.bytes_inside},
            {"bytes_between_nodes", cost.bytes_between},
            {"busiest_link_bytes", cost.busiest_link},
            {"busiest_link", cost.busiest_link_name}};
}

Json plan_json(PlanRequest const& request, PlanSubject const& subject, Study const& study) {
    Json json{{"workload", request.workload},
              {"mode", request.mode},
              {"direction", request.direction},
              {"ranks", subject.machine.rank_count()},
              {"nodes", subject.machine.node_count()},
              {"variables", subject.workload.variables.size()},
              {"route", name_of(study.plan.route)},
              {"calls", study.calls},
              {"requests", study.requests},
              {"requests_after_node_step", study.requests_after_node_step},
              {"bytes", study.bytes},
              {"rounds", study.rounds},
              {"messages", study.messages},
              {"messages_inside_nodes", study.messages_inside_nodes},
              {"messages_per_aggregator_max", study.messages_per_aggregator_max},
              {"senders_per_round_max", study.senders_per_round_max},
              {"bytes_between_nodes", study.bytes_between_nodes},
              {"bytes_inside_nodes", study.bytes_inside_nodes},
              {"extent_list_bytes", study.extent_list_bytes},
              {"extent_lists_exact", study.extent_lists_exact},
              {"memory_per_rank_max", study.memory_per_rank_max},
              {"exact", study.exact},
              {"local_aggregators", study.local_aggregators},
              {"aggregators", study.plan.aggregators},
              {"metadata_kernel", decision_on(study.plan, "metadata kernel")},
              {"data_kernel", decision_on(study.plan, "data kernel")},
              {"decisions", decisions_json(study.plan)}};
    if (study.plan.route == Route::exchange) {
        json["layout"] = study.plan.domains.layout == Layout::striped ? "striped" : "contiguous";
        json["window"] = study.plan.domains.parts() * study.plan.domains.part_size();
        json["stripe_size"] = std::max(subject.layout.stripe_size, subject.hints.stripe_size);
        json["flow"] = to_json(study.flow);
    }
    if (subject.workload.listed_requests > 0) json["requests_as_listed"] = subject.workload.listed_requests;
    if (study.placement) {
        json["placement"] = {{"chosen", to_json(study.placement->chosen)},
                             {"classic", to_json(study.placement->classic)}};
    }
    return json;
}

namespace {

std::string bytes_text(Size bytes) { return with_commas(bytes) + " (" + format_size(bytes) + ")"; }

std::string approximately(Study const& study, std::string const& text) { return (study.exact ? "" : "about ") + text; }

std::string node_step_text(Study const& study) {
    if (study.local_aggregators == 0) return "no node step";
    return with_commas(study.requests_after_node_step) + " on " + with_commas(study.local_aggregators) +
           " local aggregators";
}

std::vector<Row> figures(PlanSubject const& subject, Study const& study) {
    std::vector<Row> rows{
        {"requests", with_commas(study.requests)},
        {"  after the node step", node_step_text(study)},
        {"bytes", bytes_text(study.bytes)},
        {"calls", with_commas(study.calls)},
        {"rounds", with_commas(study.rounds)},
        {"messages", approximately(study, with_commas(study.messages))},
        {"  inside nodes", approximately(study, with_commas(study.messages_inside_nodes))},
        {"  to the busiest aggregator", approximately(study, with_commas(study.messages_per_aggregator_max))},
        {"  senders to one aggregator in a round",
         approximately(study, "at most " + with_commas(study.senders_per_round_max))},
        {"bytes between nodes", approximately(study, bytes_text(study.bytes_between_nodes))},
        {"bytes inside nodes", approximately(study, bytes_text(study.bytes_inside_nodes))},
        {"bytes of extent lists, coded",
         (study.extent_lists_exact ? "" : "about, from a sample of the ranks: ") + bytes_text(study.extent_list_bytes)},
        {"memory per rank, at most", bytes_text(study.memory_per_rank_max)}};
    if (subject.workload.listed_requests > 0) {
        rows.insert(rows.begin(), {"requests as the maps list them", with_commas(subject.workload.listed_requests)});
    }
    return rows;
}

// What moves under the chosen and under the classic placement of the first call.
void print_placement(PlacementChoice const& placement) {
    auto const& [ranks, chosen, classic, tier] = placement;
    auto const text = [](double bytes) { return bytes_text(static_cast<Size>(bytes)); };
    std::vector<Row> rows{
        {"placement", "chosen", "classic"},
        {"  hop-bytes", text(chosen.hop_bytes), text(classic.hop_bytes)},
        {"  bytes between nodes", bytes_text(chosen.bytes_between), bytes_text(classic.bytes_between)},
        {"  bytes inside nodes", bytes_text(chosen.bytes_inside), bytes_text(classic.bytes_inside)}};
    auto const link = [&](PlacementCost const& cost) {
        return cost.busiest_link_name.empty() ? "routes are not known"
                                              : text(cost.busiest_link) + ", " + cost.busiest_link_name;
    };
    rows.push_back({"  busiest link", link(chosen), link(classic)});
    fmt::print("{}\n", table_text(rows, terminal_width()));
}

}  // namespace

void print_plan(PlanRequest const& request, PlanSubject const& subject, Study const& study) {
    fmt::print("{} of {}, variables: {}, ranks: {}, nodes: {}\n\n", request.direction, request.workload,
               subject.workload.variables.size(), with_commas(subject.machine.rank_count()),
               with_commas(subject.machine.node_count()));
    fmt::print("{}\n", table_text(figures(subject, study), terminal_width()));
    if (study.placement) print_placement(*study.placement);
    fmt::print("decisions{}\n", study.calls > 1 ? " of the first call" : "");
    std::vector<Row> rows;
    for (auto const& decision : study.plan.decisions) {
        rows.push_back({"  " + decision.subject, decision.choice + ": " + decision.reason});
    }
    fmt::print("{}", table_text(rows, terminal_width()));
}

Result<Study> study_with_progress(PlanSubject const& subject) {
    ProgressLine line{"planning"};
    auto input = study_input(subject);
    input.progress = [&](double done) { line.show(done); };
    return study(input);
}

}  // namespace muster::tool
