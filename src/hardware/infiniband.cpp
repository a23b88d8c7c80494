#include "hardware/infiniband.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

namespace muster {

namespace {

// --- what ibnetdiscover prints ---

// "Switch 36 "S-0002c90200486e48"  # "leaf 3" base port 0 lid 4 lmc 0" and, below it,
// "[3] "H-0002c903000f1a2c"[1](2c903000f1a2d)  # "node7 mlx5_0" lid 9 4xEDR".
// The local end of a port's line may have "[ext 2]" or a GUID in brackets behind it.
bool starts_device(std::string const& line) {
    for (auto const* kind : {"Switch", "Ca", "Hca", "Rt"}) {
        auto const length = std::char_traits<char>::length(kind);
        if (line.starts_with(kind) && line.find_first_of(" \t", length) == length && line.find('"') != line.npos) {
            return true;
        }
    }
    return false;
}

// The text between the next quotation marks from `at` on; `at` moves behind them.
std::string take_quoted(std::string const& line, std::size_t& at) {
    auto const open = line.find('"', at);
    auto const close = open == line.npos ? open : line.find('"', open + 1);
    at = close == line.npos ? line.size() : close + 1;
    return close == line.npos ? std::string{} : line.substr(open + 1, close - open - 1);
}

// "[12]" at a place in the line; 0 where there is none.
int port_at(std::string const& line, std::size_t at) {
    if (at >= line.size() || line[at] != '[') return 0;
    return std::atoi(line.c_str() + at + 1);
}

std::string last_word(std::string const& line) {
    auto const end = line.find_last_not_of(" \t\r");
    if (end == line.npos) return {};
    auto const start = line.find_last_of(" \t", end);
    return line.substr(start == line.npos ? 0 : start + 1, end - (start == line.npos ? 0 : start + 1) + 1);
}

class FabricReader {
public:
    Status take(std::string const& line) {
        if (starts_device(line)) return take_device(line);
        return line.starts_with("[") && current_ ? take_port(line) : Status{};
    }

    Result<FoundFabric> finish() {
        if (fabric_.devices.empty())
            return Status{Code::not_found, "no switches or adapters in what ibnetdiscover printed"};
        for (auto const& [id, index] : numbers_) {
            if (!described_.contains(index))
                return Status{Code::not_found, "a cable leads to " + id + ", which is missing"};
        }
        for (auto const& entry : cables_) fabric_.cables.push_back(entry.second);
        return in_order(std::move(fabric_));
    }

private:
    using End = std::pair<std::size_t, int>;  // device and port

    std::size_t number_of(std::string const& id) {
        auto const [entry, fresh] = numbers_.try_emplace(id, fabric_.devices.size());
        if (fresh) fabric_.devices.push_back({guid_of(id, entry->second), id, false});
        return entry->second;
    }

    // "H-0002c903000f1a2c"; a made-up name has none.
    static std::uint64_t guid_of(std::string const& id, std::size_t index) {
        if (id.size() == 18 && id[1] == '-') return std::strtoull(id.c_str() + 2, nullptr, 16);
        return index + 1;
    }

    Status take_device(std::string const& line) {
        std::size_t at = 0;
        auto const id = take_quoted(line, at);
        if (id.empty()) return {Code::invalid_argument, "ibnetdiscover's line makes no sense: " + line};
        current_ = number_of(id);
        described_.insert(*current_);
        auto& device = fabric_.devices[*current_];
        device.passes_on = line.starts_with("Switch") || line.starts_with("Rt");
        at = std::min(line.find('#', at), line.size());
        if (auto name = take_quoted(line, at); !name.empty()) device.name = std::move(name);
        return {};
    }

    Status take_port(std::string const& line) {
        std::size_t at = 0;
        auto const far_id = take_quoted(line, at);
        auto const port = port_at(line, 0);
        auto const far_port = port_at(line, at);
        if (far_id.empty() || port == 0 || far_port == 0) {
            return {Code::invalid_argument, "ibnetdiscover's line makes no sense: " + line};
        }
        End const here{*current_, port};
        End const there{number_of(far_id), far_port};
        auto const speed = line.find('#', at) == line.npos ? 0 : cable_bandwidth(last_word(line));
        if (here.first == there.first) return {};  // a plug that leads back
        auto const [one, other] = std::minmax(here, there);
        cables_.try_emplace({one, other}, FabricCable{one.first, other.first, speed});
        return {};
    }

