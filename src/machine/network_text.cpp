#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "machine/network.hpp"
#include "machine/reader.hpp"

namespace muster {

namespace {

constexpr Size most_places = 1 << 24;
constexpr int most_listed = 4096;
using Kind = Network::Kind;

struct Word {
    Kind kind;
    std::string_view name;
};
constexpr std::array words{Word{Kind::flat, "flat"},         Word{Kind::fat_tree, "fat-tree"},
                           Word{Kind::tree, "tree"},         Word{Kind::dragonfly, "dragonfly"},
                           Word{Kind::torus, "torus"},       Word{Kind::mesh, "mesh"},
                           Word{Kind::switches, "switches"}, Word{Kind::distances, "distances"},
                           Word{Kind::routes, "routes"},     Word{Kind::fabric, "fabric"}};

Status wrong(std::string const& what) {
    return {Code::invalid_argument,
            "not a network such as 'tree 20 x 4', 'dragonfly 9 x 4 x 2' or 'torus 8 x 8': " + what};
}

std::string number_text(double value) {
    std::array<char, 32> text{};
    auto const end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

struct Scale {
    double factor;
    std::string_view unit;
};
constexpr std::array seconds_scales{Scale{1, "s"}, Scale{1e-3, "ms"}, Scale{1e-6, "us"}, Scale{1e-9, "ns"}};
constexpr std::array byte_scales{Scale{1e12, "TB/s"}, Scale{1e9, "GB/s"}, Scale{1e6, "MB/s"}, Scale{1e3, "kB/s"},
                                 Scale{1, "B/s"}};

// The shortest text that is read back as the same number; rather 100ms than 0.1s.
template <std::size_t N>
std::string scaled_text(double value, std::array<Scale, N> const& scales) {
    std::string best;
    std::size_t least = 0;
    for (auto const& [factor, unit] : scales) {
        if (value / factor * factor != value) continue;
        auto text = number_text(value / factor).append(unit);
        auto const length = text.size() + (value < factor ? 3 : 0);
        if (best.empty() || length < least) best = std::move(text), least = length;
    }
    return best;
}

template <std::size_t N>
Result<double> parse_scaled(std::string_view text, std::array<Scale, N> const& scales, std::string const& example) {
    Reader reader{text};
    auto const number = reader.take_decimal();
    for (auto const& [factor, unit] : scales) {
        auto rest = reader;
        if (number && rest.take(unit) && rest.at_end()) return *number * factor;
    }
    return Status{Code::invalid_argument, "'" + std::string{text} + "' is not " + example};
}

// "4 x 4 x 2"
Status take_shape(Reader& reader, Network& network) {
    Size places = 1;
    do {
        auto const number = reader.take_number();
        if (!number || *number < 1) return wrong("a number from 1 on expected at " + reader.rest());
        network.shape.push_back(*number);
        places *= *number;
        if (places > most_places) return wrong("more than 16777216 places");
    } while (reader.take("x"));
    auto const three = network.kind == Kind::dragonfly;
    if (three && network.shape.size() != 3) return wrong("a dragonfly has groups x routers x nodes per router");
    return {};
}

// Every vertex must lead to the root.
bool leads_to_root(std::vector<int> const& parents) {
    for (std::size_t vertex = 0; vertex < parents.size(); ++vertex) {
        auto at = static_cast<int>(vertex);
        for (std::size_t steps = 0; at >= 0; ++steps) {
            if (at >= static_cast<int>(parents.size()) || steps > parents.size()) return false;
            at = parents[static_cast<std::size_t>(at)];
        }
    }
    return true;
}

Status take_switches(Reader& reader, Network& network) {
    do {
        auto const root = reader.take("-");
        auto const parent = root ? std::optional{-1} : reader.take_number();
        if (!parent) return wrong("the switch above a place or switch expected at " + reader.rest());
        network.parents.push_back(*parent);
    } while (reader.take(","));
    auto const& parents = network.parents;
    auto const roots = std::count(parents.begin(), parents.end(), -1);
    if (roots != 1 || parents.back() != -1 || !leads_to_root(parents)) {
        return wrong("all must lead to one root, which is the last and has '-' above it");
    }
    // Places are those before the first that is above another.
    auto first = static_cast<int>(parents.size());
    for (auto const parent : parents) first = parent >= 0 ? std::min(first, parent) : first;
    network.place_count = std::min(first, static_cast<int>(parents.size()) - 1);
    return {};
}

Status take_distances(Reader& reader, Network& network) {
    int rows = 0;
    do {
        auto const before = network.hops.size();
        for (auto number = reader.take_number(); number; number = reader.take_number()) {
            network.hops.push_back(*number);
            reader.take(",");
        }
        auto const columns = static_cast<int>(network.hops.size() - before);
        if (rows == 0) network.place_count = columns;
        if (columns == 0) return wrong("a distance expected at " + reader.rest());
        if (columns != network.place_count) return wrong("rows of distances differ in length");
        if (columns > most_listed) return wrong("more than 4096 places");
        ++rows;
    } while (reader.take("/"));
    return rows == network.place_count ? Status{} : wrong("as many rows as columns of distances expected");
}

struct ListedRoute {
    int from;
    int to;
    std::vector<int> links;
};

Result<ListedRoute> take_route(Reader& reader, std::map<std::string, int>& links) {
    ListedRoute route{};
    auto const from = reader.take_number();
    auto const to = from && reader.take("-") ? reader.take_number() : std::nullopt;
    if (!to || *from >= most_listed || *to >= most_listed)
        return wrong("two places as in 0-1 expected at " + reader.rest());
    route.from = *from;
    route.to = *to;
    do {
        auto const name = reader.take_name();
        if (name.empty()) return wrong("the name of a link expected at " + reader.rest());
        route.links.push_back(links.try_emplace(name, static_cast<int>(links.size())).first->second);
    } while (reader.take(","));
    return route;
}

// Pairs without a route take the one of the way back.
Status complete_routes(Network& network) {
    auto const count = network.place_count;
    auto const path = [&](int from, int to) -> std::vector<int>& {
        return network
            .paths[static_cast<std::size_t>(from) * static_cast<std::size_t>(count) + static_cast<std::size_t>(to)];
    };
    for (int from = 0; from < count; ++from) {
        for (int to = 0; to < count; ++to) {
            if (from == to) continue;
            if (path(from, to).empty()) path(from, to) = path(to, from);
            if (path(from, to).empty()) {
                return wrong("there is no route between " + std::to_string(from) + " and " + std::to_string(to));
            }
        }
    }
    return {};
}

Status take_routes(Reader& reader, Network& network) {
    std::map<std::string, int> links;
    std::vector<ListedRoute> routes;
    do {
        auto route = take_route(reader, links);
        if (!route) return route.status();
        network.place_count = std::max({network.place_count, route->from + 1, route->to + 1});
        routes.push_back(std::move(*route));
    } while (reader.take("/"));
    auto const count = static_cast<std::size_t>(network.place_count);
    network.paths.resize(count * count);
    for (auto& route : routes) {
        network.paths[static_cast<std::size_t>(route.from) * count + static_cast<std::size_t>(route.to)] = route.links;
    }
    network.links.resize(links.size());
    for (auto const& [name, index] : links) network.links[static_cast<std::size_t>(index)] = name;
    return complete_routes(network);
}

// "0-4" or "4-5x2"
Result<Cable> take_cable(Reader& reader) {
    auto const one = reader.take_number();
    auto const other = one && reader.take("-") ? reader.take_number() : std::nullopt;
    if (!other) return wrong("a cable as in 0-4 expected at " + reader.rest());
    auto const width = reader.take("x") ? reader.take_decimal() : std::optional{1.0};
    if (!width) return wrong("a number of cables expected at " + reader.rest());
    return Cable{*one, *other, *width};
}

Status take_fabric(Reader& reader, Network& network) {
    auto const places = reader.take_number();
    if (!places || !reader.take(":")) return wrong("the number of places and ':' expected at " + reader.rest());
    std::vector<Cable> cables;
    do {
        auto const cable = take_cable(reader);
        if (!cable) return cable.status();
        cables.push_back(*cable);
    } while (reader.take(","));
    auto fabric = Fabric::make(*places, cables);
    if (fabric) network.fabric = std::move(*fabric);
    return fabric ? Status{} : wrong(fabric.status().message());
}

Status take_body(Reader& reader, Network& network) {
    switch (network.kind) {
        case Kind::flat: return {};
        case Kind::switches: return take_switches(reader, network);
        case Kind::distances: return take_distances(reader, network);
        case Kind::routes: return take_routes(reader, network);
        case Kind::fabric: return take_fabric(reader, network);
        default: return take_shape(reader, network);
    }
}

Status take_speeds(Reader& reader, Network& network) {
    while (!reader.at_end()) {
        auto const latency = reader.take("latency");
        if (!latency && !reader.take("bandwidth")) return wrong("nothing more expected at " + reader.rest());
        // The unit of a bandwidth has a slash in it.
        auto word = reader.take_name();
        if (reader.take("/")) word += "/" + reader.take_name();
        auto const value = latency ? parse_seconds(word) : parse_bandwidth(word);
        if (!value) return wrong(value.status().message());
        (latency ? network.latency : network.bandwidth) = *value;
    }
    return network.bandwidth > 0 ? Status{} : wrong("a bandwidth of 0");
}

template <class T, class Text>
std::string joined(std::vector<T> const& values, std::string_view separator, Text&& text) {
    std::string all;
    for (std::size_t i = 0; i < values.size(); ++i) all.append(i == 0 ? "" : separator).append(text(values[i]));
    return all;
}

std::string listed_text(Network const& network) {
    std::string text;
    auto const count = network.place_count;
    for (int from = 0; from < count; ++from) {
        for (int to = 0; to < count; ++to) {
            auto const index =
                static_cast<std::size_t>(from) * static_cast<std::size_t>(count) + static_cast<std::size_t>(to);
            if (network.kind == Kind::distances) {
                text += (to > 0 ? " " : (from > 0 ? " / " : "")) + std::to_string(network.hops[index]);
            } else if (from != to) {
                auto const name = [&](int link) { return network.links[static_cast<std::size_t>(link)]; };
                text += (text.empty() ? "" : " / ") + std::to_string(from) + "-" + std::to_string(to) + " " +
                        joined(network.paths[index], ",", name);
            }
        }
    }
    return text;
}

std::string cable_text(Cable const& cable) {
    return std::to_string(cable.one) + "-" + std::to_string(cable.other) +
           (cable.width == 1 ? "" : "x" + number_text(cable.width));
}

std::string body_text(Network const& network) {
    auto const number = [](int value) { return value < 0 ? std::string{"-"} : std::to_string(value); };
    if (network.kind == Kind::flat) return {};
    if (network.kind == Kind::switches) return " " + joined(network.parents, ",", number);
    if (network.kind == Kind::fabric) {
        return " " + std::to_string(network.fabric.places()) + ": " + joined(network.fabric.cables(), ",", cable_text);
    }
    if (!network.shape.empty()) return " " + joined(network.shape, " x ", number);
    return " " + listed_text(network);
}

}  // namespace

Result<double> parse_seconds(std::string_view text) {
    return parse_scaled(text, seconds_scales, "a time such as 2us or 30ms");
}
std::string seconds_text(double seconds) { return scaled_text(seconds, seconds_scales); }
Result<double> parse_bandwidth(std::string_view text) {
    return parse_scaled(text, byte_scales, "a bandwidth such as 12.5GB/s");
}
std::string bandwidth_text(double bytes_per_second) { return scaled_text(bytes_per_second, byte_scales); }

std::string Network::text() const {
    std::string text;
    for (auto const& word : words) {
        if (word.kind == kind) text = word.name;
    }
    text += body_text(*this);
    Network const usual;
    if (latency != usual.latency) text += " latency " + seconds_text(latency);
    if (bandwidth != usual.bandwidth) text += " bandwidth " + bandwidth_text(bandwidth);
    return text;
}

Result<Network> parse_network(std::string_view text) {
    Reader reader{text};
    for (auto const& word : words) {
        if (!reader.take(word.name)) continue;
        Network network;
        network.kind = word.kind;
        if (auto const status = take_body(reader, network); !status.ok()) return status;
        if (auto const status = take_speeds(reader, network); !status.ok()) return status;
        return network;
    }
    return wrong("a kind of network expected at " + reader.rest());
}

}  // namespace muster
