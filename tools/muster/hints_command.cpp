#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "core/hints.hpp"
#include "table.hpp"

namespace muster::tool {

namespace {

std::string joined(std::vector<std::string_view> const& words) {
    std::string text;
    for (auto const word : words) text += (text.empty() ? "" : ", ") + std::string{word};
    return text;
}

std::string or_dash(std::string const& text) { return text.empty() ? "-" : text; }

void print_table() {
    std::vector<Row> rows{{"HINT", "DEFAULT", "UNIT", "MEANING"}};
    for (auto const& hint : hint_table()) {
        auto const old = joined(hint.old_names);
        auto const meaning = std::string{hint.meaning} + (old.empty() ? "" : " (also: " + old + ")");
        rows.push_back({std::string{hint.name}, or_dash(hint.default_value), hint.unit, meaning});
    }
    fmt::print("{}", table_text(rows, terminal_width()));
    fmt::print("\nGive them in an MPI_Info, or in the environment in upper case: MUSTER_WINDOW=16MiB.\n");
}

// As docs/hints.md has it.
void print_markdown() {
    fmt::print(
        "# Hints\n\nWritten by `muster hints --markdown`. Give them in the program (`muster::Hints`), in an MPI_Info, or in the environment in upper case:\n"
        "`MUSTER_WINDOW=16MiB`, which overrides the others. `muster_enable=off` is for the drop-in alone, and leaves a file to the MPI; `always` has Muster do all it can.\n\n"
        "| hint | default | unit or values | meaning | also |\n|---|---|---|---|---|\n");
    for (auto const& hint : hint_table()) {
        auto unit = or_dash(hint.unit);
        for (auto at = unit.find('|'); at != unit.npos; at = unit.find('|', at)) unit.replace(at, 1, ", ");
        fmt::print("| `{}` | {} | {} | {} | {} |\n", hint.name, or_dash(hint.default_value), unit, hint.meaning,
                   or_dash(joined(hint.old_names)));
    }
}

void print_json() {
    auto list = nlohmann::ordered_json::array();
    for (auto const& hint : hint_table()) {
        list.push_back({{"name", hint.name},
                        {"default", hint.default_value},
                        {"unit", hint.unit},
                        {"meaning", hint.meaning},
                        {"old_names", hint.old_names}});
    }
    fmt::print("{}\n", list.dump(2));
}

}  // namespace

void add_hints_command(CLI::App& app, Run& chosen) {
    auto* const command = app.add_subcommand("hints", "Every hint with its default, unit and meaning");
    auto const json = std::make_shared<bool>(false);
    auto const markdown = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "As JSON");
    command->add_flag("--markdown", *markdown, "As docs/hints.md");
    command->callback([&chosen, json, markdown] {
        chosen = [json, markdown]() -> Status {
            if (*markdown) print_markdown();
            if (*json) print_json();
            if (!*json && !*markdown) print_table();
            return {};
        };
    });
}

}  // namespace muster::tool
