// Finding structure, coding and decoding lists of extents; the rate counted is that of extents.
#include "core/coding.hpp"

#include <benchmark/benchmark.h>

#include "core/compact.hpp"
#include "core/patterns_testing.hpp"

namespace muster {
namespace {

using namespace testing;

Shape random_extents() {
    Random random{1};
    return Shape::pieces(testing::random_list(random, 5'000));
}

// Beyond the cache, and in fresh pages each time.
Shape many_random_extents() {
    Random random{1};
    return Shape::pieces(testing::random_list(random, 100'000));
}

Shape climate() {
    Random random{2};
    return Shape::pieces(climate_list(random, {.columns_of_rank = 200, .columns = 48'602}));
}

Shape padded_climate() {
    Random random{3};
    return Shape::pieces(climate_list(random, {.columns_of_rank = 200, .columns = 48'602, .padding = 1000}));
}

Shape btio() { return Shape::pieces(pieces_of(bt_shape({}))); }

void count(benchmark::State& state, Shape const& shape) {
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * shape.piece_count());
}

void find_structure(benchmark::State& state, Shape (*make)()) {
    auto const shape = make();
    for (auto _ : state) benchmark::DoNotOptimize(compact(shape));
    count(state, shape);
}

void encode_list(benchmark::State& state, Shape (*make)()) {
    auto const stream = Stream::whole(make());
    for (auto _ : state) benchmark::DoNotOptimize(encode(stream));
    count(state, stream.shape);
    state.counters["bytes"] = static_cast<double>(encode(stream).size());
}

void decode_list(benchmark::State& state, Shape (*make)()) {
    auto const shape = make();
    auto const code = encode(Stream::whole(shape));
    for (auto _ : state) benchmark::DoNotOptimize(decode(code));
    count(state, shape);
}

#define MEASURE(list)                              \
    BENCHMARK_CAPTURE(find_structure, list, list); \
    BENCHMARK_CAPTURE(encode_list, list, list);    \
    BENCHMARK_CAPTURE(decode_list, list, list)

MEASURE(random_extents);
MEASURE(many_random_extents);
MEASURE(climate);
MEASURE(padded_climate);
MEASURE(btio);

}  // namespace
}  // namespace muster
