// Arrays cut into one box per rank: S3D and the cube.
#include "workloads/box.hpp"
#include "workloads/registry.hpp"
#include "workloads/sizes.hpp"

namespace muster {

namespace {

struct RankGrid {
    Triple parts{};  // z, y, x; x changes fastest from rank to rank

    Triple index(Rank rank) const { return {rank / parts[2] / parts[1], rank / parts[2] % parts[1], rank % parts[2]}; }
};

// As asked for (x, y, z), or as near to a cube as the number of ranks allows.
Result<RankGrid> rank_grid(int ranks, WorkloadOptions const& options) {
    auto const asked = options.numbers("processes");
    if (asked.empty()) {
        auto const factors = three_factors(ranks);
        return RankGrid{{factors[2], factors[1], factors[0]}};
    }
    if (asked.size() == 3 && asked[0] <= ranks && asked[1] <= ranks && asked[2] <= ranks &&
        asked[0] * asked[1] * asked[2] == ranks) {
        return RankGrid{{asked[2], asked[1], asked[0]}};
    }
    return Status{Code::invalid_argument, "--processes needs three numbers whose product is " + std::to_string(ranks)};
}

struct BlockArray {
    Array3 array;
    RankGrid ranks;
};

Result<BlockArray> block_array(int ranks, WorkloadOptions const& options) {
    auto const grid = options.number("grid");
    auto const parts = rank_grid(ranks, options);
    if (!parts.ok()) return parts.status();
    if (auto const total = product({grid, grid, grid, 8 * 16}, "the array"); !total.ok()) return total.status();
    return BlockArray{{{grid, grid, grid}, 8}, *parts};
}

void cut_into_boxes(Workload& workload, BlockArray const& blocks) {
    lay_out(workload.variables);
    workload.pattern = [blocks](Rank rank, int) {
        return share_of(blocks.array, blocks.ranks.parts, blocks.ranks.index(rank));
    };
}

Variable components(std::string name, Array3 const& array, Size count) {
    return {std::move(name), 0, array.element, count * array.bytes(), 0, count, array.bytes()};
}

Result<Workload> make_s3d(int ranks, WorkloadOptions const& options) {
    auto const blocks = block_array(ranks, options);
    if (!blocks.ok()) return blocks.status();
    Workload workload;
    workload.ranks = ranks;
    workload.variables = {components("yspecies", blocks->array, 11), components("u", blocks->array, 3),
                          components("pressure", blocks->array, 1), components("temp", blocks->array, 1)};
    cut_into_boxes(workload, *blocks);
    return workload;
}

Result<Workload> make_cube(int ranks, WorkloadOptions const& options) {
    auto const blocks = block_array(ranks, options);
    if (!blocks.ok()) return blocks.status();
    Workload workload;
    workload.ranks = ranks;
    workload.variables = {components("cube", blocks->array, 1)};
    cut_into_boxes(workload, *blocks);
    return workload;
}

OptionInfo processes_option() {
    return {"processes", OptionKind::numbers, "",
            "ranks along x, y and z, as in 32,32,16; empty: as near to a cube as possible"};
}

}  // namespace

WorkloadInfo s3d_info() {
    return {"s3d",
            "S3D-IO: four arrays with 11, 3, 1 and 1 components, cut into boxes",
            {{"grid", OptionKind::number, "800", "points along an edge"}, processes_option()},
            16384,
            make_s3d};
}

WorkloadInfo cube_info() {
    return {"cube",
            "one array of doubles, cut into boxes",
            {{"grid", OptionKind::number, "2000", "points along an edge"}, processes_option()},
            4096,
            make_cube};
}

}  // namespace muster
