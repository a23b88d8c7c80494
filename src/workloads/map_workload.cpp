// A workload made of recorded decompositions.
#include <memory>

#include "core/merge.hpp"
#include "workloads/maps.hpp"
#include "workloads/registry.hpp"
#include "workloads/sizes.hpp"

namespace muster {

namespace {

using Maps = std::vector<Map>;

Result<Maps> read_all(std::vector<std::string> const& paths) {
    Maps maps;
    for (auto const& path : paths) {
        auto more = read_maps(path);
        if (!more.ok()) return more.status();
        maps.insert(maps.end(), more->begin(), more->end());
    }
    if (maps.empty()) return Status{Code::invalid_argument, "which maps? Say --files a.dat,b.dat or --files maps.nc"};
    return maps;
}

// How many variables each map serves: as asked, as in the E3SM cases with so many maps, or one each.
Result<std::vector<Size>> variable_counts(std::vector<Size> asked, std::size_t maps) {
    if (asked.empty() && maps == 3) asked = {1, 323, 63};
    if (asked.empty() && maps == 6) asked = {6, 2, 25, 2, 2, 4};
    if (asked.empty()) asked.assign(maps, 1);
    if (asked.size() == maps) return asked;
    return Status{Code::invalid_argument, "--variables needs " + std::to_string(maps) + " numbers, one for each map"};
}

// The recorded ranks are shared out evenly; where there are more ranks than recorded, the last ones have nothing.
Shape part_of(Map const& map, Size element, int ranks, Rank rank) {
    auto const recorded = static_cast<Size>(map.ranks.size());
    auto const shares = std::min<Size>(ranks, recorded);
    if (rank >= shares) return {};
    std::vector<Extent> runs;
    for (auto i = share_begin(recorded, shares, rank); i < share_begin(recorded, shares, rank + 1); ++i) {
        for (auto const& run : map.ranks[static_cast<std::size_t>(i)]) {
            runs.push_back({run.offset * element, run.length * element});
        }
    }
    return Shape::pieces(cover(std::move(runs)));
}

Status add_variables(Workload& workload, Maps const& maps, std::vector<Size> const& counts, Size element) {
    for (std::size_t i = 0; i < maps.size(); ++i) {
        auto const bytes = product({maps[i].elements, element}, "a variable");
        if (!bytes.ok()) return bytes.status();
        workload.listed_requests += counts[i] * maps[i].listed_requests;
        for (Size k = 0; k < counts[i]; ++k) {
            auto const name = "d" + std::to_string(i + 1) + "_" + std::to_string(k);
            workload.variables.push_back({name, 0, element, *bytes, static_cast<int>(i)});
        }
    }
    lay_out(workload.variables);
    return {};
}

Result<Workload> make_map(int ranks, WorkloadOptions const& options) {
    auto read = read_all(split_list(options.text("files"), ','));
    if (!read.ok()) return read.status();
    auto const counts = variable_counts(options.numbers("variables"), read->size());
    if (!counts.ok()) return counts.status();
    auto const maps = std::make_shared<Maps const>(std::move(*read));
    auto const element = options.number("element");

    Workload workload;
    workload.ranks = ranks;
    if (auto const status = add_variables(workload, *maps, *counts, element); !status.ok()) return status;
    workload.pattern = [=](Rank rank, int pattern) {
        return part_of((*maps)[static_cast<std::size_t>(pattern)], element, ranks, rank);
    };
    return workload;
}

}  // namespace

WorkloadInfo map_info() {
    return {"map",
            "recorded decompositions: PIO/SCORPIO text maps, or E3SM-IO's netCDF maps",
            {{"files", OptionKind::text, "", "maps, as in a.dat,b.dat or maps.nc"},
             {"variables", OptionKind::numbers, "",
              "how many variables use each map; empty: 1,323,63 for three maps, 6,2,25,2,2,4 for six, else 1 each", 0},
             {"element", OptionKind::number, "4", "bytes of a value"}},
            16,
            make_map};
}

}  // namespace muster
