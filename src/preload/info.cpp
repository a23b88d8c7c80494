#include "preload/info.hpp"

#include <algorithm>
#include <array>

#include "core/environment.hpp"

namespace muster::preload {

bool merge(std::vector<HintPair>& pairs, std::vector<HintPair> const& later) {
    auto const before = pairs;
    for (auto const& pair : later) {
        auto const same = [&](HintPair const& known) { return known.first == pair.first; };
        auto const known = std::find_if(pairs.begin(), pairs.end(), same);
        if (known == pairs.end()) {
            pairs.push_back(pair);
        } else {
            known->second = pair.second;
        }
    }
    return pairs != before;
}

std::vector<HintPair> sensible(std::vector<HintPair> const& pairs) {
    std::vector<HintPair> kept;
    for (auto const& pair : pairs) {
        Hints scratch;
        if (set_hint(scratch, pair.first, pair.second).ok()) kept.push_back(pair);
    }
    return kept;
}

std::vector<HintPair> in_force(std::vector<HintPair> const& pairs) {
    Hints hints;
    auto status = set_hints(hints, pairs);
    if (status.ok()) status = read_environment(hints);
    return list_hints(hints);
}

bool switched_off(std::vector<HintPair> const& pairs) {
    return std::any_of(pairs.begin(), pairs.end(),
                       [](HintPair const& pair) { return pair.first == "muster_enable" && is_off(pair.second); });
}

bool switched_always(std::vector<HintPair> const& pairs) {
    static auto const everywhere = environment_variable("MUSTER_ENABLE") == "always";
    return everywhere || std::find(pairs.begin(), pairs.end(), HintPair{"muster_enable", "always"}) != pairs.end();
}

bool is_decided(std::vector<HintPair> const& pairs, Direction direction) {
    static std::array const everywhere{environment_variable("MUSTER_COLLECTIVE_WRITE").has_value(),
                                       environment_variable("MUSTER_COLLECTIVE_READ").has_value()};
    auto const write = direction == Direction::write;
    if (everywhere[write ? 0 : 1]) return true;
    Hints hints;
    if (pairs.empty() || !set_hints(hints, sensible(pairs)).ok()) return false;
    return (write ? hints.collective_write : hints.collective_read) != Toggle::automatic;
}

void add_missing(MPI_Info info, std::vector<HintPair> const& pairs) {
    for (auto const& [name, value] : pairs) {
        if (value.empty() || value.size() >= MPI_MAX_INFO_VAL || name.size() >= MPI_MAX_INFO_KEY) continue;
        int length = 0, found = 0;
        MPI_Info_get_valuelen(info, name.c_str(), &length, &found);
        if (found == 0) MPI_Info_set(info, name.c_str(), value.c_str());
    }
}

}  // namespace muster::preload
