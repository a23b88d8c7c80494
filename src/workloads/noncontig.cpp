// The non-contiguous benchmark of h5bench: many datasets, each a three-dimensional array cut into small cubes that are
// dealt to the ranks at random. What is left of a dataset behind the last full layer of cubes is dealt as plain pieces.
#include <algorithm>
#include <cmath>

#include "workloads/box.hpp"
#include "workloads/permutation.hpp"
#include "workloads/registry.hpp"
#include "workloads/sizes.hpp"

namespace muster {

namespace {

struct Cubes {
    Size side;     // elements along an edge of a cube
    Size element;  // bytes
    Triple count;  // of cubes: z, y, x
    Size dataset;  // bytes
    int ranks;

    Size cube_bytes() const { return side * side * side * element; }
    Size cubes() const { return count[0] * count[1] * count[2]; }
    Array3 array() const { return {{count[0] * side, count[1] * side, count[2] * side}, element}; }
};

// As many cubes as fit, in an array that is nearly a cube itself.
Cubes fit_cubes(Size dataset, Size side, Size element) {
    Cubes cubes{side, element, {}, dataset, 1};
    auto const fitting = dataset / cubes.cube_bytes();
    auto const edge = static_cast<Size>(std::cbrt(static_cast<double>(fitting)));
    auto const layer = std::max<Size>(edge * edge, 1);
    cubes.count = {fitting / layer, std::max<Size>(edge, 1), std::max<Size>(edge, 1)};
    return cubes;
}

// The cubes that one rank owns, ascending.
std::vector<Size> cubes_of(Cubes const& cubes, Rank rank) {
    Permutation const order{cubes.cubes(), 0x6e6f6e};
    std::vector<Size> mine;
    auto const end = share_begin(cubes.cubes(), cubes.ranks, rank + 1);
    for (auto i = share_begin(cubes.cubes(), cubes.ranks, rank); i < end; ++i) mine.push_back(order(i));
    std::sort(mine.begin(), mine.end());
    return mine;
}

// Cubes side by side along x: `side` rows, each with one piece per cube.
Shape row_of_cubes(Cubes const& cubes, std::span<Size const> row) {
    auto const width = cubes.side * cubes.element;
    std::vector<Extent> pieces;
    for (auto const cube : row) pieces.push_back({cube % cubes.count[2] * width, width});
    auto const line = row.front() / cubes.count[2] % cubes.count[1];
    auto const lines = Shape::repeat(Shape::pieces(std::move(pieces)), cubes.side, cubes.array().row());
    return lines.shifted(line * cubes.side * cubes.array().row());
}

// The part of `sorted` that shares `sorted.front() / divisor`.
std::span<Size const> group(std::span<Size const> sorted, Size divisor) {
    auto const key = sorted.front() / divisor;
    auto const end = std::find_if(sorted.begin(), sorted.end(), [&](Size cube) { return cube / divisor != key; });
    return sorted.first(static_cast<std::size_t>(end - sorted.begin()));
}

// Cubes of one layer: `side` planes, each with all rows of cubes.
Shape layer_of_cubes(Cubes const& cubes, std::span<Size const> layer) {
    auto const index = layer.front() / (cubes.count[1] * cubes.count[2]);
    std::vector<Shape> rows;
    while (!layer.empty()) {
        auto const row = group(layer, cubes.count[2]);
        rows.push_back(row_of_cubes(cubes, row));
        layer = layer.subspan(row.size());
    }
    auto const plane = cubes.array().plane();
    return Shape::repeat(Shape::chain(std::move(rows)), cubes.side, plane).shifted(index * cubes.side * plane);
}

// What lies behind the cubes, in pieces of a cube's size, in turns.
Shape rest_of(Cubes const& cubes, Rank rank) {
    auto const piece = cubes.cube_bytes();
    std::vector<Extent> pieces;
    for (auto at = cubes.cubes() * piece + rank * piece; at < cubes.dataset; at += cubes.ranks * piece) {
        pieces.push_back({at, std::min(piece, cubes.dataset - at)});
    }
    return Shape::pieces(std::move(pieces));
}

Shape part_of(Cubes const& cubes, Rank rank) {
    auto const mine = cubes_of(cubes, rank);
    std::span<Size const> left{mine};
    std::vector<Shape> parts;
    while (!left.empty()) {
        auto const layer = group(left, cubes.count[1] * cubes.count[2]);
        parts.push_back(layer_of_cubes(cubes, layer));
        left = left.subspan(layer.size());
    }
    parts.push_back(rest_of(cubes, rank));
    return Shape::chain(std::move(parts));
}

Result<Workload> make_noncontig(int ranks, WorkloadOptions const& options) {
    auto const dataset = options.number("dataset-bytes");
    auto const datasets = options.number("datasets");
    auto const side = options.number("block-side");
    auto const element = options.number("element");
    if (auto const total = product({dataset, datasets}, "noncontig"); !total.ok()) return total.status();
    if (auto const cube = product({side, side, side, element, ranks}, "a block"); !cube.ok()) return cube.status();

    Workload workload;
    workload.ranks = ranks;
    for (Size i = 0; i < datasets; ++i) {
        workload.variables.push_back({"dataset" + std::to_string(i), 0, element, dataset});
    }
    lay_out(workload.variables);
    auto cubes = fit_cubes(dataset, side, element);
    cubes.ranks = ranks;
    workload.pattern = [cubes](Rank rank, int) { return part_of(cubes, rank); };
    return workload;
}

}  // namespace

WorkloadInfo noncontig_info() {
    return {"noncontig",
            "h5bench non-contiguous: many datasets of small cubes, dealt to the ranks at random",
            {{"datasets", OptionKind::number, "400", "arrays, one behind the other"},
             {"dataset-bytes", OptionKind::number, "105125000", "bytes of each"},
             {"block-side", OptionKind::number, "8", "elements along an edge of a cube"},
             {"element", OptionKind::number, "1", "bytes of an element"}},
            16384,
            make_noncontig};
}

}  // namespace muster
