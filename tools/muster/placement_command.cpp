// 'muster placement': hop-bytes of the original, the locality-aware and the topology-aware placement of file domains.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "core/hints.hpp"
#include "placement_examples.hpp"
#include "plan_output.hpp"
#include "table.hpp"
#include "workloads/placing.hpp"
#include "workloads/registry.hpp"

namespace muster::tool {

namespace {

struct Request {
    int seeds{3};
    int per_node{1};
    bool json{false};
    bool examples{false};
};

struct Job {
    char const* workload;
    int ranks;
    std::vector<OptionPair> options;
    int ranks_per_node;
    char const* network;
};

// As in "Topology-Aware Two-Phase I/O": a cluster of 4 racks with 20 nodes of 12 cores, and one of 34 super nodes with 256
// nodes of 16 cores.
std::vector<Job> papers_jobs() {
    std::vector<OptionPair> const btio{{"grid", "500"}, {"variables", "1"}};
    return {{"cube", 512, {}, 12, "tree 20 x 4"},
            {"btio", 625, btio, 12, "tree 20 x 4"},
            {"cube", 512, {}, 16, "fat-tree 256 x 34"},
            {"btio", 625, btio, 16, "fat-tree 256 x 34"}};
}

struct Finding {
    Job job;
    std::string order;
    int seed{0};
    int nodes{0};
    PlacementComparison placements;
};

// Ranks fill node after node, or go round all nodes.
Machine job_machine(Job const& job, std::string const& order) {
    auto machine = block_machine(job.ranks, job.ranks_per_node);
    auto const nodes = machine.node_count();
    if (order == "cyclic") {
        for (Rank rank = 0; rank < job.ranks; ++rank) machine.node_of[static_cast<std::size_t>(rank)] = rank % nodes;
    }
    return machine;
}

Result<std::vector<Finding>> compare_all(Request const& request) {
    std::vector<Finding> findings;
    for (auto const& job : papers_jobs()) {
        auto const workload = make_workload(job.workload, job.ranks, job.options);
        if (!workload) return workload.status();
        for (auto const* order : {"blocks", "cyclic"}) {
            for (int seed = 1; seed <= request.seeds; ++seed) {
                auto const places = "network " + std::string{job.network} + "; at random " + std::to_string(seed);
                auto const machine = describe_machine(job_machine(job, order), places);
                if (!machine) return machine.status();
                findings.push_back({job, order, seed, machine->node_count(),
                                    compare_placements(*workload, *machine, request.per_node)});
            }
        }
    }
    return findings;
}

std::string bytes_text(double bytes) { return format_size(static_cast<Size>(bytes)); }

std::string saved_text(double now, double before) { return fmt::format("{:.1f} %", 100 * (1 - now / before)); }

void print_table(std::vector<Finding> const& findings) {
    std::vector<Row> rows{{"WORKLOAD", "RANKS", "NETWORK", "NODES", "ORDER", "JOB", "HOP-BYTES OTP", "LATP", "TATP",
                           "SAVED", "BUSIEST LINK OTP", "LATP", "TATP"}};
    for (auto const& [job, order, seed, nodes, found] : findings) {
        auto const& original = found.original;
        rows.push_back({job.workload, std::to_string(job.ranks), job.network, std::to_string(nodes), order,
                        std::to_string(seed), bytes_text(original.hop_bytes), bytes_text(found.locality.hop_bytes),
                        bytes_text(found.topology.hop_bytes), saved_text(found.topology.hop_bytes, original.hop_bytes),
                        bytes_text(original.busiest_link), bytes_text(found.locality.busiest_link),
                        bytes_text(found.topology.busiest_link)});
    }
    fmt::print("{}", table_text(rows, terminal_width()));
}

void print_json(std::vector<Finding> const& findings) {
    auto list = Json::array();
    for (auto const& [job, order, seed, nodes, found] : findings) {
        list.push_back({{"workload", job.workload},
                        {"ranks", job.ranks},
                        {"network", job.network},
                        {"nodes", nodes},
                        {"order", order},
                        {"job", seed},
                        {"otp", to_json(found.original)},
                        {"latp", to_json(found.locality)},
                        {"tatp", to_json(found.topology)}});
    }
    fmt::print("{}\n", list.dump(2));
}

Status run_placement(Request const& request) {
    if (request.examples) {
        print_placement_examples();
        return {};
    }
    auto const findings = compare_all(request);
    if (!findings) return findings.status();
    request.json ? print_json(*findings) : print_table(*findings);
    return {};
}

constexpr auto footer =
    R"(OTP: the original two-phase I/O, one aggregator per node, domain after domain. LATP: most bytes stay in their ranks, whatever the
hops of the others.
TATP: least hops times bytes, by linear assignment. Jobs run on nodes here and there; each number is another choice.)";

}  // namespace

void add_placement_command(CLI::App& app, Run& chosen) {
    auto* const command =
        app.add_subcommand("placement", "Hop-bytes of three placements of file domains, for cube and BTIO");
    auto const request = std::make_shared<Request>();
    command->add_option("--jobs", request->seeds, "Choices of scattered nodes [3]")->check(CLI::Range(1, 1000));
    command->add_option("--per-node", request->per_node, "At most so many aggregators on a node; 0: any number [1]")
        ->check(CLI::Range(0, 1024));
    command->add_flag("--json", request->json, "As JSON");
    command->add_flag("--examples", request->examples, "Instead: the worked examples of the two papers, computed here");
    command->footer(footer);
    command->callback([&chosen, request] { chosen = [request] { return run_placement(*request); }; });
}

}  // namespace muster::tool