    FoundFabric fabric_;
    std::map<std::string, std::size_t> numbers_;
    std::set<std::size_t> described_;
    std::map<std::pair<End, End>, FabricCable> cables_;
    std::optional<std::size_t> current_;
};

// --- hosts and their adapters ---

std::string without_domain(std::string const& host) { return host.substr(0, host.find('.')); }

// The host in an adapter's description, as drivers write it: "node7 mlx5_0", "node7 HCA-2", "'node7' HCA-1", or only its name.
std::string host_in(std::string const& description) {
    std::istringstream words{description};
    std::string host;
    std::string adapter;
    std::string more;
    words >> host >> adapter >> more;
    auto const known = {"mlx", "HCA", "hca", "hfi", "qib", "ib", "rdma", "irdma", "bnxt"};
    auto const driver =
        std::any_of(known.begin(), known.end(), [&](char const* word) { return adapter.starts_with(word); });
    if (!more.empty() || (!adapter.empty() && !driver)) return {};
    if (host.size() > 2 && host.front() == '\'' && host.back() == '\'') host = host.substr(1, host.size() - 2);
    return host;
}

// Switches that add up have an adapter of their own, where no program runs.
bool is_host_adapter(FabricDevice const& device) {
    return !device.passes_on && device.name.find("Aggregation Node") == std::string::npos;
}

// Finds the adapters of a host, by what it knows of itself, else by what they call themselves.
class Adapters {
public:
    explicit Adapters(FoundFabric const& fabric) {
        for (std::size_t i = 0; i < fabric.devices.size(); ++i) {
            auto const& device = fabric.devices[i];
            if (!is_host_adapter(device)) continue;
            by_guid_.emplace(device.guid, i);
            if (auto const host = host_in(device.name); !host.empty()) by_name_[without_domain(host)].push_back(i);
        }
    }

    std::vector<std::size_t> of(FabricHost const& host) const {
        std::vector<std::size_t> found;
        for (auto const guid : host.guids) {
            if (auto const entry = by_guid_.find(guid); entry != by_guid_.end()) found.push_back(entry->second);
        }
        auto const named = by_name_.find(without_domain(host.name));
        return found.empty() && named != by_name_.end() ? named->second : found;
    }

private:
    std::map<std::uint64_t, std::size_t> by_guid_;
    std::map<std::string, std::vector<std::size_t>> by_name_;
};

// The bandwidth that most cables of adapters have; 0 where none is known.
double usual_bandwidth(FoundFabric const& fabric) {
    std::map<double, int> counts;
    for (auto const& cable : fabric.cables) {
        auto const both = fabric.devices[cable.one].passes_on && fabric.devices[cable.other].passes_on;
        if (!both && cable.bandwidth > 0) ++counts[cable.bandwidth];
    }
    auto const most = std::max_element(counts.begin(), counts.end(),
                                       [](auto const& one, auto const& other) { return one.second < other.second; });
    return most == counts.end() ? 0 : most->first;
}

constexpr int left_out = -1;

// The vertex of each device: the place of its host, a switch, or left out.
std::vector<int> number_vertices(FoundFabric const& fabric, std::vector<std::vector<std::size_t>> const& adapters) {
    std::vector<int> vertices(fabric.devices.size(), left_out);
    int next = 0;
    for (auto const& host : adapters) {
        for (auto const adapter : host) vertices[adapter] = next;
        ++next;
    }
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        if (fabric.devices[i].passes_on) vertices[i] = next++;
    }
    return vertices;
}

// Switches that no cable of the job's reaches are left out, so that all vertices have cables.
std::vector<Cable> number_cables(FoundFabric const& fabric, std::vector<int> const& vertices, int places) {
    auto const usual = usual_bandwidth(fabric);
    std::map<int, int> switches;
    auto const number = [&](int vertex) {
        if (vertex < places) return vertex;
        return switches.try_emplace(vertex, places + static_cast<int>(switches.size())).first->second;
    };
    std::vector<Cable> cables;
    for (auto const& cable : fabric.cables) {
        auto const one = vertices[cable.one];
        auto const other = vertices[cable.other];
        if (one == left_out || other == left_out || one == other) continue;
        auto const width = usual > 0 && cable.bandwidth > 0 ? cable.bandwidth / usual : 1;
        cables.push_back({number(one), number(other), width});
    }
    return cables;
}

}  // namespace

bool is_ibnetdiscover(std::string const& text) {
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        if (starts_device(line)) return true;
    }
    return false;
}

