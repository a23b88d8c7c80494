// ns per extent of looking for holes without sorting, and of one lap of the stopwatch: both are paid in every round.
#include "core/fingerprint.hpp"

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "core/stopwatch.hpp"

namespace muster {
namespace {

template <class Add>
void fingerprint(benchmark::State& state, Add&& add) {
    std::mt19937 random{1};
    std::vector<Extent> extents(4096);
    for (auto& extent : extents) extent = {static_cast<Offset>(random()), static_cast<Size>(random() % 1000)};
    Fingerprint print;
    for (auto _ : state) {
        add(print, extents);
        benchmark::DoNotOptimize(print);
    }
    state.counters["per_extent"] =
        benchmark::Counter(static_cast<double>(extents.size()) * static_cast<double>(state.iterations()),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void fingerprint_one_by_one(benchmark::State& state) {
    fingerprint(state, [](Fingerprint& print, std::vector<Extent> const& extents) {
        for (auto const& extent : extents) print.add(extent);
    });
}
BENCHMARK(fingerprint_one_by_one);

void fingerprint_of_lists(benchmark::State& state) {
    fingerprint(state, [](Fingerprint& print, std::vector<Extent> const& extents) { print.add_all(extents); });
}
BENCHMARK(fingerprint_of_lists);

void stopwatch_lap(benchmark::State& state) {
    Stopwatch watch;
    for (auto _ : state) auto lap = watch.phase(Phase::pack);
    benchmark::DoNotOptimize(watch.seconds());
}
BENCHMARK(stopwatch_lap);

}  // namespace
}  // namespace muster
