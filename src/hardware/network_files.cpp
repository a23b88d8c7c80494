#include "hardware/network_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "core/environment.hpp"

namespace muster {

namespace {

// "0-2" or "7" after a prefix, with the width of the first number.
void expand_range(std::string const& prefix, std::string const& range, std::string const& suffix,
                  std::vector<std::string>& hosts) {
    constexpr long most_hosts = 1 << 20;
    auto const dash = range.find('-');
    auto const first = range.substr(0, dash);
    auto const last = dash == range.npos ? first : range.substr(dash + 1);
    auto const digits = [](std::string const& text) {
        return !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == text.npos;
    };
    if (!digits(first) || !digits(last)) return hosts.push_back(prefix + range + suffix);
    auto const end = std::min(std::stol(last), std::stol(first) + most_hosts);
    for (auto number = std::stol(first); number <= end; ++number) {
        auto text = std::to_string(number);
        if (text.size() < first.size()) text.insert(0, first.size() - text.size(), '0');
        hosts.push_back(prefix + text + suffix);
    }
}

// One entry of a list, which may have brackets.
void expand_entry(std::string const& entry, std::vector<std::string>& hosts) {
    auto const open = entry.find('[');
    auto const close = entry.find(']', open);
    if (open == entry.npos || close == entry.npos) return hosts.push_back(entry);
    std::stringstream ranges{entry.substr(open + 1, close - open - 1)};
    for (std::string range; std::getline(ranges, range, ',');) {
        expand_range(entry.substr(0, open), range, entry.substr(close + 1), hosts);
    }
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

struct Switch {
    std::vector<std::string> nodes;
    std::vector<std::string> switches;
};
using Switches = std::map<std::string, Switch>;

// Blocks side by side, of which BlockSizes says how many nodes meet at each level: a switch above each such group.
void join_blocks(std::vector<std::string> blocks, std::vector<std::string> const& sizes, Switches& switches) {
    auto const number = [](std::string const& text) { return std::max(1L, std::strtol(text.c_str(), nullptr, 10)); };
    for (std::size_t level = 1; level < sizes.size() && blocks.size() > 1; ++level) {
        auto const group = static_cast<std::size_t>(number(sizes[level]) / number(sizes[level - 1]));
        if (group < 2) continue;
        std::vector<std::string> above;
        for (std::size_t i = 0; i < blocks.size(); i += group) {
            above.push_back("blocks " + sizes[level] + " from " + blocks[i]);
            auto const end = std::min(i + group, blocks.size());
            switches[above.back()].switches.assign(blocks.begin() + static_cast<std::ptrdiff_t>(i),
                                                   blocks.begin() + static_cast<std::ptrdiff_t>(end));
        }
        blocks = std::move(above);
    }
}

// Of the tree plugin (SwitchName=) or the block plugin (BlockName=, BlockSizes=).
Switches parse_switches(std::string const& text) {
    Switches switches;
    std::vector<std::string> blocks;
    std::vector<std::string> sizes;
    std::stringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        std::stringstream words{line.substr(0, line.find('#'))};
        std::string name;
        Switch found;
        for (std::string word; words >> word;) {
            auto const sign = word.find('=');
            auto const key = lower(word.substr(0, sign));
            auto const value = sign == word.npos ? "" : word.substr(sign + 1);
            if (key == "switchname" || key == "blockname") name = value;
            if (key == "blockname") blocks.push_back(value);
            if (key == "blocksizes") sizes = expand_hosts(value);
            if (key == "nodes") found.nodes = expand_hosts(value);
            if (key == "switches") found.switches = expand_hosts(value);
        }
        if (!name.empty()) switches[name] = std::move(found);
    }
    join_blocks(std::move(blocks), sizes, switches);
    return switches;
}

// Numbers for all vertices: places first, then switches, and a root above all that have nothing above them.
class Builder {
public:
    explicit Builder(Switches const& switches) : switches_{switches} {}

