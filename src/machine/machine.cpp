#include "machine/machine.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <unordered_map>

#include "core/hints.hpp"
#include "machine/reader.hpp"

namespace muster {

namespace {

constexpr int most_ranks = 1 << 24;

Machine cyclic_machine(int count, int nodes) {
    Machine machine;
    machine.node_of.reserve(static_cast<std::size_t>(count));
    for (Rank rank = 0; rank < count; ++rank) machine.node_of.push_back(rank % nodes);
    return machine;
}

std::string numbers_text(std::vector<int> const& numbers) {
    std::string text;
    for (auto const number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
    return text;
}

std::string nodes_text(Machine const& machine) {
    auto const count = machine.rank_count();
    auto const nodes = machine.node_count();
    if (count == 0) return "nodes none";
    auto const listed = "nodes " + numbers_text(machine.node_of);
    if (count % nodes != 0) return listed;
    auto const grid = "nodes " + std::to_string(nodes) + " x " + std::to_string(count / nodes);
    if (machine.node_of == block_machine(count, count / nodes).node_of) return grid;
    return machine.node_of == cyclic_machine(count, nodes).node_of ? grid + " cyclic" : listed;
}

std::string node_text(NodeFacts const& node) {
    std::string text;
    auto const add = [&](int number, char const* what) {
        if (number > 0) text += " " + std::to_string(number) + what;
    };
    add(node.packages, " packages");
    add(node.numa, " numa");
    add(node.cores, " cores");
    add(node.threads, " threads");
    if (node.last_cache > 0) text += " " + std::to_string(node.last_cache) + "B cache";
    return text;
}

std::string storage_text(StorageFacts const& storage) {
    auto text = storage.hops.empty() ? std::string{} : " " + numbers_text(storage.hops);
    if (storage.latency > 0) text += " latency " + seconds_text(storage.latency);
    if (storage.bandwidth > 0) text += " bandwidth " + bandwidth_text(storage.bandwidth);
    return text;
}

Status parse_error(std::string_view text, std::string const& what) {
    return {Code::invalid_argument, "'" + std::string{text} + "' is not a machine such as 'nodes 4 x 16', " +
                                        "'nodes 4 x 16 cyclic' or 'nodes 0,0,1,1': " + what};
}

Result<Machine> parse_grid(Reader reader, int nodes, std::string_view text) {
    auto const ranks = reader.take_number();
    if (!ranks) return parse_error(text, "ranks per node expected at " + reader.rest());
    auto const cyclic = reader.take("cyclic");
    if (!reader.at_end()) return parse_error(text, "nothing more expected at " + reader.rest());
    if (nodes < 1 || *ranks < 1) return parse_error(text, "nodes and ranks per node start at 1");
    if (*ranks > most_ranks / nodes) return parse_error(text, "more than 16777216 ranks");
    return cyclic ? cyclic_machine(nodes * *ranks, nodes) : block_machine(nodes * *ranks, *ranks);
}

Result<Machine> parse_list(Reader reader, int first, std::string_view text) {
    std::vector<int> labels{first};
    while (reader.take(",")) {
        auto const label = reader.take_number();
        if (!label) return parse_error(text, "the node of a rank expected at " + reader.rest());
        if (labels.size() == most_ranks) return parse_error(text, "more than 16777216 ranks");
        labels.push_back(*label);
    }
    if (!reader.at_end()) return parse_error(text, "',' or 'x' expected at " + reader.rest());
    return machine_from_labels(labels);
}

}  // namespace

int Machine::node_count() const { return node_of.empty() ? 0 : *std::max_element(node_of.begin(), node_of.end()) + 1; }

std::vector<std::vector<Rank>> Machine::ranks_by_node() const {
    std::vector<std::vector<Rank>> ranks(static_cast<std::size_t>(node_count()));
    for (Rank rank = 0; rank < rank_count(); ++rank) {
        ranks[static_cast<std::size_t>(node_of[static_cast<std::size_t>(rank)])].push_back(rank);
    }
    return ranks;
}

std::vector<Rank> Machine::ranks_round_robin() const {
    auto const nodes = ranks_by_node();
    std::vector<Rank> order;
    order.reserve(node_of.size());
    for (std::size_t turn = 0; order.size() < node_of.size(); ++turn) {
        for (auto const& ranks : nodes) {
            if (turn < ranks.size()) order.push_back(ranks[turn]);
        }
    }
    return order;
}

double Machine::distance(Rank from, Rank to) const {
    if (from == to) return 0;
    auto const here = node_of[static_cast<std::size_t>(from)];
    auto const there = node_of[static_cast<std::size_t>(to)];
    return here == there ? network.distance_inside() : node_distance(here, there);
}

int Machine::storage_distance(int node) const {
    if (storage.hops.empty()) return 0;
    return storage.hops.size() == 1 ? storage.hops[0] : storage.hops[static_cast<std::size_t>(node)];
}

std::string Machine::text() const {
    auto text = nodes_text(*this);
    if (network != Network{}) text += "; network " + network.text();
    if (!place_of.empty()) text += "; at " + numbers_text(place_of);
    if (node_facts != NodeFacts{}) text += "; node" + node_text(node_facts);
    if (!tiers.empty()) text += "; tiers " + tiers_text(tiers);
    if (storage != StorageFacts{}) text += "; storage" + storage_text(storage);
    return text;
}

Machine block_machine(int count, int ranks_per_node) {
    Machine machine;
    machine.node_of.reserve(static_cast<std::size_t>(count));
    for (Rank rank = 0; rank < count; ++rank) machine.node_of.push_back(rank / ranks_per_node);
    return machine;
}

Machine machine_from_labels(std::vector<int> const& labels) {
    std::unordered_map<int, int> nodes;
    Machine machine;
    machine.node_of.reserve(labels.size());
    for (auto const label : labels) {
        auto const next = static_cast<int>(nodes.size());
        machine.node_of.push_back(nodes.try_emplace(label, next).first->second);
    }
    return machine;
}

namespace {

Result<Machine> parse_nodes(std::string_view text) {
    Reader reader{text};
    if (!reader.take("nodes")) return parse_error(text, "'nodes' expected at " + reader.rest());
    if (reader.take("none") && reader.at_end()) return Machine{};
    auto const first = reader.take_number();
    if (!first) return parse_error(text, "a number expected at " + reader.rest());
    return reader.take("x") ? parse_grid(reader, *first, text) : parse_list(reader, *first, text);
}

Status wrong(std::string_view section, std::string const& what) {
    return {Code::invalid_argument, "'" + std::string{section} + "': " + what};
}

Result<std::vector<int>> take_numbers(Reader& reader, std::string_view section) {
    std::vector<int> numbers;
    do {
        auto const number = reader.take_number();
        if (!number) return wrong(section, "a number expected at " + reader.rest());
        numbers.push_back(*number);
    } while (reader.take(","));
    return numbers;
}

// Different places from a seed, the same on every rank.
Result<std::vector<int>> random_places(Machine const& machine, int seed, std::string_view section) {
    auto const places = machine.network.places();
    if (places < machine.node_count()) return wrong(section, "the network must be given before, and be large enough");
    std::vector<int> all(static_cast<std::size_t>(places));
    std::iota(all.begin(), all.end(), 0);
    std::mt19937 random{static_cast<unsigned>(seed)};
    for (std::size_t i = 0; i < static_cast<std::size_t>(machine.node_count()); ++i) {
        std::swap(all[i], all[i + random() % (all.size() - i)]);
    }
    all.resize(static_cast<std::size_t>(machine.node_count()));
    std::sort(all.begin(), all.end());
    return all;
}

Status set_places(Machine& machine, Reader reader, std::string_view section) {
    auto const seed = reader.take("random") ? reader.take_number() : std::nullopt;
    auto places = seed ? random_places(machine, *seed, section) : take_numbers(reader, section);
    if (!places) return places.status();
    if (!reader.at_end()) return wrong(section, "nothing more expected at " + reader.rest());
    machine.place_of = std::move(*places);
    return {};
}

Status set_node(Machine& machine, Reader reader, std::string_view section) {
    NodeFacts node;
    while (!reader.at_end()) {
        auto const word = reader.take_name();
        auto const size = parse_size(word);
        if (!size || *size > Size{1} << 40) return wrong(section, "a number expected at '" + word + "'");
        auto const number = static_cast<int>(std::min<Size>(*size, 1 << 30));
        if (reader.take("packages")) {
            node.packages = number;
        } else if (reader.take("numa")) {
            node.numa = number;
        } else if (reader.take("cores")) {
            node.cores = number;
        } else if (reader.take("threads")) {
            node.threads = number;
        } else if (reader.take("cache")) {
            node.last_cache = *size;
        } else {
            return wrong(section, "packages, numa, cores, threads or cache expected at " + reader.rest());
        }
    }
    machine.node_facts = node;
    return {};
}

Status set_storage(Machine& machine, Reader reader, std::string_view section) {
    StorageFacts storage;
    if (auto ahead = reader; ahead.take_number()) {
        auto hops = take_numbers(reader, section);
        if (!hops) return hops.status();
        storage.hops = std::move(*hops);
    }
    while (!reader.at_end()) {
        auto const latency = reader.take("latency");
        if (!latency && !reader.take("bandwidth")) return wrong(section, "nothing more expected at " + reader.rest());
        auto word = reader.take_name();
        if (reader.take("/")) word += "/" + reader.take_name();
        auto const value = latency ? parse_seconds(word) : parse_bandwidth(word);
        if (!value) return value.status();
        (latency ? storage.latency : storage.bandwidth) = *value;
    }
    machine.storage = std::move(storage);
    return {};
}

std::string_view after(std::string_view section, std::string_view word) {
    return section.substr(section.find(word) + word.size());
}

Status set_nodes(Machine& machine, std::string_view section) {
    auto nodes = parse_nodes(section);
    if (!nodes) return nodes.status();
    if (machine.rank_count() > 0 && nodes->rank_count() != machine.rank_count()) {
        return wrong(section, std::to_string(nodes->rank_count()) + " ranks, but there are " +
                                  std::to_string(machine.rank_count()));
    }
    machine.node_of = std::move(nodes->node_of);
    return {};
}

Status set_section(Machine& machine, std::string_view section) {
    Reader reader{section};
    if (reader.take("nodes")) return set_nodes(machine, section);
    if (reader.take("node")) return set_node(machine, reader, section);
    if (reader.take("at")) return set_places(machine, reader, section);
    if (reader.take("storage")) return set_storage(machine, reader, section);
    if (reader.take("network")) {
        auto network = parse_network(after(section, "network"));
        if (network) machine.network = std::move(*network);
        return network.status();
    }
    if (reader.take("tiers")) {
        auto tiers = parse_tiers(after(section, "tiers"));
        if (tiers) machine.tiers = std::move(*tiers);
        return tiers.status();
    }
    return parse_error(section, "'nodes' expected at " + reader.rest());
}

// Nodes must be at places that exist, each at its own.
Status check_places(Machine const& machine) {
    auto const nodes = machine.node_count();
    auto const places = machine.network.places();
    auto const& hops = machine.storage.hops;
    if (hops.size() > 1 && hops.size() != static_cast<std::size_t>(nodes)) {
        return {Code::invalid_argument, "the hops to the storage must be given for every node, or once for all"};
    }
    if (machine.place_of.empty()) {
        if (places == 0 || nodes <= places) return {};
        return {Code::invalid_argument,
                "the network has " + std::to_string(places) + " places for " + std::to_string(nodes) + " nodes"};
    }
    auto sorted = machine.place_of;
    std::sort(sorted.begin(), sorted.end());
    auto const twice = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
    if (static_cast<int>(sorted.size()) != nodes || twice || (places > 0 && sorted.back() >= places)) {
        return {Code::invalid_argument,
                "'at' must give each of " + std::to_string(nodes) + " nodes a place of its own in the network"};
    }
    return {};
}

}  // namespace

Result<Machine> parse_machine(std::string_view text) {
    auto machine = describe_machine({}, text);
    if (!machine || text.find("nodes") != text.npos) return machine;
    return parse_error(text, "'nodes' expected at " + Reader{text}.rest());
}

Result<Machine> describe_machine(Machine machine, std::string_view text) {
    for (std::size_t at = 0; at <= text.size();) {
        auto const end = std::min(text.find_first_of(";\n", at), text.size());
        auto const line = text.substr(at, end - at);
        auto const section = line.substr(0, line.find('#'));
        at = end + 1;
        if (section.find_first_not_of(" \t\r") == section.npos) continue;
        if (auto const status = set_section(machine, section); !status.ok()) return status;
    }
    if (auto const status = check_places(machine); !status.ok()) return status;
    return machine;
}

}  // namespace muster
