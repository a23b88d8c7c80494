// Walking shapes; the rate counted is that of pieces.
#include <benchmark/benchmark.h>

#include "core/shape_testing.hpp"

namespace muster {
namespace {

Shape random_list(Size count) {
    testing::Random random{1};
    std::vector<Extent> list;
    for (Offset at = 0; count > 0; --count, at = list.back().end()) {
        list.push_back({at + testing::between(random, 1, 1000), testing::between(random, 1, 64)});
    }
    return Shape::pieces(std::move(list));
}

Shape three_pieces() { return Shape::pieces({{0, 4}, {10, 2}, {30, 4}}); }
Shape strip() { return Shape::strip({0, 8}, 3'000'000, 32); }
Shape irregular() { return random_list(3'000'000); }
Shape repeated_pieces() { return Shape::repeat(three_pieces(), 1'000'000, 100); }
Shape repeated_strip() { return Shape::repeat(Shape::strip({0, 8}, 3, 16), 1'000'000, 100); }
Shape repeated_chain() {
    return Shape::repeat(Shape::chain({three_pieces(), Shape::strip({50, 8}, 3, 16)}), 500'000, 200);
}
Shape cube() { return Shape::repeat(Shape::repeat(Shape::strip({0, 8}, 100, 16), 100, 3200), 100, 640'000); }

void count_pieces(benchmark::State& state, Shape const& shape) {
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * shape.piece_count());
}

void walk(benchmark::State& state, Shape (*make)()) {
    auto const shape = make();
    for (auto _ : state) {
        Size sum = 0;
        shape.for_each([&](Offset offset, Size length) { sum += offset ^ length; });
        benchmark::DoNotOptimize(sum);
    }
    count_pieces(state, shape);
}

void walk_a_part(benchmark::State& state, Shape (*make)()) {
    auto const shape = make();
    for (auto _ : state) {
        Size sum = 0;
        shape.for_each(1, shape.size() - 1, [&](Offset offset, Size length) { sum += offset ^ length; });
        benchmark::DoNotOptimize(sum);
    }
    count_pieces(state, shape);
}

void take(benchmark::State& state, Shape (*make)()) {
    auto const shape = make();
    for (auto _ : state) {
        Size sum = 0;
        Cursor cursor{shape};
        for (auto piece = cursor.take(1 << 20); piece.length > 0; piece = cursor.take(1 << 20)) sum += piece.offset;
        benchmark::DoNotOptimize(sum);
    }
    count_pieces(state, shape);
}

#define MEASURE(shape)                            \
    BENCHMARK_CAPTURE(walk, shape, shape);        \
    BENCHMARK_CAPTURE(walk_a_part, shape, shape); \
    BENCHMARK_CAPTURE(take, shape, shape)

MEASURE(strip);
MEASURE(irregular);
MEASURE(repeated_pieces);
MEASURE(repeated_strip);
MEASURE(repeated_chain);
MEASURE(cube);

}  // namespace
}  // namespace muster
