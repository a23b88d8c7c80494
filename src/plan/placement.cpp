#include "plan/placement.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/hints.hpp"
#include "plan/words.hpp"

namespace muster {

namespace {

constexpr Size most_entries_by_rank = Size{1} << 18;
constexpr Size most_entries_by_node = Size{1} << 20;
constexpr int most_assigned = 1000;            // domains and candidate ranks; beyond, nodes are the candidates
constexpr Size worth_placing = Size{1} << 20;  // bytes of a call below which nobody would notice

std::size_t at(int index) { return static_cast<std::size_t>(index); }

double as_double(Size bytes) { return static_cast<double>(bytes); }

// What a rank costs as the aggregator of a domain is what its node costs, less what it need not send to itself.
struct NodeCosts {
    CostMatrix base;  // domains x nodes
    double own_weight{0};
    std::vector<Rank> classic{};  // preferred among equals
    double preference{0};

    double bonus(Rank rank, int domain) const {
        return !classic.empty() && classic[at(domain)] == rank ? preference : 0;
    }
};

// Ranks of each node, and what a rank itself has of a domain.
class Owners {
public:
    Owners(Machine const& machine, DomainBytes const& bytes)
        : machine_{machine}, bytes_{bytes}, ranks_{machine.ranks_by_node()} {}

