#include "workloads/hexagons.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "workloads/cubed_sphere.hpp"
#include "workloads/mesh.hpp"
#include "workloads/permutation.hpp"
#include "workloads/sizes.hpp"

namespace muster {

namespace {

using Numbers = std::vector<std::uint32_t>;
using Index = std::size_t;

constexpr std::uint32_t none = ~std::uint32_t{0};

// Cells row by row. Each brings the edges to three of its neighbours, and the two vertices between those.
struct Rows {
    Size cells;
    Size width{static_cast<Size>(std::ceil(std::sqrt(static_cast<double>(cells))))};

    Size at(Size x, Size y) const {
        auto const cell = y * width + (x + width) % width;
        return cell < cells ? cell : -1;
    }
    // To the east, the south-east and the south-west; -1 at a coast.
    std::array<Size, 3> neighbours(Size cell) const {
        auto const x = cell % width;
        auto const y = cell / width;
        auto const shift = y % 2;
        return {at(x + 1, y), at(x + shift, y + 1), at(x + shift - 1, y + 1)};
    }
};

Numbers cells_along_curve(Rows const& rows) {
    auto const side = static_cast<Size>(std::bit_ceil(static_cast<std::uint64_t>(rows.width)));
    std::vector<std::pair<Size, std::uint32_t>> cells(static_cast<Index>(rows.cells));
    for (Size i = 0; i < rows.cells; ++i) {
        auto const distance = hilbert_distance(side, i % rows.width, i / rows.width);
        cells[static_cast<Index>(i)] = {distance, static_cast<std::uint32_t>(i)};
    }
    std::sort(cells.begin(), cells.end());
    Numbers order;
    order.reserve(cells.size());
    for (auto const& [distance, cell] : cells) order.push_back(cell);
    return order;
}

// The numbers of `count` things, in the order of the curve.
Numbers scattered(Size count, HexagonOptions const& options) {
    Runs const runs{count, options.run};
    auto const size = options.neighbourhood == 0 ? runs.size() : std::min(options.neighbourhood, runs.size());
    Numbers numbers;
    numbers.reserve(static_cast<Index>(count));
    for (Size first = 0; first < runs.size(); first += size) {
        Permutation const order{std::min(size, runs.size() - first), static_cast<std::uint64_t>(first + count)};
        for (Size i = 0; i < std::min(size, runs.size() - first); ++i) {
            auto const run = runs[first + order(i)];
            for (auto n = run.offset; n < run.end(); ++n) numbers.push_back(static_cast<std::uint32_t>(n));
        }
    }
    return numbers;
}

// Who has the cells, in the order of the curve. Where patches meet is moved to and fro, as partitioners do.
std::vector<Rank> patches(HexagonOptions const& options) {
    auto const cells = options.counts[0];
    auto const mean = static_cast<double>(cells) / options.ranks;
    Permutation const dice{options.ranks, 7};
    std::vector<Rank> owners;
    owners.reserve(static_cast<Index>(cells));
    for (Rank rank = 0; rank < options.ranks; ++rank) {
        auto const throw_of = [&] { return static_cast<double>(dice(rank)) / options.ranks - 0.5; };
        auto const moved = std::lround(mean * (rank + 1 + options.imbalance * throw_of()));
        auto const end = rank + 1 == options.ranks ? cells : std::min<Size>(moved, cells);
        while (static_cast<Size>(owners.size()) < end) owners.push_back(rank);
    }
    return owners;
}

// Who has the edges and vertices of a mesh whose cells are divided.
class Ownership {
public:
    explicit Ownership(HexagonOptions const& options)
        : rows_{options.counts[0]},
          curve_{cells_along_curve(rows_)},
          place_(curve_.size()),
          numbers_{scattered(options.counts[0], options)},
          owners_{patches(options)} {
        for (Index i = 0; i < curve_.size(); ++i) place_[curve_[i]] = static_cast<std::uint32_t>(i);
    }

