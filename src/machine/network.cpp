#include "machine/network.hpp"

#include <algorithm>
#include <numeric>

namespace muster {

namespace {

using Visit = std::function<void(Link const&)>;

int product(std::vector<int> const& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 1, std::multiplies<>{});
}

// --- trees of equal switches; a flat network is one without end ---

// Nodes below a switch of a level, from 0 for a place itself.
Size nodes_below(Network const& network, int level) {
    Size nodes = 1;
    for (int i = 0; i < level; ++i) nodes *= network.shape[static_cast<std::size_t>(i)];
    return nodes;
}

// The level of the lowest switch above both.
int meeting_level(Network const& network, int from, int to) {
    if (network.kind == Network::Kind::flat) return 1;
    int level = 0;
    for (; from != to; ++level) {
        from /= network.shape[static_cast<std::size_t>(level)];
        to /= network.shape[static_cast<std::size_t>(level)];
    }
    return level;
}

void climb(Network const& network, int from, int to, Visit const& visit) {
    auto const top = meeting_level(network, from, to);
    for (int level = 0; level < top; ++level) {
        auto const below = network.kind == Network::Kind::flat ? 1 : nodes_below(network, level);
        auto const width = network.kind == Network::Kind::fat_tree ? static_cast<double>(below) : 1.0;
        visit({level, from / below, false, width});
        visit({level, to / below, true, width});
    }
}

// --- dragonflies: minimal routes ---

struct Dragonfly {
    int groups;
    int routers;
    int nodes;

