// ns per extent of uniting k sorted lists, for accesses that join well (blocks dealt to ranks), a little, and not at all.
#include <benchmark/benchmark.h>

#include <random>

#include "core/merge.hpp"

namespace muster {
namespace {

using Lists = std::vector<std::vector<Extent>>;
constexpr Size extents_per_list = 10000;

// Blocks of 40 bytes dealt in turn: together they leave no hole.
Lists dealt(int count) {
    Lists lists(static_cast<std::size_t>(count));
    for (Size i = 0; i < extents_per_list * count; ++i)
        lists[static_cast<std::size_t>(i % count)].push_back({i * 40, 40});
    return lists;
}

// Blocks go to any rank; `kept` of 8 exist.
Lists scattered(int count, unsigned kept) {
    std::mt19937 random{1};
    Lists lists(static_cast<std::size_t>(count));
    for (Size i = 0; i < extents_per_list * count * 8 / kept; ++i) {
        auto& list = lists[random() % lists.size()];
        if (random() % 8 < kept) list.push_back({i * 40, 40});
    }
    return lists;
}

Lists pattern(Size kind, int count) {
    if (kind == 0) return dealt(count);
    return scattered(count, kind == 1 ? 8 : 2);
}

void report_per_extent(benchmark::State& state, Lists const& lists) {
    Size extents = 0;
    for (auto const& list : lists) extents += static_cast<Size>(list.size());
    state.counters["per_extent"] =
        benchmark::Counter(static_cast<double>(extents * static_cast<Size>(state.iterations())),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void cover_builder(benchmark::State& state) {
    auto const lists = pattern(state.range(0), static_cast<int>(state.range(1)));
    for (auto _ : state) {
        CoverBuilder builder;
        for (auto const& list : lists) builder.add(list);
        benchmark::DoNotOptimize(builder.take());
    }
    report_per_extent(state, lists);
}
BENCHMARK(cover_builder)->ArgNames({"pattern", "lists"})->ArgsProduct({{0, 1, 2}, {4, 16, 64}});

void cover_by_sorting(benchmark::State& state) {
    auto const lists = pattern(state.range(0), static_cast<int>(state.range(1)));
    for (auto _ : state) {
        std::vector<Extent> all;
        for (auto const& list : lists) all.insert(all.end(), list.begin(), list.end());
        benchmark::DoNotOptimize(cover(std::move(all)));
    }
    report_per_extent(state, lists);
}
BENCHMARK(cover_by_sorting)->ArgNames({"pattern", "lists"})->ArgsProduct({{0, 1, 2}, {4, 16, 64}});

}  // namespace
}  // namespace muster
