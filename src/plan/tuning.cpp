#include "plan/tuning.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "core/hints.hpp"
#include "plan/words.hpp"

namespace muster {

namespace {

constexpr Size step = Size{64} << 10;  // file systems want stripes in multiples of it
constexpr double tolerable_idle = 1.0 / 16;
constexpr std::size_t most_call_sizes = 32;

Size divide_up(Size value, Size by) { return value / by + (value % by != 0 ? 1 : 0); }
Size step_up(Size value) { return std::max<Size>(divide_up(value, step), 1) * step; }

Domains domains_of(TuningInput const& input, Extent call, Size size) {
    auto const striped = input.layout == Layout::striped;
    return {striped ? Layout::striped : Layout::contiguous, call, input.aggregators, striped ? size : Size{4096}, size};
}

int busy_aggregators(TuningInput const& input, Extent call, Size size) {
    auto const unit = input.layout == Layout::striped ? size : Size{4096};
    auto const units = call.length == 0 ? 0 : (call.end() - 1) / unit - call.offset / unit + 1;
    return static_cast<int>(std::min<Size>(units, input.aggregators));
}

TuningChoice outcome_of(TuningInput const& input, Size size) {
    TuningChoice choice{size, 0, 0, size * input.windows};
    Size busy = 0;
    for (auto const& call : input.calls) {
        choice.rounds += domains_of(input, call, size).rounds();
        busy += busy_aggregators(input, call, size);
    }
    auto const places = static_cast<double>(input.calls.size()) * input.aggregators;
    if (places > 0) choice.idle = 1 - static_cast<double>(busy) / places;
    return choice;
}

Size longest_call(TuningInput const& input) {
    Size longest = 0;
    for (auto const& call : input.calls) longest = std::max(longest, call.length);
    return longest;
}

// Beyond the first size that gives every aggregator one window at most, nothing is to be gained.
std::set<Size> sizes_to_try(TuningInput const& input) {
    auto const enough = step_up(divide_up(longest_call(input), input.aggregators));
    std::set<Size> sizes;
    for (auto size = step; size < 2 * enough; size *= 2) sizes.insert(size);
    std::set<Size> lengths;
    for (auto const& call : input.calls) lengths.insert(call.length);
    for (auto const length : lengths) {
        if (sizes.size() > most_call_sizes) break;
        sizes.insert(step_up(divide_up(length, input.aggregators)));
    }
    auto const budget = input.memory / input.windows / step * step;
    if (budget >= step && budget < enough) sizes.insert(budget);
    return sizes;
}

bool better(TuningChoice const& left, TuningChoice const& right) {
    auto const left_idles = left.idle > tolerable_idle, right_idles = right.idle > tolerable_idle;
    if (left_idles != right_idles) return right_idles;
    if (left_idles && left.idle != right.idle) return left.idle < right.idle;
    if (left.rounds != right.rounds) return left.rounds < right.rounds;
    return left.size < right.size;
}

std::string reason_for(TuningInput const& input, TuningChoice const& best, bool bounded) {
    auto const calls = counted(static_cast<Size>(input.calls.size()), "call");
    auto const rounds = counted(best.rounds, "round") + " in " + calls;
    if (best.idle > tolerable_idle) return rounds + "; the calls are too small to keep all aggregators busy";
    if (bounded) return rounds + ", the largest that " + format_size(input.memory) + " of windows allow";
    if (best.rounds == static_cast<Size>(input.calls.size())) return rounds + ", the fewest there can be";
    return rounds + "; larger ones would leave aggregators idle";
}

}  // namespace

Tuning tune(TuningInput const& input) {
    Tuning tuning;
    TuningChoice const* best = nullptr;
    auto bounded = false;
    for (auto const size : sizes_to_try(input)) tuning.choices.push_back(outcome_of(input, size));
    for (auto const& choice : tuning.choices) {
        auto const fits = choice.memory <= input.memory || best == nullptr;
        if (fits && (best == nullptr || better(choice, *best))) best = &choice;
        bounded = bounded || (!fits && better(choice, *best));
    }
    tuning.best = *best;
    tuning.reason = reason_for(input, *best, bounded);
    return tuning;
}

}  // namespace muster