    explicit Dragonfly(Network const& network)
        : groups{network.shape[0]}, routers{network.shape[1]}, nodes{network.shape[2]} {}
    int router(int place) const { return place / nodes; }
    int group(int place) const { return place / nodes / routers; }
    // The router of `group` that has the cable to the group `other`.
    int gateway(int group, int other) const {
        return group * routers + ((other - group + groups) % groups - 1) % routers;
    }
};

enum DragonflyLink { injection, local, global };

void fly_inside(Dragonfly const& fly, int from, int to, Visit const& visit) {
    if (from != to) visit({local, Size{from} * fly.groups * fly.routers + to, false});
}

void fly(Network const& network, int from, int to, Visit const& visit) {
    Dragonfly const fly{network};
    auto const here = fly.group(from);
    auto const there = fly.group(to);
    visit({injection, from, false});
    if (here == there) {
        fly_inside(fly, fly.router(from), fly.router(to), visit);
    } else {
        fly_inside(fly, fly.router(from), fly.gateway(here, there), visit);
        visit({global, Size{here} * fly.groups + there, false});
        fly_inside(fly, fly.gateway(there, here), fly.router(to), visit);
    }
    visit({injection, to, true});
}

int hops_inside(int from, int to) { return from == to ? 0 : 1; }

int hops_between(Dragonfly const& fly, int from, int to) {
    constexpr int up_and_down = 2;
    auto const here = from / fly.routers;
    auto const there = to / fly.routers;
    if (here == there) return up_and_down + hops_inside(from, to);
    return up_and_down + 1 + hops_inside(from, fly.gateway(here, there)) + hops_inside(fly.gateway(there, here), to);
}

// --- grids: one dimension after the other, the last first, the shorter way around ---

void step_through(Network const& network, int from, int to, Visit const& visit) {
    int stride = 1;
    int at = from;
    for (auto dimension = static_cast<int>(network.shape.size()) - 1; dimension >= 0; --dimension) {
        auto const extent = network.shape[static_cast<std::size_t>(dimension)];
        auto const ahead = to / stride % extent - at / stride % extent;
        auto const around = network.kind == Network::Kind::torus;
        auto const forward = (ahead + extent) % extent;
        auto const back = around ? forward > extent - forward : ahead < 0;
        auto const steps = around ? std::min(forward, extent - forward) : std::abs(ahead);
        for (int i = 0; i < steps; ++i) {
            visit({dimension, at, back});
            auto const place = at / stride % extent;
            at += ((place + (back ? extent - 1 : 1)) % extent - place) * stride;
        }
        stride *= extent;
    }
}

int grid_steps(Network const& network, int extent, int from, int to) {
    auto const straight = std::abs(to - from);
    return network.kind == Network::Kind::torus ? std::min(straight, extent - straight) : straight;
}

int grid_distance(Network const& network, int from, int to) {
    int steps = 0;
    for (auto extent = network.shape.rbegin(); extent != network.shape.rend(); ++extent) {
        steps += grid_steps(network, *extent, from % *extent, to % *extent);
        from /= *extent;
        to /= *extent;
    }
    return steps;
}

// --- distances from one place to all ---

std::vector<int> across_tree(Network const& network, int from) {
    auto const levels = static_cast<int>(network.shape.size());
    std::vector<int> hops(static_cast<std::size_t>(network.places()), 2 * levels);
    for (int level = levels - 1; level >= 0; --level) {
        auto const below = nodes_below(network, level);
        std::fill_n(hops.begin() + from / below * below, below, 2 * level);
    }
    return hops;
}

std::vector<int> across_dragonfly(Network const& network, int from) {
    Dragonfly const fly{network};
    std::vector<int> hops;
    hops.reserve(static_cast<std::size_t>(network.places()));
    for (int router = 0; router < fly.groups * fly.routers; ++router) {
        hops.insert(hops.end(), static_cast<std::size_t>(fly.nodes), hops_between(fly, fly.router(from), router));
    }
    hops[static_cast<std::size_t>(from)] = 0;
    return hops;
}

// One dimension after the other, the last first: what is known of the others is repeated for each place along it.
std::vector<int> across_grid(Network const& network, int from) {
    std::vector<int> hops{0};
    for (auto extent = network.shape.rbegin(); extent != network.shape.rend(); ++extent) {
        std::vector<int> more;
        more.reserve(hops.size() * static_cast<std::size_t>(*extent));
        for (int place = 0; place < *extent; ++place) {
            auto const steps = grid_steps(network, *extent, from % *extent, place);
            for (auto const known : hops) more.push_back(known + steps);
        }
        from /= *extent;
        hops = std::move(more);
    }
    return hops;
}

// Nothing where there is no faster way than one by one.
std::vector<int> across(Network const& network, int from) {
    switch (network.kind) {
        case Network::Kind::tree:
        case Network::Kind::fat_tree: return across_tree(network, from);
        case Network::Kind::dragonfly: return across_dragonfly(network, from);
        case Network::Kind::torus:
        case Network::Kind::mesh: return across_grid(network, from);
        default: return {};
    }
}

// --- any tree of switches ---

int depth_of(std::vector<int> const& parents, int vertex) {
    int depth = 0;
    for (; parents[static_cast<std::size_t>(vertex)] >= 0; vertex = parents[static_cast<std::size_t>(vertex)]) ++depth;
    return depth;
}

void climb_switches(Network const& network, int from, int to, Visit const& visit) {
    auto const& parents = network.parents;
    auto below = depth_of(parents, from) - depth_of(parents, to);
    while (from != to) {
        if (below >= 0) {
            visit({0, from, false});
            from = parents[static_cast<std::size_t>(from)];
        }
        if (below <= 0) {
            visit({0, to, true});
            to = parents[static_cast<std::size_t>(to)];
        }
        below -= below > 0 ? 1 : (below < 0 ? -1 : 0);
    }
}

// --- any fabric ---

void follow(Fabric const& fabric, int from, int to, Visit const& visit) {
    fabric.for_each_cable(from, to, [&](std::size_t cable, bool back) {
        visit({0, static_cast<Size>(cable), back, fabric.cables()[cable].width});
    });
}

std::string cable_text(Fabric const& fabric, Link const& link) {
    auto const name = [&](int vertex) {
        return vertex < fabric.places() ? "node " + std::to_string(vertex)
                                        : "switch " + std::to_string(vertex - fabric.places());
    };
    auto const& cable = fabric.cables()[static_cast<std::size_t>(link.index)];
    return link.back ? name(cable.other) + " to " + name(cable.one) : name(cable.one) + " to " + name(cable.other);
}

std::size_t pair_index(Network const& network, int from, int to) {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(network.place_count) +
           static_cast<std::size_t>(to);
}

std::string tree_link_text(Link const& link) {
    auto const below = link.group == 0 ? "node " : "switch ";
    auto const level = link.group > 1 ? " of level " + std::to_string(link.group) : "";
    return (link.back ? "down to " : "up from ") + (below + std::to_string(link.index)) + level;
}

std::string dragonfly_link_text(Network const& network, Link const& link) {
    Dragonfly const fly{network};
    auto const routers = Size{fly.groups} * fly.routers;
    if (link.group == injection) return (link.back ? "down to node " : "up from node ") + std::to_string(link.index);
    auto const by = link.group == local ? routers : fly.groups;
    return (link.group == local ? "router " : "group ") + std::to_string(link.index / by) + " to " +
           std::to_string(link.index % by);
}

}  // namespace

