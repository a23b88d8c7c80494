// FLASH-IO checkpoint: in each variable every rank's blocks lie together, so a rank has one request per variable.
#include "workloads/registry.hpp"
#include "workloads/sizes.hpp"

namespace muster {

namespace {

// Blocks per rank: `least`, and up to `more` on top, in turns.
struct BlockCounts {
    Size least;
    Size more;

    Size of(Rank rank) const { return least + rank % (more + 1); }
    Size before(Rank rank) const {
        auto const turns = rank / (more + 1);
        auto const rest = rank % (more + 1);
        return rank * least + turns * (more * (more + 1) / 2) + rest * (rest - 1) / 2;
    }
};

Result<Workload> make_flash(int ranks, WorkloadOptions const& options) {
    auto const side = options.number("block-side");
    auto const count = options.number("variables");
    BlockCounts const counts{options.number("blocks"), options.number("more-blocks")};
    auto const most = product({side, side, side, 8, count, counts.least + counts.more, ranks}, "flash");
    if (!most.ok()) return most.status();

    Workload workload;
    workload.ranks = ranks;
    auto const block = side * side * side * 8;
    for (Size i = 0; i < count; ++i) {
        workload.variables.push_back({"unknown" + std::to_string(i), 0, 8, counts.before(ranks) * block});
    }
    lay_out(workload.variables);
    workload.pattern = [counts, block](Rank rank, int) {
        return Shape::block(counts.before(rank) * block, counts.of(rank) * block);
    };
    return workload;
}

}  // namespace

WorkloadInfo flash_info() {
    return {"flash",
            "FLASH-IO checkpoint: blocks of doubles, one request per rank and variable",
            {{"blocks", OptionKind::number, "80", "blocks per rank"},
             {"more-blocks", OptionKind::number, "0", "2: ranks have 80, 81, 82, 80, ... blocks", 0},
             {"block-side", OptionKind::number, "8", "cells along an edge of a block"},
             {"variables", OptionKind::number, "24", "arrays"}},
            16384,
            make_flash};
}

}  // namespace muster
