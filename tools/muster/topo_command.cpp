// 'muster topo': what is known of this machine, or of one that is described.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "core/hints.hpp"
#include "hardware/description.hpp"
#include "hardware/node_hardware.hpp"
#include "table.hpp"

namespace muster::tool {

namespace {

using Json = nlohmann::ordered_json;

struct Request {
    std::string machine;
    std::vector<std::string> directories;
    bool measure{false};
    bool json{false};
    bool distances{false};
    int fabric_seconds{Hints{}.fabric_seconds};
};

struct Topology {
    Machine machine;
    NodeHardware hardware;  // of this node, unless a machine is described
    std::string network_origin;
    std::vector<std::string> adapters;
    std::vector<FabricHost> hosts;  // at the places of the network, where they have names
};

char const* origin_of(Description::Kind kind) {
    if (kind == Description::Kind::slurm) return "SLURM's file";
    return kind == Description::Kind::infiniband ? "ibnetdiscover's file" : "described";
}

Result<Topology> describe(Request const& request) {
    auto const given = read_description(request.machine);
    if (!given) return given.status();
    auto const text = words_for_all(*given);
    if (!text) return text.status();
    Topology found;
    found.hosts = hosts_in(*given);
    auto const nodes = found.hosts.empty() ? std::string{} : fmt::format("nodes {} x 1\n", found.hosts.size());
    auto machine = parse_machine(nodes + *text);
    if (!machine) return machine.status();
    found.machine = std::move(*machine);
    found.network_origin = origin_of(given->kind);
    return found;
}

// This node, and the others of an InfiniBand network where that can be walked.
void look_at_network(Request const& request, Topology& found) {
    found.adapters = infiniband_adapters();
    auto const fabric = walk_fabric(request.fabric_seconds);
    auto const hosts = fabric ? hosts_of(*fabric) : std::vector<FabricHost>{};
    auto network = fabric ? place_hosts(*fabric, hosts) : fabric.status();
    if (network) {
        found.machine = block_machine(static_cast<int>(hosts.size()), 1);
        found.machine.network = std::move(network->network);
        found.hosts = hosts;
        found.network_origin = "InfiniBand, walked from here";
        return;
    }
    found.network_origin = find_slurm_topology() ? "SLURM's topology.conf is there and is read by jobs on several nodes"
                                                 : "taken as flat: nothing describes it";
    if (network.status().code() != Code::not_found) found.network_origin += "; " + network.status().message();
}

Result<Topology> look_around(Request const& request) {
    Topology found;
    found.hardware = look_at_node();
    found.machine = block_machine(1, 1);
    look_at_network(request, found);
    found.machine.node_facts = found.hardware.facts;
    found.machine.tiers = found.hardware.tiers;
    if (request.measure && !found.machine.tiers.empty()) {
        auto const measured = measure_memory();
        auto& plain = found.machine.tiers.back();
        plain.latency = measured.latency;
        plain.bandwidth = measured.bandwidth;
    }
    for (auto const& directory : request.directories) {
        auto tier = measure_directory(directory);
        if (!tier) return tier.status();
        found.machine.tiers.push_back(std::move(*tier));
    }
    return found;
}

std::string speed_origin(Request const& request, Topology const& found) {
    if (!request.machine.empty()) return "described";
    if (request.measure) return "measured";
    return found.hardware.speeds_known ? "from the hardware" : "a guess; --measure measures";
}

std::vector<Row> tier_rows(Machine const& machine) {
    std::vector<Row> rows;
    for (auto const& tier : machine.tiers) {
        auto const capacity = tier.capacity > 0 ? ", " + format_size(tier.capacity) : std::string{};
        rows.push_back(
            {"  " + tier.name, fmt::format("{:.3g} GB/s, {:.3g} us{}{}{}", tier.bandwidth / 1e9, tier.latency * 1e6,
                                           capacity, tier.persistent ? ", persistent" : "",
                                           tier.directory.empty() ? "" : ", files in " + tier.directory)});
    }
    return rows;
}

// Fabrics may be long.
std::string network_text(Network const& network) {
    constexpr std::size_t longest = 200;
    auto text = network.text();
    if (network.kind != Network::Kind::fabric || text.size() <= longest) return text;
    return fmt::format("fabric of {} switches and {} cables, as below", with_commas(network.fabric.switches()),
                       with_commas(static_cast<Size>(network.fabric.cables().size())));
}

std::string first_and_last(std::vector<FabricHost> const& hosts) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        if (hosts.size() > most && i == most / 2) text += ", ...";
        if (hosts.size() > most && i >= most / 2 && i + most / 2 < hosts.size()) continue;
        text += (text.empty() ? "" : ", ") + hosts[i].name;
    }
    return text;
}

