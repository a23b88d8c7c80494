#include "placement_examples.hpp"

#include <fmt/core.h>

#include "core/hints.hpp"
#include "plan/placement.hpp"
#include "table.hpp"

namespace muster::tool {

namespace {

DomainBytes bytes_of(int domains, std::vector<Size> counts) {
    DomainBytes bytes;
    bytes.row_count = static_cast<int>(counts.size()) / domains;
    bytes.domains = domains;
    bytes.bytes = std::move(counts);
    return bytes;
}

std::string joined(std::vector<Rank> const& ranks) {
    std::string text;
    for (auto const rank : ranks) text += (text.empty() ? "" : ", ") + std::to_string(rank);
    return text;
}

void print_costs(Machine const& machine, DomainBytes const& bytes) {
    auto const costs = hop_bytes(machine, bytes);
    std::vector<Row> rows{
        {"RANK", "BYTES IN DOMAINS 0, 1, 2", "HOPS TO RANKS 0 TO 5", "W: HOP-BYTES AS THEIR AGGREGATOR"}};
    for (Rank rank = 0; rank < machine.rank_count(); ++rank) {
        std::string own, hops, all;
        for (int domain = 0; domain < bytes.domains; ++domain) {
            own += fmt::format("{:2}", bytes.at(rank, domain));
            all += fmt::format("{:3}", costs.at(domain, rank));
        }
        for (Rank other = 0; other < machine.rank_count(); ++other)
            hops += fmt::format("{:2}", machine.distance(rank, other));
        rows.push_back({std::to_string(rank), own, hops, all});
    }
    fmt::print("{}", table_text(rows, terminal_width()));
}

Row placement_row(std::string name, PlacementCost const& cost, std::vector<Rank> const& ranks) {
    return {std::move(name), joined(ranks), fmt::format("{}", cost.hop_bytes), fmt::format("{}", cost.busiest_link)};
}

// Six ranks on three nodes, two of them on one switch.
void print_topology_example() {
    auto const machine = *parse_machine("nodes 3 x 2; network tree 2 x 2");
    auto const bytes = bytes_of(3, {3, 1, 0, 1, 3, 0, 4, 0, 0, 0, 0, 4, 0, 4, 0, 0, 0, 4});
    std::vector<Rank> const original{0, 2, 4};
    std::vector<Rank> const printed{2, 0, 3};
    auto const best = place_domains(Placement::topology, {machine, bytes, original});
    fmt::print("The example of \"Topology-Aware Two-Phase I/O\" (which prints 16 for the 19 of rank 0)\n");
    print_costs(machine, bytes);
    std::vector<Row> rows{{"PLACEMENT", "RANKS OF DOMAINS", "HOP-BYTES", "BUSIEST LINK"}};
    rows.push_back(placement_row("original", best.classic, original));
    rows.push_back(placement_row("as printed", cost_of_placement(machine, bytes, printed), printed));
    rows.push_back(placement_row("best", best.chosen, best.aggregators));
    fmt::print("{}", table_text(rows, terminal_width()));
}

std::string chosen_tier(Machine const& machine, DomainBytes const& bytes, MemoryDemand const& demand) {
    auto const choice = choose_tier(machine, bytes, 0, 1, demand);
    return choice ? machine.tiers[static_cast<std::size_t>(choice->tier)].name : std::string{"none"};
}

// Table 7: three buffers of 16 MB, and less and less room.
void print_capacities(Machine machine, DomainBytes const& bytes) {
    MemoryDemand const demand{3 * 16'000'000, false};
    std::vector<Row> rows{{"ROOM", "TIER OF RANK 1"}, {"as described", chosen_tier(machine, bytes, demand)}};
    for (auto& tier : machine.tiers) {
        tier.capacity = 32'000'000;
        rows.push_back({"32 MB of " + tier.name + ", too", chosen_tier(machine, bytes, demand)});
    }
    fmt::print("{}", table_text(rows, terminal_width()));
}

void print_memory_example() {
    auto const machine = *parse_machine(
        "nodes 4 x 1; network distances 0 4 8 4 / 4 0 5 4 / 8 5 0 6 / 4 4 6 0 latency 30ms bandwidth 12.5GB/s; "
        "tiers HBM 180GB/s 10ms 16GB, DRAM 90GB/s 20ms 192GB, NVR 150MB/s 100ms 1000GB persistent; storage 3,2,5,2");
    auto const bytes = bytes_of(1, {10'000'000, 50'000'000, 20'000'000, 5'000'000});
    fmt::print("\nThe toy of \"Memory- and topology-aware aggregation\": seconds by aggregator and tier\n");
    std::vector<Row> rows{{"RANK", "HBM", "DRAM", "NVR"}};
    for (int rank = 0; rank < machine.rank_count(); ++rank) {
        Row row{std::to_string(rank)};
        for (auto const& tier : machine.tiers)
            row.push_back(fmt::format("{:.3f}", aggregation_seconds(machine, bytes, 0, rank, tier)));
        rows.push_back(std::move(row));
    }
    fmt::print("{}", table_text(rows, terminal_width()));
    auto const best = place_domains(Placement::memory, {machine, bytes, {0}, 0, {3 * 16'000'000, false}});
    fmt::print("best: rank {} in {}\n", joined(best.aggregators),
               machine.tiers[static_cast<std::size_t>(best.tier)].name);
    print_capacities(machine, bytes);
}

}  // namespace

void print_placement_examples() {
    print_topology_example();
    print_memory_example();
}

}  // namespace muster::tool
