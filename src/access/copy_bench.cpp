// Packing pieces into a message, placing them in a window, and taking them out again, against memcpy of the same bytes: pieces
// and bytes per second.
#include "access/copy.hpp"

#include <benchmark/benchmark.h>

#include <cstring>
#include <random>

namespace muster {
namespace {

constexpr Size total = Size{4} << 20;  // bytes, a window's worth

// Pieces of `length` bytes that one of four ranks has in a window: regular, or at random places of the window in file order.
Shape pieces_of(Size length, bool regular) {
    auto const count = total / length;
    if (regular) return Shape::strip({0, length}, count, 4 * length);
    std::mt19937 random{1};
    std::vector<Extent> list;
    for (Size i = 0; i < count; ++i) {
        list.push_back({(4 * i + static_cast<Size>(random() % 3)) * length, length});
    }
    return Shape::pieces(std::move(list));
}

// What one of so many ranks has in a window of four: runs of neighbouring columns, 2.78 of them on average.
Shape columns_of(Size ranks) {
    std::mt19937 random{1};
    std::geometric_distribution<Size> more{1 / 2.78};
    std::uniform_int_distribution<Size> owner{0, ranks - 1};
    std::vector<Extent> list;
    for (Offset at = 0, end = 4 * total; at < end;) {
        auto const length = std::min(4 * (1 + more(random)), end - at);
        if (owner(random) == 0) list.push_back({at, length});
        at += length;
    }
    return Shape::pieces(std::move(list));
}

// Memory and a window that looks like the file.
struct Desk {
    std::vector<std::byte> memory = std::vector<std::byte>(static_cast<std::size_t>(4 * total), std::byte{1});
    std::vector<std::byte> window = std::vector<std::byte>(static_cast<std::size_t>(4 * total), std::byte{2});
    Access access;

    explicit Desk(Shape shape) {
        access.file = Stream::whole(std::move(shape));
        access.memory = Stream::whole(Shape::block(0, access.file.size()));
        access.base = memory.data();
    }
    explicit Desk(benchmark::State const& state) : Desk{pieces_of(state.range(0), state.range(1) != 0)} {}
};

void count(benchmark::State& state) {
    state.SetBytesProcessed(state.iterations() * total);
    state.SetItemsProcessed(state.iterations() * (total / state.range(0)));
}

void place_in_window(benchmark::State& state) {
    Desk desk{state};
    for (auto _ : state) {
        place(desk.access, 0, total, {desk.window, 0});
        benchmark::ClobberMemory();
    }
    count(state);
}

void take_from_window(benchmark::State& state) {
    Desk desk{state};
    for (auto _ : state) {
        fetch({desk.window, 0}, desk.access, 0, total);
        benchmark::ClobberMemory();
    }
    count(state);
}

// Past the caches.
void take_streaming(benchmark::State& state) {
    Desk desk{state};
    for (auto _ : state) {
        StreamFromWindow visitor{{desk.window, 0}};
        zip(desk.access, 0, total, visitor);
        visitor.streaming.finish();
        benchmark::ClobberMemory();
    }
    count(state);
}

// Memory that is scattered like a file, into a message.
void pack_message(benchmark::State& state) {
    Desk desk{state};
    for (auto _ : state) {
        gather(desk.access.file, desk.window.data(), desk.memory.data());
        benchmark::ClobberMemory();
    }
    count(state);
}

void copy_whole(benchmark::State& state) {
    Desk desk{state};
    for (auto _ : state) {
        std::memcpy(desk.window.data(), desk.memory.data(), static_cast<std::size_t>(total));
        benchmark::ClobberMemory();
    }
    count(state);
}

void count_columns(benchmark::State& state, Desk const& desk) {
    state.SetBytesProcessed(state.iterations() * desk.access.size());
    state.SetItemsProcessed(state.iterations() * desk.access.file.piece_count());
}

// Short pieces of ever other lengths.
void place_columns(benchmark::State& state) {
    Desk desk{columns_of(state.range(0))};
    for (auto _ : state) {
        place(desk.access, 0, desk.access.size(), {desk.window, 0});
        benchmark::ClobberMemory();
    }
    count_columns(state, desk);
}

void take_columns(benchmark::State& state) {
    Desk desk{columns_of(state.range(0))};
    for (auto _ : state) {
        fetch({desk.window, 0}, desk.access, 0, desk.access.size());
        benchmark::ClobberMemory();
    }
    count_columns(state, desk);
}

// The same piece by piece, as other accesses go: what the kernels for lists are measured against.
void place_columns_one_by_one(benchmark::State& state) {
    Desk desk{columns_of(state.range(0))};
    PlaceInWindow const whole{{desk.window, 0}};
    for (auto _ : state) {
        zip(desk.access, 0, desk.access.size(),
            [=](Offset offset, std::byte const* memory, Size length) { whole(offset, memory, length); });
        benchmark::ClobberMemory();
    }
    count_columns(state, desk);
}

void take_columns_one_by_one(benchmark::State& state) {
    Desk desk{columns_of(state.range(0))};
    FetchFromWindow const whole{{desk.window, 0}};
    for (auto _ : state) {
        zip(desk.access, 0, desk.access.size(),
            [=](Offset offset, std::byte* memory, Size length) { whole(offset, memory, length); });
        benchmark::ClobberMemory();
    }
    count_columns(state, desk);
}

void sizes(benchmark::internal::Benchmark* each) {
    each->ArgNames({"bytes", "regular"})->ArgsProduct({{8, 32, 128, 1024}, {0, 1}});
}
BENCHMARK(place_in_window)->Apply(sizes);
BENCHMARK(take_from_window)->Apply(sizes);
BENCHMARK(take_streaming)->Apply(sizes);
BENCHMARK(place_columns)->ArgName("ranks")->Arg(2)->Arg(16)->Arg(64);
BENCHMARK(take_columns)->ArgName("ranks")->Arg(2)->Arg(16)->Arg(64);
BENCHMARK(place_columns_one_by_one)->ArgName("ranks")->Arg(2)->Arg(16)->Arg(64);
BENCHMARK(take_columns_one_by_one)->ArgName("ranks")->Arg(2)->Arg(16)->Arg(64);
BENCHMARK(pack_message)->Apply(sizes);
BENCHMARK(copy_whole)->ArgNames({"bytes", "regular"})->Args({1024, 1});

}  // namespace
}  // namespace muster
