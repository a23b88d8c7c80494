#include "plan_request.hpp"

#include <algorithm>

#include "core/hints.hpp"
#include "hardware/description.hpp"

namespace muster::tool {

namespace {

constexpr Size most_ranks = Size{1} << 24;

struct Bounds {
    Size least;
    Size most;
    Size otherwise;  // if nothing was said
};

Status wanted(std::string const& option, std::string const& value, std::string const& what) {
    return {Code::invalid_argument, option + " is '" + value + "', but wants " + what};
}

Result<Size> number(std::string const& option, std::string const& text, Bounds const& bounds) {
    if (text.empty()) return bounds.otherwise;
    auto const value = parse_size(text);
    if (value.ok() && *value >= bounds.least && *value <= bounds.most) return *value;
    return wanted(option, text, "a number from " + std::to_string(bounds.least) + " to " + std::to_string(bounds.most));
}

Size usual_ranks(std::string const& name) {
    for (auto const& info : workload_table()) {
        if (info.name == name) return info.paper_ranks;
    }
    return 1;
}

Result<Machine> make_machine(PlanRequest const& request) {
    auto const ranks = number("--ranks", request.ranks, {1, most_ranks, usual_ranks(request.workload)});
    if (!ranks.ok()) return ranks.status();
    auto const nodes = number("--nodes", request.nodes, {1, *ranks, 0});
    if (!nodes.ok()) return nodes.status();
    auto const per_node = number("--ranks-per-node", request.ranks_per_node, {1, most_ranks, 64});
    if (!per_node.ok()) return per_node.status();
    auto const share = *nodes > 0 ? (*ranks + *nodes - 1) / *nodes : *per_node;
    if (*nodes > 0 && (*ranks + share - 1) / share != *nodes) {
        return wanted("--nodes", request.nodes, "a number that the ranks can be divided by; or say --ranks-per-node");
    }
    auto machine = block_machine(static_cast<int>(*ranks), static_cast<int>(share));
    if (request.machine.empty()) return machine;
    auto const given = read_description(request.machine);
    if (!given) return given.status();
    auto const text = words_for_all(*given);
    return text ? describe_machine(std::move(machine), *text) : text.status();
}

bool asks_for_exchange(PlanRequest const& request) {
    return !(request.layout.empty() && request.aggregators.empty() && request.window.empty() &&
             request.local_aggregators.empty());
}

Status set_given_hints(Hints& hints, std::vector<std::string> const& given) {
    for (auto const& text : given) {
        auto const sign = text.find('=');
        if (sign == std::string::npos) return wanted("--hint", text, "name=value");
        auto const name = text.substr(0, sign);
        auto const table = hint_table();
        auto const known = std::any_of(table.begin(), table.end(), [&](HintInfo const& info) {
            return info.name == name ||
                   std::find(info.old_names.begin(), info.old_names.end(), name) != info.old_names.end();
        });
        if (!known) return wanted("--hint", text, "one of the names that 'muster hints' lists");
        if (auto const status = set_hint(hints, name, text.substr(sign + 1)); !status.ok()) return status;
    }
    return {};
}

Status set_layout(PlanRequest const& request, Hints& hints) {
    if (request.layout == "striped") hints.layout = Layout::striped;
    if (request.layout == "contiguous") hints.layout = Layout::contiguous;
    if (request.layout.empty() || hints.layout != Layout::automatic) return {};
    return wanted("--layout", request.layout, "striped or contiguous");
}

Result<Hints> make_hints(PlanRequest const& request) {
    Hints hints;
    auto const aggregators = number("--aggregators", request.aggregators, {1, most_ranks, 0});
    if (!aggregators.ok()) return aggregators.status();
    auto const window = number("--window", request.window, {1, Size{1} << 50, 0});
    if (!window.ok()) return window.status();
    if (auto const status = set_layout(request, hints); !status.ok()) return status;
    hints.aggregators = static_cast<int>(*aggregators);
    hints.window = *window;
    if (asks_for_exchange(request)) hints.collective_write = hints.collective_read = Toggle::on;
    if (auto const status = set_given_hints(hints, request.hints); !status.ok()) return status;
    return hints;
}

Result<FileLayout> make_layout(PlanRequest const& request, Hints const& hints) {
    FileLayout layout;
    auto const usual_stripe = hints.window > 0 ? hints.window : Size{1} << 20;
    auto const stripe = number("--stripe-size", request.stripe_size, {1, Size{1} << 50, usual_stripe});
    if (!stripe.ok()) return stripe.status();
    auto const count = number("--stripe-count", request.stripe_count, {1, most_ranks, hints.aggregators});
    if (!count.ok()) return count.status();
    if (hints.layout != Layout::striped) return layout;
    layout.stripe_size = hints.stripe_size > 0 ? hints.stripe_size : *stripe;
    layout.stripe_count = hints.stripe_count > 0 ? hints.stripe_count : static_cast<int>(*count);
    layout.origin = "command line";
    return layout;
}

Status set_words(PlanRequest const& request, PlanSubject& subject) {
    if (request.mode != "multi" && request.mode != "independent")
        return wanted("--mode", request.mode, "multi or independent");
    if (request.direction != "write" && request.direction != "read")
        return wanted("--direction", request.direction, "write or read");
    subject.mode = request.mode == "multi" ? CallMode::multi : CallMode::independent;
    subject.direction = request.direction == "write" ? Direction::write : Direction::read;
    return {};
}

Result<Workload> make_asked_workload(PlanRequest const& request, int ranks) {
    auto const pairs = option_pairs(request.workload_options);
    if (!pairs.ok()) return pairs.status();
    return make_workload(request.workload, ranks, *pairs);
}

}  // namespace

Result<std::vector<OptionPair>> option_pairs(std::vector<std::string> const& words) {
    std::vector<OptionPair> pairs;
    for (std::size_t i = 0; i < words.size(); ++i) {
        auto const& word = words[i];
        if (word.size() < 3 || word.compare(0, 2, "--") != 0) {
            return Status{Code::invalid_argument,
                          "what is '" + word + "'? Options look like --grid 512, after the workload's name"};
        }
        auto const sign = word.find('=');
        if (sign != std::string::npos) {
            pairs.emplace_back(word.substr(2, sign - 2), word.substr(sign + 1));
        } else if (++i < words.size()) {
            pairs.emplace_back(word.substr(2), words[i]);
        } else {
            return Status{Code::invalid_argument, word + " needs a value"};
        }
    }
    return pairs;
}

Result<PlanSubject> understand(PlanRequest const& request) {
    auto machine = make_machine(request);
    if (!machine.ok()) return machine.status();
    auto hints = make_hints(request);
    if (!hints.ok()) return hints.status();
    auto layout = make_layout(request, *hints);
    if (!layout.ok()) return layout.status();
    auto const local = number("--local-aggregators", request.local_aggregators, {0, machine->rank_count(), 0});
    if (!local.ok()) return local.status();
    auto workload = make_asked_workload(request, machine->rank_count());
    if (!workload.ok()) return workload.status();
    PlanSubject subject{std::move(*workload), std::move(*machine), std::move(*hints), std::move(*layout)};
    subject.local_aggregators = static_cast<int>(*local);
    if (auto const status = set_words(request, subject); !status.ok()) return status;
    return subject;
}

StudyInput study_input(PlanSubject const& subject) {
    StudyInput input;
    input.workload = &subject.workload;
    input.machine = &subject.machine;
    input.hints = subject.hints;
    input.layout = subject.layout;
    input.direction = subject.direction;
    input.mode = subject.mode;
    input.local_aggregators = subject.local_aggregators;
    input.shared_memory = subject.shared_memory;
    return input;
}

}  // namespace muster::tool
