// Seconds per phase, for one thread. Always on: two clock reads a lap.
#pragma once

#include <chrono>

#include "core/care.hpp"
#include "muster/report.hpp"

namespace muster {

// Time counts for the innermost phase only; when its lap ends, the outer phase goes on:
//   auto lap = watch.phase(Phase::pack);
class Stopwatch {
public:
    using Clock = std::chrono::steady_clock;

    class [[nodiscard]] Lap {
    public:
        Lap(Lap const&) = delete;
        Lap& operator=(Lap const&) = delete;
        ~Lap() { watch_.turn_to(outer_); }

    private:
        friend Stopwatch;
        Lap(Stopwatch& watch, std::size_t phase) : watch_{watch}, outer_{watch.turn_to(phase)} {}

        Stopwatch& watch_;
        std::size_t outer_;
    };

    Lap phase(Phase phase) { return {*this, static_cast<std::size_t>(phase)}; }

    // For what another thread has measured.
    void add(Phase phase, Clock::duration time) { spent_[static_cast<std::size_t>(phase)] += time; }

    // What another one has measured, between its laps.
    void add(Stopwatch const& other) {
        for (std::size_t i = 0; i < phase_count; ++i) spent_[i] += other.spent_[i];
    }

    // Of the laps so far; a lap that runs counts when it ends or an inner one starts.
    std::array<double, phase_count> seconds() const {
        std::array<double, phase_count> result{};
        for (std::size_t i = 0; i < result.size(); ++i) {
            result[i] = std::chrono::duration<double>{spent_[i]}.count();
        }
        return result;
    }

    void reset() { *this = {}; }  // between laps only

private:
    static constexpr std::size_t outside = phase_count;  // its time is counted too, and never shown

    std::size_t turn_to(std::size_t phase) {
        if (!careful) return phase;
        auto const now = Clock::now();
        spent_[current_] += now - since_;
        since_ = now;
        return std::exchange(current_, phase);
    }

    std::array<Clock::duration, phase_count + 1> spent_{};
    std::size_t current_{outside};
    Clock::time_point since_{};
};

}  // namespace muster