    double own(Rank rank, int domain) const {
        if (bytes_.rows == DomainBytes::Rows::ranks) return as_double(bytes_.at(rank, domain));
        auto const node = machine_.node_of[at(rank)];
        return as_double(bytes_.at(node, domain)) / as_double(static_cast<Size>(ranks_[at(node)].size()));
    }
    std::vector<Rank> const& ranks(int node) const { return ranks_[at(node)]; }
    Machine const& machine() const { return machine_; }

private:
    Machine const& machine_;
    DomainBytes const& bytes_;
    std::vector<std::vector<Rank>> ranks_;
};

// Hops from a node to all nodes.
std::vector<double> hops_from(Machine const& machine, int from, std::vector<int> const& places) {
    auto const hops = machine.network.distances(places[at(from)], places);
    std::vector<double> found{hops.begin(), hops.end()};
    found[at(from)] = machine.network.distance_inside();
    return found;
}

// W = D C, row by row of D: no more of it is ever held.
NodeCosts topology_costs(Machine const& machine, DomainBytes const& nodes) {
    NodeCosts costs{{nodes.domains, nodes.row_count}, machine.network.distance_inside()};
    std::vector<int> places;
    for (int node = 0; node < nodes.row_count; ++node) places.push_back(machine.place(node));
    for (int from = 0; from < nodes.row_count; ++from) {
        std::vector<double> hops;
        for (int domain = 0; domain < nodes.domains; ++domain) {
            auto const bytes = as_double(nodes.at(from, domain));
            if (bytes == 0) continue;
            if (hops.empty()) hops = hops_from(machine, from, places);
            auto* const row = &costs.base.at(domain, 0);
            for (std::size_t to = 0; to < hops.size(); ++to) row[to] += hops[to] * bytes;
        }
    }
    return costs;
}

// The least by which two sums of such bytes can differ.
double least_difference(DomainBytes const& bytes) {
    if (bytes.rows != DomainBytes::Rows::ranks) return 1;
    Size divisor = 0;
    for (auto const count : bytes.bytes) divisor = std::gcd(divisor, count);
    return as_double(std::max<Size>(divisor, 1));
}

// Only what stays in a rank counts; among equals the shorter way: all hops together never add up to a difference in bytes.
NodeCosts locality_costs(Machine const& machine, DomainBytes const& bytes) {
    auto costs = topology_costs(machine, bytes.by_node(machine));
    double longest = 1;
    for (int domain = 0; domain < costs.base.rows; ++domain) {
        auto const* const row = &costs.base.at(domain, 0);
        longest += *std::max_element(row, row + costs.base.columns);
    }
    auto const scale = least_difference(bytes) / 2 / longest;
    for (auto& cost : costs.base.costs) cost *= scale;
    costs.own_weight = 1 + scale * costs.own_weight;
    return costs;
}

NodeCosts memory_costs(PlacementRequest const& request) {
    auto const nodes = request.machine.node_count();
    NodeCosts costs{{request.bytes.domains, nodes}, 0};
    for (int domain = 0; domain < request.bytes.domains; ++domain) {
        for (int node = 0; node < nodes; ++node) {
            auto const choice = choose_tier(request.machine, request.bytes, domain, node, request.demand);
            costs.base.at(domain, node) = choice ? choice->seconds : 1e30;
        }
    }
    return costs;
}

NodeCosts costs_for(Placement policy, PlacementRequest const& request) {
    if (policy == Placement::memory) return memory_costs(request);
    if (policy == Placement::locality) return locality_costs(request.machine, request.bytes);
    return topology_costs(request.machine, request.bytes.by_node(request.machine));
}

double rank_cost(NodeCosts const& costs, Owners const& owners, Rank rank, int domain) {
    return costs.base.at(domain, owners.machine().node_of[at(rank)]) - costs.own_weight * owners.own(rank, domain) -
           costs.bonus(rank, domain);
}

double total_cost(NodeCosts const& costs, Owners const& owners, std::vector<Rank> const& aggregators) {
    double total = 0;
    for (int domain = 0; domain < costs.base.rows; ++domain) {
        total += rank_cost(costs, owners, aggregators[at(domain)], domain);
    }
    return total;
}

std::vector<Rank> assign_to_ranks(NodeCosts const& costs, Owners const& owners) {
    CostMatrix matrix{costs.base.rows, owners.machine().rank_count()};
    for (int domain = 0; domain < matrix.rows; ++domain) {
        for (Rank rank = 0; rank < matrix.columns; ++rank) {
            matrix.at(domain, rank) = rank_cost(costs, owners, rank, domain);
        }
    }
    return assign(matrix);
}

// A node's domains to its ranks, so that most stays in a rank.
void settle_in_node(NodeCosts const& costs, Owners const& owners, std::vector<int> const& domains,
                    std::vector<Rank>& aggregators) {
    auto const& ranks = owners.ranks(aggregators[at(domains.front())]);  // still the node
    CostMatrix matrix{static_cast<int>(domains.size()), static_cast<int>(ranks.size())};
    for (int i = 0; i < matrix.rows; ++i) {
        for (int j = 0; j < matrix.columns; ++j) {
            matrix.at(i, j) = rank_cost(costs, owners, ranks[at(j)], domains[at(i)]);
        }
    }
    auto const columns = assign(matrix);
    for (int i = 0; i < matrix.rows; ++i) aggregators[at(domains[at(i)])] = ranks[at(columns[at(i)])];
}

// Places on nodes: so many of each, as far as it has ranks.
std::vector<int> node_slots(Owners const& owners, int per_node) {
    std::vector<int> slots;
    for (int node = 0; node < owners.machine().node_count(); ++node) {
        auto const count = std::min(per_node, static_cast<int>(owners.ranks(node).size()));
        slots.insert(slots.end(), at(count), node);
    }
    return slots;
}

// What the best of a node's ranks would cost.
double node_cost(NodeCosts const& costs, Owners const& owners, int node, int domain) {
    auto best = rank_cost(costs, owners, owners.ranks(node).front(), domain);
    for (auto const rank : owners.ranks(node)) best = std::min(best, rank_cost(costs, owners, rank, domain));
    return best;
}

std::vector<Rank> assign_to_nodes(NodeCosts const& costs, Owners const& owners, std::vector<int> const& slots) {
    CostMatrix matrix{costs.base.rows, static_cast<int>(slots.size())};
    for (int domain = 0; domain < matrix.rows; ++domain) {
        for (int slot = 0; slot < matrix.columns; ++slot) {
            auto const node = slots[at(slot)];
            auto const same = slot > 0 && slots[at(slot - 1)] == node;
            matrix.at(domain, slot) = same ? matrix.at(domain, slot - 1) : node_cost(costs, owners, node, domain);
        }
    }
    auto const chosen = assign(matrix);
    std::vector<Rank> aggregators(at(matrix.rows));
    std::map<int, std::vector<int>> domains_of;
    for (int domain = 0; domain < matrix.rows; ++domain) {
        auto const node = slots[at(chosen[at(domain)])];
        aggregators[at(domain)] = node;
        domains_of[node].push_back(domain);
    }
    for (auto const& [node, domains] : domains_of) settle_in_node(costs, owners, domains, aggregators);
    return aggregators;
}

// So many candidates that all domains find a place.
int candidates_per_node(PlacementRequest const& request) {
    auto const domains = request.bytes.domains;
    auto const nodes = request.machine.node_count();
    auto const fair = (domains + nodes - 1) / nodes;
    auto const large = request.machine.rank_count() > most_assigned;
    if (request.per_node == 0) return large ? fair : 0;
    return request.per_node;
}

std::vector<Rank> assign_domains(PlacementRequest const& request, NodeCosts const& costs, Owners const& owners) {
    auto const per_node = candidates_per_node(request);
    if (per_node == 0) return assign_to_ranks(costs, owners);
    auto const slots = node_slots(owners, per_node);
    if (static_cast<int>(slots.size()) < request.bytes.domains) return request.classic;
    return assign_to_nodes(costs, owners, slots);
}

// Adds up what the links carry.
class LinkLoads {
public:
    explicit LinkLoads(Network const& network) : network_{network} {}

