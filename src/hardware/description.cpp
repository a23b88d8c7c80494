#include "hardware/description.hpp"

#include <algorithm>

namespace muster {

namespace {

Description::Kind kind_of(std::string const& text) {
    auto lower = text;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char letter) { return std::tolower(letter); });
    if (lower.find("switchname=") != lower.npos || lower.find("blockname=") != lower.npos)
        return Description::Kind::slurm;
    return is_ibnetdiscover(text) ? Description::Kind::infiniband : Description::Kind::words;
}

std::vector<std::string> names_of(std::vector<FabricHost> const& hosts) {
    std::vector<std::string> names;
    for (auto const& host : hosts) names.push_back(host.name);
    return names;
}

Result<FoundNetwork> network_in(Description const& description, std::vector<FabricHost> const& hosts) {
    if (description.kind == Description::Kind::slurm) return parse_slurm_topology(description.text, names_of(hosts));
    auto const fabric = parse_ibnetdiscover(description.text);
    return fabric ? place_hosts(*fabric, hosts) : fabric.status();
}

}  // namespace

Result<Description> read_description(std::string const& given) {
    if (!given.starts_with("@")) return Description{Description::Kind::words, given, {}};
    auto const end = std::min(given.find(';'), given.size());
    auto text = read_text(given.substr(1, end - 1));
    if (!text) return text.status();
    auto const kind = kind_of(*text);
    return Description{kind, std::move(*text), end < given.size() ? given.substr(end + 1) : std::string{}};
}

std::vector<FabricHost> hosts_in(Description const& description) {
    std::vector<FabricHost> hosts;
    if (description.kind == Description::Kind::slurm) {
        for (auto& name : slurm_hosts(description.text)) hosts.push_back({std::move(name), {}});
    } else if (description.kind == Description::Kind::infiniband) {
        if (auto const fabric = parse_ibnetdiscover(description.text)) hosts = hosts_of(*fabric);
    }
    return hosts;
}

Result<std::string> words_for(Description const& description, std::vector<FabricHost> const& hosts) {
    auto const more = description.more.empty() ? std::string{} : "\n" + description.more;
    if (!description.needs_hosts()) return description.text + more;
    auto const found = network_in(description, hosts);
    if (!found) return found.status();
    return network_words(*found) + more;
}

Result<std::string> words_for_all(Description const& description) {
    if (!description.needs_hosts()) return words_for(description, {});
    auto const found = network_in(description, hosts_in(description));
    if (!found) return found.status();
    return "network " + found->network.text() + "\n" + description.more;
}

std::string network_words(FoundNetwork const& found) {
    std::string places;
    for (auto const place : found.places) places += (places.empty() ? "" : ",") + std::to_string(place);
    return "network " + found.network.text() + "; at " + places;
}

}  // namespace muster
