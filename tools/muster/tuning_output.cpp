#include "tuning_output.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/hints.hpp"
#include "plan/aggregators.hpp"
#include "table.hpp"

namespace muster::tool {

namespace {

using Json = nlohmann::ordered_json;

Json choice_json(TuningChoice const& choice) {
    return {{"size", choice.size}, {"rounds", choice.rounds}, {"idle", choice.idle}, {"memory", choice.memory}};
}

Json tuning_json(TuningInput const& input, Tuning const& tuning) {
    auto choices = Json::array();
    for (auto const& choice : tuning.choices) choices.push_back(choice_json(choice));
    return {{"layout", input.layout == Layout::striped ? "striped" : "contiguous"},
            {"aggregators", input.aggregators},
            {"calls", input.calls.size()},
            {"best", choice_json(tuning.best)},
            {"reason", tuning.reason},
            {"choices", choices}};
}

void print_text(TuningInput const& input, Tuning const& tuning) {
    auto const what = input.layout == Layout::striped ? "stripe" : "window";
    std::vector<Row> rows{{what, "rounds", "idle aggregators", "windows of an aggregator"}};
    for (auto const& choice : tuning.choices) {
        rows.push_back({format_size(choice.size), with_commas(choice.rounds),
                        fmt::format("{:.1f} %", choice.idle * 100),
                        format_size(choice.memory) + (choice == tuning.best ? "  <-" : "")});
    }
    fmt::print("aggregators: {}, calls: {}\n\n{}\nbest {}: {}: {}\n", with_commas(input.aggregators),
               with_commas(static_cast<long long>(input.calls.size())), table_text(rows, terminal_width()), what,
               format_size(tuning.best.size), tuning.reason);
}

}  // namespace

TuningInput tuning_input(PlanSubject const& subject, Size memory) {
    TuningInput input;
    input.layout = subject.hints.layout == Layout::striped ? Layout::striped : Layout::contiguous;
    input.aggregators =
        static_cast<int>(choose_aggregators(subject.machine, subject.hints, subject.layout).ranks.size());
    input.windows = std::max(subject.hints.windows, 1);
    input.memory = memory;
    Offset low = 0;
    Offset high = 0;
    for (auto const& variable : subject.workload.variables) {
        input.calls.push_back({variable.base, variable.bytes});
        low = std::min(low, variable.base);
        high = std::max(high, variable.base + variable.bytes);
    }
    if (subject.mode == CallMode::multi) input.calls = {{low, high - low}};
    return input;
}

Status print_tuning(PlanSubject const& subject, std::string const& memory, bool json) {
    auto const bytes = parse_size(memory);
    if (!bytes || *bytes <= 0)
        return {Code::invalid_argument, "--tune is '" + memory + "', but wants bytes, as in 64MiB"};
    if (subject.workload.interleaved && subject.mode == CallMode::independent) {
        return {Code::invalid_argument, "--tune wants variables one behind the other; these are interleaved"};
    }
    auto const input = tuning_input(subject, *bytes);
    auto const tuning = tune(input);
    if (json)
        fmt::print("{}\n", tuning_json(input, tuning).dump(2));
    else
        print_text(input, tuning);
    return {};
}

}  // namespace muster::tool
