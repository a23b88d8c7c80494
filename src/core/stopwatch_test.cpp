#include "core/stopwatch.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

namespace muster {
namespace {

using namespace std::chrono_literals;

double seconds(Stopwatch const& watch, Phase phase) { return watch.seconds()[static_cast<std::size_t>(phase)]; }

double sum(Stopwatch const& watch) {
    auto const all = watch.seconds();
    return std::accumulate(all.begin(), all.end(), 0.0);
}

class Since {
public:
    double seconds() const { return std::chrono::duration<double>{Stopwatch::Clock::now() - start_}.count(); }

private:
    Stopwatch::Clock::time_point start_{Stopwatch::Clock::now()};
};

TEST(Stopwatch, starts_with_nothing) { EXPECT_EQ(sum(Stopwatch{}), 0); }

TEST(Stopwatch, counts_a_lap_for_its_phase_only) {
    Stopwatch watch;
    Since start;
    {
        auto const lap = watch.phase(Phase::pack);
        std::this_thread::sleep_for(5ms);
    }
    auto const passed = start.seconds();
    EXPECT_GE(seconds(watch, Phase::pack), 0.005);
    EXPECT_LE(seconds(watch, Phase::pack), passed);
    EXPECT_EQ(sum(watch), seconds(watch, Phase::pack));
}

TEST(Stopwatch, an_inner_lap_stops_the_outer_one_until_it_ends) {
    Stopwatch watch;
    Since start;
    {
        auto const outer = watch.phase(Phase::exchange);
        std::this_thread::sleep_for(4ms);
        {
            auto const inner = watch.phase(Phase::file);
            std::this_thread::sleep_for(8ms);
            auto const innermost = watch.phase(Phase::wait);
            std::this_thread::sleep_for(2ms);
        }
        std::this_thread::sleep_for(4ms);
    }
    auto const passed = start.seconds();
    EXPECT_GE(seconds(watch, Phase::exchange), 0.008);
    EXPECT_GE(seconds(watch, Phase::file), 0.008);
    EXPECT_GE(seconds(watch, Phase::wait), 0.002);
    EXPECT_LE(sum(watch), passed);  // no time is counted twice
}

TEST(Stopwatch, a_phase_inside_itself_counts_once) {
    Stopwatch watch;
    Since start;
    {
        auto const outer = watch.phase(Phase::plan);
        auto const inner = watch.phase(Phase::plan);
        std::this_thread::sleep_for(3ms);
    }
    EXPECT_GE(seconds(watch, Phase::plan), 0.003);
    EXPECT_LE(seconds(watch, Phase::plan), start.seconds());
}

TEST(Stopwatch, time_between_laps_is_not_counted) {
    Stopwatch watch;
    Since start;
    { auto const lap = watch.phase(Phase::pack); }
    auto const first = start.seconds();
    std::this_thread::sleep_for(5ms);
    Since again;
    { auto const lap = watch.phase(Phase::pack); }
    EXPECT_LE(seconds(watch, Phase::pack), first + again.seconds());
}

TEST(Stopwatch, takes_what_another_thread_measured_and_forgets_on_demand) {
    Stopwatch watch;
    watch.add(Phase::file, 250ms);
    watch.add(Phase::file, 250ms);
    EXPECT_DOUBLE_EQ(seconds(watch, Phase::file), 0.5);
    watch.reset();
    EXPECT_EQ(sum(watch), 0);
}

}  // namespace
}  // namespace muster
