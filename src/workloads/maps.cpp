#include "workloads/maps.hpp"

#include <fstream>

#include "core/merge.hpp"
#include "workloads/netcdf.hpp"

namespace muster {

namespace {

Status damaged(std::string const& path, std::string const& what) {
    return {Code::invalid_argument, path + " is not a map that can be read: " + what};
}

// Collects a rank's elements in the order of the list.
class Listing {
public:
    void add(Extent run) {
        if (!runs_.empty() && runs_.back().end() == run.offset) {
            runs_.back().length += run.length;
        } else if (run.length > 0) {
            runs_.push_back(run);
        }
    }
    Size size() const { return static_cast<Size>(runs_.size()); }
    std::vector<Extent> sorted() && { return cover(std::move(runs_)); }

private:
    std::vector<Extent> runs_;
};

void add_rank(Map& map, Listing listing) {
    map.listed_requests += listing.size();
    map.ranks.push_back(std::move(listing).sorted());
}

struct TextHead {
    int ranks{0};
    int dimensions{0};
};

Result<TextHead> read_head(std::ifstream& stream, std::string const& path) {
    std::string version, npes, ndims;
    Size number = 0;
    TextHead head;
    stream >> version >> number >> npes >> head.ranks >> ndims >> head.dimensions;
    auto const sound = stream && version == "version" && npes == "npes" && ndims == "ndims";
    if (sound && head.ranks > 0 && head.dimensions > 0 && head.dimensions <= 64) return head;
    return damaged(path, "it does not begin as in 'version 2001 npes 16 ndims 2'");
}

Result<Size> read_elements(std::ifstream& stream, int dimensions, std::string const& path) {
    Size elements = 1;
    for (int i = 0; i < dimensions; ++i) {
        Size extent = 0;
        stream >> extent;
        if (!stream || extent < 1 || __builtin_mul_overflow(elements, extent, &elements)) {
            return damaged(path, "its dimensions make no sense");
        }
    }
    return elements;
}

Status read_rank(std::ifstream& stream, Map& map, std::string const& path) {
    Size rank = -1;
    Size count = -1;
    stream >> rank >> count;
    auto const expected = static_cast<Size>(map.ranks.size());
    if (!stream || rank != expected || count < 0) {
        return damaged(path, "rank " + std::to_string(expected) + " is missing");
    }
    Listing listing;
    for (Size i = 0; i < count; ++i) {
        Size element = -1;
        stream >> element;
        if (!stream || element < 0 || element > map.elements) {
            return damaged(path, "rank " + std::to_string(rank) + " has too few elements, or one outside the array");
        }
        if (element > 0) listing.add({element - 1, 1});
    }
    add_rank(map, std::move(listing));
    return {};
}

struct RankLists {
    std::vector<Size> counts;
    std::vector<Size> offsets;
    std::vector<Size> lengths;
};

Result<RankLists> read_lists(NetcdfFile& file, std::string const& map) {
    auto counts = file.variable(map + ".nreqs");
    auto offsets = file.variable(map + ".offsets");
    auto lengths = file.variable(map + ".lengths");
    if (!counts.ok()) return counts.status();
    if (!offsets.ok()) return offsets.status();
    if (!lengths.ok()) return lengths.status();
    return RankLists{std::move(*counts), std::move(*offsets), std::move(*lengths)};
}

Status add_ranks(Map& map, RankLists const& lists, std::string const& path) {
    std::size_t next = 0;
    for (auto const count : lists.counts) {
        Listing listing;
        for (Size i = 0; i < count; ++i, ++next) {
            if (next >= lists.offsets.size() || next >= lists.lengths.size())
                return damaged(path, "its lists are too short");
            Extent const run{lists.offsets[next], lists.lengths[next]};
            auto const inside = run.offset >= 0 && run.length >= 0 && run.length <= map.elements - run.offset;
            if (!inside) return damaged(path, "a request lies outside the array");
            listing.add(run);
        }
        add_rank(map, std::move(listing));
    }
    return {};
}

Result<Map> read_netcdf_map(NetcdfFile& file, std::string const& name, std::string const& path) {
    auto const dimensions = file.attribute(name + ".dims");
    if (!dimensions.ok()) return dimensions.status();
    Map map;
    map.elements = 1;
    for (auto const extent : *dimensions) {
        if (extent < 1 || __builtin_mul_overflow(map.elements, extent, &map.elements)) {
            return damaged(path, name + ".dims makes no sense");
        }
    }
    auto const lists = read_lists(file, name);
    if (!lists.ok()) return lists.status();
    if (auto const status = add_ranks(map, *lists, path); !status.ok()) return status;
    return map;
}

}  // namespace

Size Map::requests() const {
    Size count = 0;
    for (auto const& runs : ranks) count += static_cast<Size>(runs.size());
    return count;
}

Result<Map> read_text_map(std::string const& path) {
    std::ifstream stream{path};
    if (!stream) return Status{Code::not_found, "cannot open " + path};
    auto const head = read_head(stream, path);
    if (!head.ok()) return head.status();
    auto const elements = read_elements(stream, head->dimensions, path);
    if (!elements.ok()) return elements.status();
    Map map{*elements, {}, 0};
    for (int i = 0; i < head->ranks; ++i) {
        if (auto const status = read_rank(stream, map, path); !status.ok()) return status;
    }
    return map;
}

Result<std::vector<Map>> read_netcdf_maps(std::string const& path) {
    auto file = NetcdfFile::open(path);
    if (!file.ok()) return file.status();
    std::vector<Map> maps;
    for (int i = 1; file->has_variable("D" + std::to_string(i) + ".nreqs"); ++i) {
        auto map = read_netcdf_map(*file, "D" + std::to_string(i), path);
        if (!map.ok()) return map.status();
        maps.push_back(std::move(*map));
    }
    if (maps.empty()) return damaged(path, "it has no variable D1.nreqs");
    return maps;
}

Result<std::vector<Map>> read_maps(std::string const& path) {
    std::string magic(3, ' ');
    std::ifstream{path, std::ios::binary}.read(magic.data(), 3);
    if (magic == "CDF") return read_netcdf_maps(path);
    auto map = read_text_map(path);
    if (!map.ok()) return map.status();
    return std::vector<Map>{std::move(*map)};
}

}  // namespace muster