std::vector<Row> network_rows(Topology const& found) {
    auto const& network = found.machine.network;
    std::vector<Row> rows{{"network", network_text(network) + " (" + found.network_origin + ")"}};
    if (network.places() > 0) rows.push_back({"  places", with_commas(network.places())});
    rows.push_back(
        {"  per cable", fmt::format("{:.3g} GB/s, {:.3g} us per hop", network.bandwidth / 1e9, network.latency * 1e6)});
    if (!found.hosts.empty()) rows.push_back({"  hosts", first_and_last(found.hosts)});
    for (auto const& adapter : found.adapters) rows.push_back({"  InfiniBand", adapter});
    return rows;
}

std::string caches_text(std::vector<CacheFacts> const& caches) {
    std::string text;
    for (auto const& cache : caches) {
        text += fmt::format("{}{} x L{} of {}", text.empty() ? "" : ", ", cache.count, cache.level,
                            format_size(cache.size));
    }
    return text;
}

std::string storage_text(Machine const& machine) {
    auto const& [hops, latency, bandwidth] = machine.storage;
    auto text = hops.empty() ? std::string{"as far from all nodes"}
                             : fmt::format("{} to {} hops from the nodes", *std::min_element(hops.begin(), hops.end()),
                                           *std::max_element(hops.begin(), hops.end()));
    if (bandwidth > 0) text += fmt::format(", {:.3g} GB/s", bandwidth / 1e9);
    if (latency > 0) text += fmt::format(", {:.3g} us", latency * 1e6);
    return text;
}

int farthest(Machine const& machine) {
    int most = 0;
    for (int from = 0; from < machine.node_count(); ++from) {
        for (int to = 0; to < from; ++to) most = std::max(most, machine.node_distance(from, to));
    }
    return most;
}

void print_distances(Machine const& machine) {
    fmt::print("\nhops between nodes\n");
    for (int from = 0; from < machine.node_count(); ++from) {
        for (int to = 0; to < machine.node_count(); ++to) fmt::print("{:4}", machine.node_distance(from, to));
        fmt::print("\n");
    }
}

void print_text(Request const& request, Topology const& found) {
    auto const& machine = found.machine;
    auto const& node = machine.node_facts;
    std::vector<Row> rows{{"nodes", with_commas(machine.node_count())}, {"ranks", with_commas(machine.rank_count())}};
    if (node != NodeFacts{}) {
        rows.push_back(
            {"a node", fmt::format("{} packages, {} NUMA nodes, {} cores, {} threads, last cache {}{}", node.packages,
                                   node.numa, node.cores, node.threads, format_size(node.last_cache),
                                   found.hardware.origin.empty() ? "" : " (" + found.hardware.origin + ")")});
    }
    if (!found.hardware.caches.empty()) rows.push_back({"  caches", caches_text(found.hardware.caches)});
    rows.push_back({"memory tiers", machine.tiers.empty() ? "plain memory" : speed_origin(request, found)});
    for (auto& row : tier_rows(machine)) rows.push_back(std::move(row));
    for (auto& row : network_rows(found)) rows.push_back(std::move(row));
    if (machine.node_count() > 1 && machine.node_count() <= 4096) {
        rows.push_back({"  farthest nodes", std::to_string(farthest(machine)) + " hops"});
    }
    rows.push_back({"storage", storage_text(machine)});
    fmt::print("{}", table_text(rows, terminal_width()));
    if (request.distances) print_distances(machine);
    fmt::print("\nas a hint:\nmuster_machine={}\n", machine.text().substr(machine.text().find("; ") + 2));
}

