// One-dimensional workloads: each rank one block, blocks of random sizes, or blocks in turns.
#include <cmath>
#include <numbers>

#include "workloads/registry.hpp"
#include "workloads/sizes.hpp"

namespace muster {

namespace {

// A number in [0, 1) that belongs to (rank, draw).
double uniform(Rank rank, std::uint64_t draw) {
    auto value = (static_cast<std::uint64_t>(rank) * 2 + draw + 1) * 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 31)) * 0x94d049bb133111eb;
    value ^= value >> 29;
    return static_cast<double>(value >> 11) * 0x1p-53;
}

// Mean 0, deviation 1 (Box and Muller).
double normal(Rank rank) {
    auto const radius = std::sqrt(-2 * std::log(1 - uniform(rank, 0)));
    return radius * std::cos(2 * std::numbers::pi * uniform(rank, 1));
}

// Elements of a rank. Random ones are even up to the size of a uniform rank, normal ones lie around half of it.
Size element_count(std::string const& distribution, Size elements, Rank rank) {
    auto const most = static_cast<double>(elements);
    if (distribution == "random") return static_cast<Size>(uniform(rank, 0) * (most + 1));
    if (distribution == "normal") return static_cast<Size>(std::max(0.0, most / 2 * (1 + normal(rank) / 4)));
    return elements;
}

Result<Workload> make_array1d(int ranks, WorkloadOptions const& options) {
    constexpr Size element = 4;
    auto const elements = options.number("elements");
    if (auto const most = product({elements, element, 4, ranks}, "array1d"); !most.ok()) return most.status();
    std::vector<Offset> edges{0};
    for (Rank rank = 0; rank < ranks; ++rank) {
        edges.push_back(edges.back() + element * element_count(options.text("distribution"), elements, rank));
    }
    Workload workload;
    workload.ranks = ranks;
    workload.variables = {{"array", 0, element, edges.back()}};
    workload.pattern = [edges = std::move(edges)](Rank rank, int) {
        auto const index = static_cast<std::size_t>(rank);
        return Shape::block(edges[index], edges[index + 1] - edges[index]);
    };
    return workload;
}

// `blocks` blocks of each rank, in turns.
Result<Workload> make_turns(int ranks, Size block, Size blocks) {
    auto const total = product({block, blocks, ranks}, "the file");
    if (!total.ok()) return total.status();
    Workload workload;
    workload.ranks = ranks;
    workload.variables = {{"array", 0, 1, *total}};
    workload.pattern = [=](Rank rank, int) { return Shape::strip({rank * block, block}, blocks, ranks * block); };
    return workload;
}

Result<Workload> make_contiguous(int ranks, WorkloadOptions const& options) {
    return make_turns(ranks, options.number("block"), 1);
}

Result<Workload> make_strided(int ranks, WorkloadOptions const& options) {
    return make_turns(ranks, options.number("block"), options.number("blocks"));
}

}  // namespace

WorkloadInfo array1d_info() {
    return {"array1d",
            "one block of 4-byte integers per rank: all alike, or of random sizes",
            {{"elements", OptionKind::number, "25000", "integers per rank; random: at most; normal: twice the mean"},
             {"distribution",
              OptionKind::word,
              "uniform",
              "of the ranks' sizes: uniform, random or normal",
              0,
              {"uniform", "random", "normal"}}},
            16384,
            make_array1d};
}

WorkloadInfo contiguous_info() {
    return {"contiguous",
            "one block per rank, one behind the other",
            {{"block", OptionKind::number, "16MiB", "bytes per rank"}},
            1024,
            make_contiguous};
}

WorkloadInfo strided_info() {
    return {
        "strided",
        "blocks of all ranks in turns",
        {{"block", OptionKind::number, "4KiB", "bytes of a block"}, {"blocks", OptionKind::number, "1024", "per rank"}},
        1024,
        make_strided};
}

}  // namespace muster
