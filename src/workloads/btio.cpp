// BTIO: block-tridiagonal solver output, [variable][z][y][x][5] doubles. With P = q x q ranks the cube is cut into
// q x q x q cells, and each rank owns one cell in each of the q slabs along z, on a diagonal.
#include <cmath>

#include "workloads/box.hpp"
#include "workloads/registry.hpp"
#include "workloads/sizes.hpp"

namespace muster {

namespace {

Shape diagonal_cells(Array3 const& array, Size side, Rank rank) {
    auto const row = rank / side;
    auto const column = rank % side;
    std::vector<Shape> cells;
    for (Size slab = 0; slab < side; ++slab) {
        Triple const index{slab, (row + side - slab) % side, (column + slab) % side};
        cells.push_back(share_of(array, {side, side, side}, index));
    }
    return Shape::chain(std::move(cells));
}

Size square_root(int ranks) {
    auto const root = static_cast<Size>(std::lround(std::sqrt(ranks)));
    return root * root == ranks ? root : 0;
}

Result<Workload> make_btio(int ranks, WorkloadOptions const& options) {
    auto const side = square_root(ranks);
    auto const grid = options.number("grid");
    auto const count = options.number("variables");
    if (side == 0) return Status{Code::invalid_argument, "btio needs a square number of ranks: 1, 4, 9, 16, ..."};
    if (grid < side) return Status{Code::invalid_argument, "btio needs a --grid of at least " + std::to_string(side)};
    if (auto const total = product({grid, grid, grid, 40, count}, "btio"); !total.ok()) return total.status();

    Workload workload;
    workload.ranks = ranks;
    Array3 const array{{grid, grid, grid}, 5 * 8};
    for (Size i = 0; i < count; ++i) workload.variables.push_back({"dump" + std::to_string(i), 0, 8, array.bytes()});
    lay_out(workload.variables);
    workload.pattern = [array, side](Rank rank, int) { return diagonal_cells(array, side, rank); };
    return workload;
}

}  // namespace

WorkloadInfo btio_info() {
    return {"btio",
            "NAS BTIO: cells on the diagonals of a cube, 5 doubles each; a square number of ranks",
            {{"grid", OptionKind::number, "512", "cells along an edge of the cube"},
             {"variables", OptionKind::number, "40", "arrays, one behind the other (time steps)"}},
            16384,
            make_btio};
}

}  // namespace muster