Json tiers_json(Machine const& machine) {
    auto list = Json::array();
    for (auto const& tier : machine.tiers) {
        list.push_back({{"name", tier.name},
                        {"bandwidth", tier.bandwidth},
                        {"latency", tier.latency},
                        {"capacity", tier.capacity},
                        {"persistent", tier.persistent},
                        {"directory", tier.directory}});
    }
    return list;
}

Json caches_json(std::vector<CacheFacts> const& caches) {
    auto list = Json::array();
    for (auto const& cache : caches) {
        list.push_back({{"level", cache.level}, {"size", cache.size}, {"count", cache.count}});
    }
    return list;
}

Json hosts_json(std::vector<FabricHost> const& hosts) {
    auto list = Json::array();
    for (auto const& host : hosts) list.push_back(host.name);
    return list;
}

Json distances_json(Machine const& machine) {
    auto rows = Json::array();
    for (int from = 0; from < machine.node_count(); ++from) {
        auto row = Json::array();
        for (int to = 0; to < machine.node_count(); ++to) row.push_back(machine.node_distance(from, to));
        rows.push_back(std::move(row));
    }
    return rows;
}

constexpr int most_nodes_drawn = 64;  // on the page of 'muster report'

void print_json(Request const& request, Topology const& found) {
    auto const& machine = found.machine;
    auto const& node = machine.node_facts;
    Json json{{"text", machine.text()},
              {"nodes", machine.node_count()},
              {"ranks", machine.rank_count()},
              {"node",
               {{"packages", node.packages},
                {"numa", node.numa},
                {"cores", node.cores},
                {"threads", node.threads},
                {"last_cache", node.last_cache},
                {"caches", caches_json(found.hardware.caches)},
                {"numa_distances", found.hardware.numa_distances},
                {"origin", found.hardware.origin}}},
              {"tiers", tiers_json(machine)},
              {"speeds", speed_origin(request, found)},
              {"network",
               {{"text", machine.network.text()},
                {"origin", found.network_origin},
                {"places", machine.network.places()},
                {"latency", machine.network.latency},
                {"bandwidth", machine.network.bandwidth},
                {"infiniband", found.adapters},
                {"hosts", hosts_json(found.hosts)}}},
              {"places", machine.place_of},
              {"storage_hops", machine.storage.hops},
              {"storage", {{"latency", machine.storage.latency}, {"bandwidth", machine.storage.bandwidth}}}};
    if (request.distances || machine.node_count() <= most_nodes_drawn) json["distances"] = distances_json(machine);
    fmt::print("{}\n", json.dump(2));
}

Status run_topo(Request const& request) {
    auto const found = request.machine.empty() ? look_around(request) : describe(request);
    if (!found) return found.status();
    if (request.distances && found->machine.node_count() > 4096) {
        return {Code::invalid_argument, "--distances would print more than 4096 rows"};
    }
    request.json ? print_json(request, *found) : print_text(request, *found);
    return {};
}

constexpr auto footer =
    R"(Examples:
  muster topo --measure --directory /local
  muster topo --machine 'nodes 8 x 4; network dragonfly 3 x 2 x 2; at random 1' --distances
  muster topo --machine @machine.txt --json
  ibnetdiscover > fabric.txt; muster topo --machine @fabric.txt)";

}  // namespace

void add_topo_command(CLI::App& app, Run& chosen) {
    auto* const command = app.add_subcommand("topo", "What is known of this machine, or of one that is described");
    auto const request = std::make_shared<Request>();
    command->add_option(
        "--machine", request->machine,
        "Instead of this one: a machine as text, or @ and a file with it, with SLURM's topology.conf or with what "
        "ibnetdiscover prints");
    command->add_option("--fabric-seconds", request->fabric_seconds,
                        "How long to walk an InfiniBand network, where there is one; 0: not at all");
    command->add_flag("--measure", request->measure, "Measure memory instead of guessing: about a second");
    command->add_option("--directory", request->directories, "Measure files here, too, as a tier of their own");
    command->add_flag("--distances", request->distances, "Hops between all nodes");
    command->add_flag("--json", request->json, "As JSON");
    command->footer(footer);
    command->callback([&chosen, request] { chosen = [request] { return run_topo(*request); }; });
}

}  // namespace muster::tool
