#include <fmt/core.h>

#include <memory>

#include "advice.hpp"
#include "command.hpp"
#include "inputs.hpp"

namespace muster::tool {

namespace {

void print(Advice const& advice, int number) {
    fmt::print("{}. {}: {}\n   Change: {}\n", number, advice.where, advice.problem, advice.change);
    if (advice.of > 0) {
        fmt::print("   Expected: {:.4f} s instead of {:.4f} s, {:.0f}% less\n", advice.of - advice.gain, advice.of,
                   100 * advice.gain / advice.of);
    }
}

double whole_time(std::vector<Finding> const& findings) {
    double seconds = 0;
    for (auto const& finding : findings) seconds += finding.seconds;
    return seconds;
}

void print_text(Input const& input) {
    auto const& [name, source, json] = input;
    auto const findings = findings_of(source, json);
    auto const list = advise(source, json);
    auto const* const origin = source == Source::plan ? "by the cost model" : "of the slowest ranks";
    fmt::print("{} in all, {:.4f} s {}\n",
               findings.size() == 1 ? "1 kind of call" : fmt::format("{} kinds of calls", findings.size()),
               whole_time(findings), origin);
    for (std::size_t i = 0; i < list.size(); ++i) print(list[i], static_cast<int>(i) + 1);
    if (!list.empty()) return;
    fmt::print("{}\n", findings.empty() ? "No call by Muster is in this file; for 'muster bench' add --report."
                                        : "Nothing to gain: no rule finds more than a tenth of the time.");
}

Status run(std::string const& name, bool as_json) {
    auto const inputs = read_inputs(name);
    if (!inputs.ok()) return inputs.status();
    auto list = Json::array();
    for (auto const& input : *inputs) {
        if (!as_json && inputs->size() > 1) fmt::print("{}\n", input.name);
        if (!as_json) print_text(input);
        for (auto const& one : to_json(advise(input.source, input.data))) list.push_back(one);
    }
    if (as_json) fmt::print("{}\n", list.dump(2));
    return {};
}

constexpr auto footer =
    R"(FILE is a capture of 'muster capture', or the report of 'muster run', of File::gather_report().json(), of 'muster bench --report --json' or of 'muster plan --json'.
What was measured is judged by its phases; what was only planned, by a cost model with the prices of a common cluster.
Examples:
  muster advise muster-run.json
  muster plan btio --ranks 256 --ranks-per-node 32 --aggregators 2 --json > plan.json && muster advise plan.json)";

}  // namespace

void add_advise_command(CLI::App& app, Run& chosen) {
    auto* const command = app.add_subcommand("advise", "What costs most in a report, and what to change");
    auto const name = std::make_shared<std::string>();
    auto const json = std::make_shared<bool>(false);
    command->add_option("FILE", *name, "A report, as JSON")->required();
    command->add_flag("--json", *json, "As JSON");
    command->footer(footer);
    command->callback([&chosen, name, json] { chosen = [name, json] { return run(*name, *json); }; });
}

}  // namespace muster::tool
