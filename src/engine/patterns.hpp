// Access patterns of earlier calls with the plans that were made for them. A program that writes the same decomposition every
// time step, somewhere else in the file, makes its plan once without saying so.
#pragma once

#include <array>

#include "engine/knowledge.hpp"
#include "plan/plan.hpp"

namespace muster {

struct Pattern {
    Shape file;  // what this rank accesses, where it was accessed first
    Plan plan;
    Knowledge known;
};

class Patterns {
public:
    static constexpr std::size_t capacity = 4;

    // How this rank's access relates to a remembered one.
    struct Match {
        bool fits{false};
        bool anywhere{false};  // it has no bytes in either: any shift will do
        Offset shift{0};       // from there to here
    };
    using Matches = std::array<Match, capacity>;
    Matches match(Direction direction, Stream const& file) const;

    Pattern& at(std::size_t index) { return *patterns_[index]; }
    // In the place of the oldest. All ranks remember the same calls, in the same order.
    void remember(Pattern pattern);

    // Where every rank accesses its pieces itself the plan depends on their sizes alone: the last such plan, if all ranks
    // together want just as much as then.
    Pattern* match_direct(Direction direction, Summary const& summary);
    void remember_direct(Plan plan);

private:
    std::optional<Pattern>& direct(Direction direction) { return direct_[static_cast<std::size_t>(direction)]; }

    std::array<std::optional<Pattern>, capacity> patterns_;
    std::size_t next_{0};
    std::array<std::optional<Pattern>, 2> direct_;  // by direction
};

}  // namespace muster