int Network::places() const {
    if (kind == Kind::flat) return 0;
    if (kind == Kind::fabric) return fabric.places();
    return shape.empty() ? place_count : product(shape);
}

int Network::distance(int from, int to) const {
    if (from == to) return 0;
    if (kind == Kind::distances) return hops[pair_index(*this, from, to)];
    if (kind == Kind::flat || kind == Kind::tree || kind == Kind::fat_tree) return 2 * meeting_level(*this, from, to);
    if (kind == Kind::fabric) return fabric.distance(from, to);
    if (kind == Kind::routes) return static_cast<int>(paths[pair_index(*this, from, to)].size());
    if (kind == Kind::torus || kind == Kind::mesh) return grid_distance(*this, from, to);
    if (kind == Kind::dragonfly) {
        Dragonfly const fly{*this};
        return hops_between(fly, fly.router(from), fly.router(to));
    }
    int count = 0;
    for_each_link(from, to, [&](Link const&) { ++count; });
    return count;
}

std::vector<int> Network::distances(int from, std::vector<int> const& to) const {
    constexpr std::size_t sparse = 16;  // so many times more places than asked for
    auto const all = static_cast<std::size_t>(places()) > sparse * to.size() ? std::vector<int>{} : across(*this, from);
    std::vector<int> found;
    found.reserve(to.size());
    for (auto const place : to) {
        found.push_back(all.empty() ? distance(from, place) : all[static_cast<std::size_t>(place)]);
    }
    return found;
}

void Network::for_each_link(int from, int to, Visit const& visit) const {
    if (from == to) return;
    switch (kind) {
        case Kind::flat:
        case Kind::tree:
        case Kind::fat_tree: return climb(*this, from, to, visit);
        case Kind::dragonfly: return fly(*this, from, to, visit);
        case Kind::torus:
        case Kind::mesh: return step_through(*this, from, to, visit);
        case Kind::switches: return climb_switches(*this, from, to, visit);
        case Kind::fabric: return follow(fabric, from, to, visit);
        case Kind::distances: return;
        case Kind::routes: break;
    }
    for (auto const link : paths[pair_index(*this, from, to)]) visit({0, link, false});
}

std::string Network::link_text(Link const& link) const {
    if (kind == Kind::dragonfly) return dragonfly_link_text(*this, link);
    if (kind == Kind::fabric) return cable_text(fabric, link);
    if (kind == Kind::routes) return links[static_cast<std::size_t>(link.index)];
    if (kind == Kind::torus || kind == Kind::mesh) {
        return "node " + std::to_string(link.index) + (link.back ? " back" : " forward") + " in dimension " +
               std::to_string(link.group);
    }
    if (kind == Kind::switches && link.index >= place_count) {
        return (link.back ? "down to switch " : "up from switch ") + std::to_string(link.index - place_count);
    }
    return tree_link_text(link);
}

}  // namespace muster
