#include <fmt/core.h>

#include <memory>

#include "command.hpp"
#include "plan_output.hpp"
#include "tuning_output.hpp"

namespace muster::tool {

namespace {

Status run_plan(PlanRequest const& request) {
    auto const subject = understand(request);
    if (!subject.ok()) return subject.status();
    if (!request.tune.empty()) return print_tuning(*subject, request.tune, request.json);
    auto const studied = study_with_progress(*subject);
    if (!studied.ok()) return studied.status();
    if (request.json) {
        fmt::print("{}\n", plan_json(request, *subject, *studied).dump(2));
    } else {
        print_plan(request, *subject, *studied);
    }
    return {};
}

void add_machine_options(CLI::App& command, PlanRequest& request) {
    command.add_option("WORKLOAD", request.workload, "One of 'muster workloads'; its own options may follow")
        ->required();
    command.add_option("--ranks", request.ranks, "Ranks; as in the papers if not given");
    auto* const per_node = command.add_option("--ranks-per-node", request.ranks_per_node, "Ranks on a node [64]");
    command.add_option("--nodes", request.nodes, "Nodes, instead of ranks on a node")->excludes(per_node);
    command.add_option(
        "--machine", request.machine,
        "Network, tiers, storage: 'network tree 20 x 4; at random 1', or @ and a file; see docs/placement.md");
    command.add_option("--mode", request.mode, "multi: one call for all variables; independent: one for each [multi]");
    command.add_option("--direction", request.direction, "write or read [write]");
}

void add_exchange_options(CLI::App& command, PlanRequest& request) {
    command.add_option("--layout", request.layout, "File domains: striped or contiguous");
    command.add_option("--aggregators", request.aggregators, "How many; chosen by the plan if not given");
    command.add_option("--window", request.window, "Bytes that an aggregator stores at once, as in 16MiB");
    command.add_option("--local-aggregators", request.local_aggregators,
                       "Of all nodes together, for the node step; 0: no node step [0]");
    command.add_option("--stripe-size", request.stripe_size, "With striped; the window if not given, else 1MiB");
    command.add_option("--stripe-count", request.stripe_count, "With striped; the number of aggregators if not given");
    command.add_option("--hint", request.hints, "Any of 'muster hints', as in --hint muster_windows=3")
        ->type_size(1)
        ->allow_extra_args(false);
    command.add_option(
        "--tune", request.tune,
        "Instead: which stripe or window takes the fewest rounds without idle aggregators, given so many "
        "bytes for the windows of one");
    command.add_flag("--json", request.json, "As JSON, and nothing else");
}

constexpr auto footer =
    R"(The workload's own options follow its name; 'muster workloads WORKLOAD' lists them. Numbers take units: 16k, 1MiB, 100MB.
Giving any of --layout, --aggregators, --window or --local-aggregators asks for an exchange, whatever the size of the pieces.
Examples:
  muster plan btio --ranks 16384 --ranks-per-node 64 --layout striped --aggregators 56 --window 1MiB --local-aggregators 256
  muster plan noncontig --datasets 400 --dataset-bytes 105125000 --ranks 4096 --layout striped --aggregators 64 --window 1MiB --mode independent
  muster plan noncontig --ranks 4096 --layout striped --aggregators 64 --mode independent --tune 64MiB
  muster plan e3sm-f --ne 30 --ranks 1024 --json)";

}  // namespace

void add_plan_command(CLI::App& app, Run& chosen) {
    auto* const command =
        app.add_subcommand("plan", "What a collective call of a workload would do, without running it");
    auto const request = std::make_shared<PlanRequest>();
    add_machine_options(*command, *request);
    add_exchange_options(*command, *request);
    command->allow_extras();
    command->footer(footer);
    command->callback([&chosen, request, command] {
        request->workload_options = command->remaining();
        chosen = [request] { return run_plan(*request); };
    });
}

}  // namespace muster::tool