    Result<Network> build() {
        for (auto const& [name, found] : switches_) {
            for (auto const& node : found.nodes) places_.try_emplace(node, static_cast<int>(places_.size()));
        }
        for (auto const& entry : switches_) {
            numbers_.try_emplace(entry.first, static_cast<int>(places_.size() + numbers_.size()));
        }
        auto const root = static_cast<int>(places_.size() + numbers_.size());
        parents_.assign(static_cast<std::size_t>(root) + 1, root);
        parents_.back() = -1;
        for (auto const& [name, found] : switches_) {
            for (auto const& node : found.nodes) parents_[static_cast<std::size_t>(places_[node])] = numbers_[name];
            for (auto const& below : found.switches) {
                if (!numbers_.contains(below)) return Status{Code::not_found, "there is no switch " + below};
                parents_[static_cast<std::size_t>(numbers_[below])] = numbers_[name];
            }
        }
        return parse_network("switches " + text());
    }
    std::map<std::string, int> const& places() const { return places_; }

private:
    // A root with one switch below it is that switch.
    std::string text() {
        auto const root = static_cast<int>(parents_.size()) - 1;
        auto const single = std::count(parents_.begin(), parents_.end(), root) == 1;
        auto const only = std::find(parents_.begin(), parents_.end(), root);
        if (single && only == parents_.end() - 2) parents_.pop_back(), parents_.back() = -1;
        std::string all;
        for (auto const parent : parents_)
            all += (all.empty() ? "" : ",") + (parent < 0 ? "-" : std::to_string(parent));
        return all;
    }

    Switches const& switches_;
    std::map<std::string, int> places_;
    std::map<std::string, int> numbers_;
    std::vector<int> parents_;
};

}  // namespace

std::vector<std::string> expand_hosts(std::string const& list) {
    std::vector<std::string> hosts;
    std::string entry;
    int depth = 0;
    for (auto const letter : list + ",") {
        depth += letter == '[' ? 1 : (letter == ']' ? -1 : 0);
        if (letter != ',' || depth > 0) {
            entry += letter;
        } else {
            if (!entry.empty()) expand_entry(entry, hosts);
            entry.clear();
        }
    }
    return hosts;
}

Result<FoundNetwork> parse_slurm_topology(std::string const& text, std::vector<std::string> const& hosts) {
    auto const switches = parse_switches(text);
    if (switches.empty()) return Status{Code::not_found, "no switches in SLURM's topology.conf"};
    Builder builder{switches};
    auto network = builder.build();
    if (!network) return network.status();
    FoundNetwork found{std::move(*network), {}};
    for (auto const& host : hosts) {
        auto place = builder.places().find(host);
        if (place == builder.places().end()) place = builder.places().find(host.substr(0, host.find('.')));
        if (place == builder.places().end()) {
            return Status{Code::not_found, "the host " + host + " is not in SLURM's topology.conf"};
        }
        found.places.push_back(place->second);
    }
    return found;
}

std::vector<std::string> slurm_hosts(std::string const& text) {
    std::vector<std::string> hosts;
    for (auto const& entry : parse_switches(text)) {
        hosts.insert(hosts.end(), entry.second.nodes.begin(), entry.second.nodes.end());
    }
    return hosts;
}

std::optional<std::string> find_slurm_topology() {
    std::vector<std::string> candidates;
    if (auto const conf = environment_variable("SLURM_CONF")) {
        candidates.push_back((std::filesystem::path{*conf}.parent_path() / "topology.conf").string());
    }
    candidates.insert(candidates.end(), {"/etc/slurm/topology.conf", "/etc/slurm-llnl/topology.conf"});
    for (auto const& path : candidates) {
        std::error_code ignored;
        if (!std::filesystem::exists(path, ignored)) continue;
        if (auto text = read_text(path); text) return std::move(*text);
    }
    return {};
}

std::vector<std::string> infiniband_adapters() {
    std::vector<std::string> adapters;
    std::error_code error;
    for (auto const& entry : std::filesystem::directory_iterator{"/sys/class/infiniband", error}) {
        auto const state = read_text((entry.path() / "ports/1/state").string());
        auto const words = state ? state->substr(0, state->find('\n')) : std::string{"state not known"};
        adapters.push_back(entry.path().filename().string() + " (" + words + ")");
    }
    std::sort(adapters.begin(), adapters.end());
    return adapters;
}

Result<std::string> read_text(std::string const& path) {
    std::ifstream file{path};
    if (!file) return system_status(errno, "cannot open " + path);
    return std::string{std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace muster