Result<FoundFabric> parse_ibnetdiscover(std::string const& text) {
    FabricReader reader;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        if (auto const status = reader.take(line); !status.ok()) return status;
    }
    return reader.finish();
}

std::vector<FabricHost> hosts_of(FoundFabric const& fabric) {
    std::map<std::string, FabricHost> hosts;
    for (auto const& device : fabric.devices) {
        if (!is_host_adapter(device)) continue;
        auto name = host_in(device.name);
        if (name.empty()) {
            std::ostringstream guid;
            guid << "0x" << std::hex << device.guid;
            name = guid.str();
        }
        auto& host = hosts[name];
        host.name = name;
        host.guids.push_back(device.guid);
    }
    std::vector<FabricHost> all;
    for (auto& entry : hosts) all.push_back(std::move(entry.second));
    return all;
}

Result<FoundNetwork> place_hosts(FoundFabric const& fabric, std::vector<FabricHost> const& hosts) {
    std::vector<std::vector<std::size_t>> adapters;
    std::set<std::size_t> taken;
    Adapters const known{fabric};
    for (auto const& host : hosts) {
        adapters.push_back(known.of(host));
        if (adapters.back().empty()) {
            return Status{Code::not_found, "the host " + host.name + " has no adapter in the InfiniBand network"};
        }
        for (auto const adapter : adapters.back()) {
            if (!taken.insert(adapter).second)
                return Status{Code::invalid_argument, "two nodes are the host " + host.name};
        }
    }
    auto const places = static_cast<int>(hosts.size());
    auto made = Fabric::make(places, number_cables(fabric, number_vertices(fabric, adapters), places));
    if (!made) return made.status();
    FoundNetwork found;
    found.network.kind = Network::Kind::fabric;
    found.network.fabric = std::move(*made);
    if (auto const usual = usual_bandwidth(fabric); usual > 0) found.network.bandwidth = usual;
    found.places.resize(hosts.size());
    std::iota(found.places.begin(), found.places.end(), 0);
    return found;
}

FoundFabric in_order(FoundFabric fabric) {
    std::vector<std::size_t> order(fabric.devices.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](auto one, auto other) { return fabric.devices[one].guid < fabric.devices[other].guid; });
    std::vector<std::size_t> place(order.size());
    FoundFabric sorted;
    for (std::size_t i = 0; i < order.size(); ++i) {
        place[order[i]] = i;
        sorted.devices.push_back(std::move(fabric.devices[order[i]]));
    }
    for (auto const& cable : fabric.cables) {
        auto const [one, other] = std::minmax(place[cable.one], place[cable.other]);
        sorted.cables.push_back({one, other, cable.bandwidth});
    }
    auto const key = [](FabricCable const& cable) { return std::tuple{cable.one, cable.other, cable.bandwidth}; };
    std::sort(sorted.cables.begin(), sorted.cables.end(),
              [&](auto const& one, auto const& other) { return key(one) < key(other); });
    return sorted;
}

// Bytes of data per second and lane, without what the coding takes: 8 bits in 10 up to QDR, then 64 in 66.
double cable_bandwidth(std::string const& speed) {
    struct Generation {
        std::string_view name;
        double lane;
    };
    constexpr std::array generations{Generation{"SDR", 0.25e9},   Generation{"DDR", 0.5e9},  Generation{"QDR", 1e9},
                                     Generation{"FDR10", 1.25e9}, Generation{"FDR", 1.7e9},  Generation{"EDR", 3.125e9},
                                     Generation{"HDR", 6.25e9},   Generation{"NDR", 12.5e9}, Generation{"XDR", 25e9}};
    auto const sign = speed.find('x');
    if (sign == speed.npos) return 0;
    auto const lanes = std::atoi(speed.c_str());
    for (auto const& generation : generations) {
        if (speed.substr(sign + 1) == generation.name) return lanes * generation.lane;
    }
    return 0;
}

std::vector<std::uint64_t> own_adapters() {
    std::vector<std::uint64_t> guids;
    std::error_code error;
    for (auto const& entry : std::filesystem::directory_iterator{"/sys/class/infiniband", error}) {
        auto text = read_text((entry.path() / "node_guid").string());
        if (!text) continue;
        std::erase(*text, ':');
        if (auto const guid = std::strtoull(text->c_str(), nullptr, 16); guid != 0) guids.push_back(guid);
    }
    std::sort(guids.begin(), guids.end());
    return guids;
}

}  // namespace muster
