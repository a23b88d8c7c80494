// An ocean on a mesh of hexagons: cells in rows, round the globe, each shifted by half a cell against the next, with their
// edges and vertices. The mesh is cut into compact patches along a space-filling curve, one per rank; an edge or a vertex
// belongs to whoever has the first of its cells. Numbers in the file are another matter: whoever made the mesh numbered
// neighbours without regard to each other, so that a rank's numbers are scattered.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "muster/extent.hpp"

namespace muster {

enum class Thing { cell, edge, vertex };

struct HexagonOptions {
    std::array<Size, 3> counts{};  // of cells, edges and vertices; about 1 : 3 : 2, and more where there are coasts
    int ranks{1};
    double run{1};          // things in a row on the curve with numbers in a row, on average
    Size neighbourhood{0};  // runs within which numbers are scattered; 0: all of them
    double imbalance{0};    // by how much a patch may differ from the mean, as a part of it
};

class HexagonMesh {
public:
    explicit HexagonMesh(HexagonOptions const& options);

    Size count(Thing thing) const { return static_cast<Size>(of(thing).numbers.size()); }
    // What a rank has, as runs of numbers; ascending, and joined where they touch.
    std::vector<Extent> runs_of(Thing thing, Rank rank) const;

private:
    using Numbers = std::vector<std::uint32_t>;
    struct Shares {
        Numbers numbers;                 // rank by rank, ascending in each
        std::vector<std::size_t> begin;  // by rank, and one past the last
    };

    Shares const& of(Thing thing) const { return shares_[static_cast<std::size_t>(thing)]; }

    std::array<Shares, 3> shares_;
};

}  // namespace muster