    Numbers const& cell_numbers() const { return numbers_; }
    std::vector<Rank> const& cell_owners() const { return owners_; }

    // Of `count` edges or vertices, in the order of the curve. Those beyond the usual ones of a cell are its coast.
    std::vector<Rank> owners_of(Thing thing, Size count) const {
        std::vector<Rank> owners;
        owners.reserve(static_cast<Index>(count));
        for (Index cell = 0; cell < curve_.size(); ++cell) {
            auto const places = neighbour_places(cell);
            auto const end = share_begin(count, rows_.cells, static_cast<Size>(cell) + 1);
            for (Index k = 0; static_cast<Size>(owners.size()) < end; ++k) {
                owners.push_back(owners_[first_of(thing, cell, places, k)]);
            }
        }
        return owners;
    }

private:
    std::array<std::uint32_t, 3> neighbour_places(Index cell) const {
        std::array<std::uint32_t, 3> places{};
        auto const neighbours = rows_.neighbours(curve_[cell]);
        for (Index k = 0; k < 3; ++k) places[k] = neighbours[k] < 0 ? none : place_[static_cast<Index>(neighbours[k])];
        return places;
    }

    // Of the cells at the k-th edge or vertex that a cell brings, the one with the lowest number.
    Index first_of(Thing thing, Index cell, std::array<std::uint32_t, 3> const& places, Index k) const {
        auto first = cell;
        auto const meet = [&](Index i) {
            if (i < 3 && places[i] != none && numbers_[places[i]] < numbers_[first]) first = places[i];
        };
        if (thing == Thing::edge || k < 2) meet(k);
        if (thing == Thing::vertex && k < 2) meet(k + 1);
        return first;
    }

    Rows rows_;
    Numbers curve_;  // cells
    Numbers place_;  // on the curve, by cell
    Numbers numbers_;
    std::vector<Rank> owners_;
};

// Numbers in the order of the curve become numbers rank by rank.
std::vector<std::size_t> sort_by_rank(Numbers& numbers, std::vector<Rank> const& owners, int ranks) {
    std::vector<std::size_t> begin(static_cast<Index>(ranks) + 1);
    for (auto const owner : owners) ++begin[static_cast<Index>(owner) + 1];
    for (Index rank = 0; rank < static_cast<Index>(ranks); ++rank) begin[rank + 1] += begin[rank];
    auto next = begin;
    Numbers sorted(numbers.size());
    for (Index i = 0; i < numbers.size(); ++i) sorted[next[static_cast<Index>(owners[i])]++] = numbers[i];
    for (Index rank = 0; rank < static_cast<Index>(ranks); ++rank) {
        std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(begin[rank]),
                  sorted.begin() + static_cast<std::ptrdiff_t>(begin[rank + 1]));
    }
    numbers = std::move(sorted);
    return begin;
}

}  // namespace

HexagonMesh::HexagonMesh(HexagonOptions const& options) {
    Ownership const ownership{options};
    for (auto const thing : {Thing::cell, Thing::edge, Thing::vertex}) {
        auto const index = static_cast<Index>(thing);
        auto const count = options.counts[index];
        auto& shares = shares_[index];
        shares.numbers = thing == Thing::cell ? ownership.cell_numbers() : scattered(count, options);
        auto const owners = thing == Thing::cell ? ownership.cell_owners() : ownership.owners_of(thing, count);
        shares.begin = sort_by_rank(shares.numbers, owners, options.ranks);
    }
}

std::vector<Extent> HexagonMesh::runs_of(Thing thing, Rank rank) const {
    auto const& [numbers, begin] = of(thing);
    std::vector<Extent> runs;
    for (auto i = begin[static_cast<Index>(rank)]; i < begin[static_cast<Index>(rank) + 1]; ++i) {
        if (!runs.empty() && runs.back().end() == numbers[i]) {
            ++runs.back().length;
        } else {
            runs.push_back({numbers[i], 1});
        }
    }
    return runs;
}

}  // namespace muster
