#include "engine/patterns.hpp"

#include <utility>

namespace muster {

namespace {

Patterns::Match compare(Shape const& there, Shape const& here) {
    if (there.size() != here.size()) return {};
    if (here.empty()) return {true, true, 0};
    auto const shift = here.low() - there.low();
    return {there.shifted(shift) == here, false, shift};
}

// The same, were it at the beginning of the file.
Summary at_beginning(Summary summary) {
    summary.high -= std::exchange(summary.low, 0);
    return summary;
}

}  // namespace

Patterns::Matches Patterns::match(Direction direction, Stream const& file) const {
    Matches matches;
    auto const here = file.alone();
    for (std::size_t i = 0; i < capacity; ++i) {
        auto const& pattern = patterns_[i];
        if (pattern && pattern->plan.direction == direction) matches[i] = compare(pattern->file, here);
    }
    return matches;
}

void Patterns::remember(Pattern pattern) {
    patterns_[next_] = std::move(pattern);
    next_ = (next_ + 1) % capacity;
}

Pattern* Patterns::match_direct(Direction direction, Summary const& summary) {
    auto& last = direct(direction);
    if (!last || at_beginning(last->plan.summary) != at_beginning(summary)) return nullptr;
    last->plan.summary = summary;
    return &*last;
}

void Patterns::remember_direct(Plan plan) {
    auto& last = direct(plan.direction);
    last = Pattern{{}, std::move(plan), {}};
}

}  // namespace muster
