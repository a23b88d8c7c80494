// The E3SM climate model's output, F case (atmosphere on a cubed sphere) and G case (ocean on a mesh of hexagons), with
// generated decompositions of the recorded ones' sizes and run lengths. Recorded ones: see maps.cpp.
#include <algorithm>
#include <array>
#include <memory>

#include "workloads/cubed_sphere.hpp"
#include "workloads/hexagons.hpp"
#include "workloads/mesh.hpp"
#include "workloads/registry.hpp"
#include "workloads/sizes.hpp"

namespace muster {

namespace {

// Runs of things, each of `bytes` bytes in the file.
Shape shape_of(std::vector<Extent> runs, Size bytes) {
    for (auto& run : runs) run = {run.offset * bytes, run.length * bytes};
    return Shape::pieces(std::move(runs));
}

void add_variables(Workload& workload, Size count, Variable const& model) {
    for (Size i = 0; i < count; ++i) {
        workload.variables.push_back(model);
        workload.variables.back().name += "_" + std::to_string(i);
    }
}

// --- F ---

constexpr Size f_value = 4;

// The columns of a rank's elements: D1, nearly contiguous.
std::vector<Extent> dynamics_columns(CubedSphere const& sphere, int ranks, Rank rank) {
    auto const begin = sphere.along_curve().begin();
    std::vector<Size> mine(begin + share_begin(sphere.elements(), ranks, rank),
                           begin + share_begin(sphere.elements(), ranks, rank + 1));
    std::sort(mine.begin(), mine.end());
    std::vector<Extent> columns;
    for (auto const element : mine) columns.push_back(sphere.columns_of(element));
    return columns;
}

Result<Workload> make_e3sm_f(int ranks, WorkloadOptions const& options) {
    auto const ne = options.number("ne");
    auto const levels = options.number("levels");
    if (ne > 4096) return Status{Code::invalid_argument, "--ne is at most 4096"};
    auto const sphere = std::make_shared<CubedSphere const>(ne);
    auto const row = sphere->columns() * f_value;
    auto const counts = std::array{options.number("d1"), options.number("d2"), options.number("d3")};
    auto const total = product({row, levels, counts[0] + counts[1] + counts[2]}, "e3sm-f");
    if (!total.ok()) return total.status();

    Workload workload;
    workload.ranks = ranks;
    add_variables(workload, counts[0], {"d1", 0, f_value, row, 0});
    add_variables(workload, counts[1], {"d2", 0, f_value, row, 1});
    add_variables(workload, counts[2], {"d3", 0, f_value, levels * row, 1, levels, row});
    lay_out(workload.variables);
    Runs const physics{sphere->columns(), options.real("run")};
    workload.pattern = [=](Rank rank, int pattern) {
        return shape_of(pattern == 0 ? dynamics_columns(*sphere, ranks, rank) : dealt_runs(physics, ranks, rank),
                        f_value);
    };
    return workload;
}

// --- G ---

// What a map is about, and which variables use it.
struct MeshMap {
    char const* name;
    Thing thing;
    Size levels;
    Size doubles;   // variables of 8-byte values
    Size integers;  // variables of masks and level numbers
};

std::array<MeshMap, 6> g_maps(Size levels) {
    return {{{"cells", Thing::cell, 1, 5, 1},
             {"edges", Thing::edge, 1, 0, 2},
             {"cell_levels", Thing::cell, levels, 24, 1},
             {"edge_levels", Thing::edge, levels, 1, 1},
             {"vertex_levels", Thing::vertex, levels, 1, 1},
             {"cell_interfaces", Thing::cell, levels + 1, 4, 0}}};
}

constexpr Size most_things = Size{1} << 31;

Result<std::shared_ptr<HexagonMesh const>> make_mesh(int ranks, WorkloadOptions const& options) {
    auto const cells = options.number("cells");
    if (cells > most_things / 3) return Status{Code::invalid_argument, "--cells is at most 2^31 / 3"};
    auto const or_else = [&](Size asked, Size usual) { return std::min(asked > 0 ? asked : usual, most_things); };
    HexagonOptions wanted;
    wanted.counts = {cells, or_else(options.number("edges"), 3 * cells),
                     or_else(options.number("vertices"), 2 * cells)};
    wanted.ranks = ranks;
    wanted.run = options.real("run");
    wanted.neighbourhood = options.number("neighbourhood");
    wanted.imbalance = static_cast<double>(options.number("imbalance")) / 100;
    return std::make_shared<HexagonMesh const>(wanted);
}

struct MeshPattern {
    Thing thing;
    Size bytes;  // of one thing
};

Result<Workload> make_e3sm_g(int ranks, WorkloadOptions const& options) {
    auto const levels = options.number("levels");
    auto const made = make_mesh(ranks, options);
    if (!made.ok()) return made.status();
    auto const& mesh = *made;
    if (auto const most = product({levels + 1, most_things, 8 * 41}, "e3sm-g"); !most.ok()) return most.status();

    Workload workload;
    workload.ranks = ranks;
    std::vector<MeshPattern> patterns;
    auto const add = [&](MeshMap const& map, Size count, Size value) {
        if (count == 0) return;
        Variable const model{map.name, 0, value, mesh->count(map.thing) * map.levels * value,
                             static_cast<int>(patterns.size())};
        patterns.push_back({map.thing, map.levels * value});
        add_variables(workload, count, model);
    };
    for (auto const& map : g_maps(levels)) {
        add(map, map.doubles, 8);
        add(map, map.integers, options.number("integer-bytes"));
    }
    lay_out(workload.variables);
    workload.pattern = [=](Rank rank, int pattern) {
        auto const& chosen = patterns[static_cast<std::size_t>(pattern)];
        return shape_of(mesh->runs_of(chosen.thing, rank), chosen.bytes);
    };
    return workload;
}

}  // namespace

WorkloadInfo e3sm_f_info() {
    return {
        "e3sm-f",
        "E3SM F case: atmosphere on a cubed sphere, 4-byte values, three maps",
        {{"ne", OptionKind::number, "120", "elements along an edge of the cube; 6 ne^2 9 + 2 columns"},
         {"levels", OptionKind::number, "72", "of the variables of map D3"},
         {"run", OptionKind::real, "2.78", "neighbouring columns that a rank has in a row, on average, in D2 and D3"},
         {"d1", OptionKind::number, "1", "variables of map D1: the columns of a rank's elements", 0},
         {"d2", OptionKind::number, "323", "variables of map D2: columns dealt to balance the load", 0},
         {"d3", OptionKind::number, "63", "variables of map D3: as D2, on all levels", 0}},
        21600,
        make_e3sm_f};
}

WorkloadInfo e3sm_g_info() {
    return {"e3sm-g",
            "E3SM G case: ocean on a mesh of hexagons, 41 variables of six maps",
            {{"cells", OptionKind::number, "3693225", "of the mesh"},
             {"edges", OptionKind::number, "11135652", "of the mesh; 0: three per cell", 0},
             {"vertices", OptionKind::number, "7441216", "of the mesh; 0: two per cell", 0},
             {"levels", OptionKind::number, "80", "of the ocean; interfaces are one more"},
             {"run", OptionKind::real, "1.03", "neighbours that have numbers in a row, on average"},
             {"neighbourhood", OptionKind::number, "0",
              "the mesh is numbered at random within so many runs; 0: the whole mesh", 0},
             {"imbalance", OptionKind::number, "4", "percent by which a rank's patch may differ from the mean", 0},
             {"integer-bytes", OptionKind::number, "8",
              "of the six variables that are masks or level numbers; 4 in the model's files"}},
            9600,
            make_e3sm_g};
}

}  // namespace muster