    void add(int from, int to, double bytes) {
        network_.for_each_link(from, to, [&](Link const& link) { loads_[link] += bytes / link.width; });
    }
    void tell(PlacementCost& cost) const {
        auto const less = [](auto const& left, auto const& right) { return left.second < right.second; };
        auto const busiest = std::max_element(loads_.begin(), loads_.end(), less);
        if (busiest == loads_.end()) return;
        cost.busiest_link = busiest->second;
        cost.busiest_link_name = network_.link_text(busiest->first);
    }

private:
    Network const& network_;
    std::map<Link, double> loads_;
};

std::string compared(double now, double before) {
    return format_size(static_cast<Size>(now)) + " instead of " + format_size(static_cast<Size>(before));
}

}  // namespace

PlacementCost cost_of_placement(Machine const& machine, DomainBytes const& bytes,
                                std::vector<Rank> const& aggregators) {
    PlacementCost cost;
    LinkLoads loads{machine.network};
    Owners const owners{machine, bytes};
    auto const nodes = bytes.by_node(machine);
    for (int domain = 0; domain < bytes.domains; ++domain) {
        auto const aggregator = aggregators[at(domain)];
        auto const home = machine.node_of[at(aggregator)];
        for (int node = 0; node < nodes.row_count; ++node) {
            auto const count = nodes.at(node, domain);
            if (count == 0) continue;
            if (node == home) {
                auto const moved = as_double(count) - owners.own(aggregator, domain);
                cost.bytes_inside += static_cast<Size>(moved);
                cost.hop_bytes += machine.network.distance_inside() * moved;
            } else {
                cost.bytes_between += count;
                cost.hop_bytes += machine.node_distance(node, home) * as_double(count);
                loads.add(machine.place(node), machine.place(home), as_double(count));
            }
        }
    }
    loads.tell(cost);
    return cost;
}

CostMatrix hop_bytes(Machine const& machine, DomainBytes const& bytes) {
    auto const costs = topology_costs(machine, bytes.by_node(machine));
    Owners const owners{machine, bytes};
    CostMatrix matrix{bytes.domains, machine.rank_count()};
    for (int domain = 0; domain < matrix.rows; ++domain) {
        for (Rank rank = 0; rank < matrix.columns; ++rank) {
            matrix.at(domain, rank) = rank_cost(costs, owners, rank, domain);
        }
    }
    return matrix;
}

PlacementChoice place_domains(Placement policy, PlacementRequest const& request) {
    auto costs = costs_for(policy, request);
    // Less than any difference that counts: bytes are whole numbers, hops halves of them.
    if (policy == Placement::topology) {
        costs.classic = request.classic;
        costs.preference = 0.25 / (request.bytes.domains + 1);
    }
    Owners const owners{request.machine, request.bytes};
    PlacementChoice choice;
    choice.aggregators = assign_domains(request, costs, owners);
    if (total_cost(costs, owners, request.classic) <= total_cost(costs, owners, choice.aggregators)) {
        choice.aggregators = request.classic;
    }
    choice.chosen = cost_of_placement(request.machine, request.bytes, choice.aggregators);
    choice.classic = cost_of_placement(request.machine, request.bytes, request.classic);
    // A few bytes that stay at home are not worth a longer way for all the others.
    if (policy == Placement::locality && choice.chosen.hop_bytes > choice.classic.hop_bytes) {
        choice.aggregators = request.classic;
        choice.chosen = choice.classic;
    }
    if (policy != Placement::memory || choice.aggregators.empty()) return choice;
    auto const node = request.machine.node_of[at(choice.aggregators[0])];
    auto const tier = choose_tier(request.machine, request.bytes, 0, node, request.demand);
    choice.tier = tier ? tier->tier : -1;
    return choice;
}

int most_on_a_node(Machine const& machine, std::vector<Rank> const& aggregators) {
    std::vector<int> counts(static_cast<std::size_t>(machine.node_count()));
    int most = 0;
    for (auto const rank : aggregators) {
        auto const node = static_cast<std::size_t>(machine.node_of[static_cast<std::size_t>(rank)]);
        most = std::max(most, ++counts[node]);
    }
    return most;
}

PlacementChoice classic_placement(PlacementRequest const& request) {
    auto const cost = cost_of_placement(request.machine, request.bytes, request.classic);
    return {request.classic, cost, cost, -1};
}

PlacementNeed placement_need(Plan const& plan, Machine const& machine, Hints const& hints) {
    PlacementNeed need{false, hints.placement, DomainBytes::Rows::ranks, {}};
    auto const asked = hints.placement == Placement::locality || hints.placement == Placement::topology ||
                       hints.placement == Placement::memory;
    auto const listed = hints.placement == Placement::automatic && !hints.aggregator_list.empty();
    auto const worth = hints.placement == Placement::automatic && !listed && machine.has_network() &&
                       plan.summary.bytes >= worth_placing;
    if (plan.route != Route::exchange || !(asked || worth)) return need;
    if (!asked) need.policy = Placement::topology;
    auto const domains = Size{plan.domains.count};
    if (machine.node_count() == 1 && need.policy != Placement::locality) {
        need.reason = "all ranks are on one node";
    } else if (domains * machine.rank_count() <= most_entries_by_rank) {
        need.wanted = true;
    } else if (domains * machine.node_count() <= most_entries_by_node && domains <= 4 * most_assigned) {
        need.wanted = true;
        need.rows = DomainBytes::Rows::nodes;
    } else {
        need.reason = "too many domains and nodes to weigh all of them";
    }
    if (!asked) need.reason.clear();
    return need;
}

AggregatorChoice placed_aggregators(Placement policy, PlacementChoice const& choice, Machine const& machine) {
    auto const name = policy == Placement::locality ? "locality" : policy == Placement::memory ? "memory" : "topology";
    std::string reason = std::string{"placed by "} + name + ": hop-bytes " +
                         compared(choice.chosen.hop_bytes, choice.classic.hop_bytes) + ", between nodes " +
                         compared(as_double(choice.chosen.bytes_between), as_double(choice.classic.bytes_between));
    if (machine.network.knows_routes()) {
        reason += ", busiest link " + compared(choice.chosen.busiest_link, choice.classic.busiest_link);
    }
    std::string tier;
    if (choice.tier >= 0) tier = machine.tiers[at(choice.tier)].name;
    if (!tier.empty()) reason += ", windows in " + tier;
    return {choice.aggregators, reason, tier};
}

}  // namespace muster
