#include "engine/patterns.hpp"

namespace muster {

namespace {

Patterns::Match compare(Shape const& there, Shape const& here) {
    if (there.size() != here.size()) return {};
    if (here.empty()) return {true, true, 0};
    auto const shift = here.low() - there.low();
    return {there.shifted(shift) == here, false, shift};
}

}  // namespace

std::array<Patterns::Match, Patterns::capacity> Patterns::match(Direction direction, Stream const& file) const {
    std::array<Match, capacity> matches;
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

}  // namespace muster
