#include "preload/info.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/environment.hpp"
#include "storage/faulty.hpp"

namespace muster::preload {

namespace {

Status check_environment() {
    Hints scratch;
    if (auto status = read_environment(scratch); !status.ok()) return status;
    return parse_faults(scratch.faults).status();
}

// Looked at once, and told by one rank.
bool is_environment_wrong() {
    static bool const wrong = [] {
        auto const status = check_environment();
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (!status.ok() && rank == 0) {
            std::fprintf(stderr, "muster: files are left to the MPI: %s\n", status.message().c_str());
        }
        return !status.ok();
    }();
    return wrong;
}

}  // namespace

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
        auto const status = set_hint(scratch, pair.first, pair.second);
        if (status.ok() && parse_faults(scratch.faults).status().ok()) kept.push_back(pair);
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
    auto const says_so = [](HintPair const& pair) { return pair.first == "muster_enable" && is_off(pair.second); };
    return std::any_of(pairs.begin(), pairs.end(), says_so) || is_environment_wrong();
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
