// The network between nodes, as a value: distances in hops and routes over links. Regular networks are formulas, so that
// nothing grows with the square of the nodes.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "machine/fabric.hpp"
#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster {

// A link in one direction. What `group` and `index` mean is the network's business; link_text says it in words.
struct Link {
    int group{0};
    Size index{0};
    bool back{false};
    double width{1};  // so many cables side by side, among which traffic is spread

    bool operator<(Link const& other) const {
        return std::tie(group, index, back) < std::tie(other.group, other.index, other.back);
    }
};

// A place is where a node can be plugged in. A hop is a link on the way: two nodes of one switch are 2 hops apart.
struct Network {
    enum class Kind {
        flat,       // one switch, however many nodes
        tree,       // shape: nodes per lowest switch, lowest switches per switch above, ...; one cable up from each
        fat_tree,   // the same with as many cables up as there are nodes below
        dragonfly,  // shape: groups, routers per group, nodes per router; groups are joined pair by pair
        torus,      // shape: the extent of each dimension; the last varies fastest with the place
        mesh,       // the same without the links around the edges
        switches,   // any tree of switches
        distances,  // hops between all pairs of places; ways are not known
        routes,     // the links between all pairs of places
        fabric,     // switches and cables, in any way
    };

    Kind kind{Kind::flat};
    std::vector<int> shape;
    std::vector<int> parents;             // switches: of the places, then of the switches; -1: the root
    std::vector<int> hops;                // distances: row by row
    std::vector<std::vector<int>> paths;  // routes: row by row, indices of links
    std::vector<std::string> links;       // routes: their names
    Fabric fabric;
    int place_count{0};        // switches, distances, routes
    double latency{1e-6};      // seconds per hop
    double bandwidth{12.5e9};  // bytes per second of a cable

    int places() const;                    // 0: any number
    int distance(int from, int to) const;  // hops between two places
    // To each of these places: faster than one by one, and no more memory than a number for each place.
    std::vector<int> distances(int from, std::vector<int> const& to) const;
    // Between two ranks of one node: less than to any other node.
    double distance_inside() const { return kind == Kind::torus || kind == Kind::mesh ? 0.5 : 1; }
    bool knows_routes() const { return kind != Kind::distances; }
    // Calls visit for every link on the way; none where routes are not known.
    void for_each_link(int from, int to, std::function<void(Link const&)> const& visit) const;
    std::string link_text(Link const& link) const;

    // "flat", "tree 20 x 4", "fat-tree 16 x 16 x 4", "dragonfly 9 x 4 x 2", "torus 4 x 4 x 4", "mesh 8 x 8",
    // "switches 4,4,5,5,6,6,-", "distances 0 2 4 / 2 0 4 / 4 4 0", "routes 0-1 a,b / 0-2 a,c / 1-2 b,c",
    // "fabric 4: 0-4,1-4,2-5,3-5,4-5x2" (places; cables, x2: two side by side); then, where they are not the default,
    // "latency 2us" and "bandwidth 25GB/s".
    std::string text() const;
    bool operator==(Network const&) const = default;
};

// At most 2^24 places of regular networks, 4096 of those given pair by pair.
Result<Network> parse_network(std::string_view text);

// "1.5us", "30ms", "2s" in seconds, and back.
Result<double> parse_seconds(std::string_view text);
std::string seconds_text(double seconds);
// "12.5GB/s", "800MB/s" (powers of ten) in bytes per second, and back.
Result<double> parse_bandwidth(std::string_view text);
std::string bandwidth_text(double bytes_per_second);

}  // namespace muster
