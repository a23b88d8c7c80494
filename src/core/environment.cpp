#include "core/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace muster {

namespace {

constexpr std::string_view prefix_of_ours = "MUSTER_";
constexpr std::array<std::string_view, 5> reserved{"MUSTER_CAPTURE", "MUSTER_ENABLE", "MUSTER_REPORT", "MUSTER_SUMMARY",
                                                   "MUSTER_THREADS"};

// MUSTER_WINDOW for muster_window.
std::string variable_name(std::string_view hint) {
    std::string name{hint};
    for (auto& letter : name) {
        if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
    }
    return name;
}

void note_strangers(std::vector<HintPair> const& variables, std::vector<HintInfo> const& hints, HintNotes& notes) {
    for (auto const& [name, value] : variables) {
        auto const is_hint = [&name = name](HintInfo const& hint) { return variable_name(hint.name) == name; };
        if (std::find(reserved.begin(), reserved.end(), name) != reserved.end()) continue;
        if (std::any_of(hints.begin(), hints.end(), is_hint)) continue;
        notes.push_back({name, "ignored", "there is no hint for this environment variable"});
    }
}

}  // namespace

std::optional<std::string> environment_variable(std::string const& name) {
    auto const* value = std::getenv(name.c_str());
    return value ? std::optional<std::string>{value} : std::nullopt;
}

bool is_off(std::string_view value) { return value == "0" || value == "off" || value == "no" || value == "false"; }

std::vector<HintPair> environment_variables(std::string_view prefix) {
    std::vector<HintPair> found;
    for (auto** entry = environ; entry && *entry; ++entry) {
        std::string_view const text{*entry};
        auto const equals = text.find('=');
        if (equals == text.npos || !text.starts_with(prefix)) continue;
        found.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    std::sort(found.begin(), found.end());
    return found;
}

Status read_environment(Hints& hints, HintNotes* notes) {
    auto const rows = hint_table();
    auto wanted = hints;
    for (auto const& row : rows) {
        auto const variable = variable_name(row.name);
        auto const value = environment_variable(variable);
        if (!value) continue;
        auto const status = set_hint(wanted, row.name, *value);
        if (!status.ok()) return {status.code(), "environment variable " + variable + ": " + status.message()};
    }
    hints = std::move(wanted);
    if (notes) note_strangers(environment_variables(prefix_of_ours), rows, *notes);
    return {};
}

}  // namespace muster
