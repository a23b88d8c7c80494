// The small things that workloads are made of.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "workloads/cubed_sphere.hpp"
#include "workloads/hexagons.hpp"
#include "workloads/mesh.hpp"
#include "workloads/options.hpp"
#include "workloads/permutation.hpp"
#include "workloads/sizes.hpp"

namespace muster {
namespace {

TEST(Factors, are_as_equal_as_possible) {
    EXPECT_EQ(three_factors(16384), (std::array<Size, 3>{32, 32, 16}));
    EXPECT_EQ(three_factors(27), (std::array<Size, 3>{3, 3, 3}));
    EXPECT_EQ(three_factors(12), (std::array<Size, 3>{3, 2, 2}));
    EXPECT_EQ(three_factors(7), (std::array<Size, 3>{7, 1, 1}));
    EXPECT_EQ(three_factors(1), (std::array<Size, 3>{1, 1, 1}));
}

TEST(Product, tells_when_it_is_too_large) {
    EXPECT_EQ(*product({3, 5, 7}, "x"), 105);
    EXPECT_FALSE(product({Size{1} << 40, Size{1} << 40}, "x").ok());
}

TEST(Permutation, brings_each_number_once) {
    for (Size const size : {1, 2, 3, 7, 64, 65, 1000}) {
        Permutation const order{size, 5};
        std::set<Size> seen;
        for (Size i = 0; i < size; ++i) seen.insert(order(i));
        EXPECT_EQ(static_cast<Size>(seen.size()), size);
        EXPECT_EQ(*seen.begin(), 0);
        EXPECT_EQ(*seen.rbegin(), size - 1);
    }
}

TEST(Permutation, leaves_little_in_its_order) {
    Permutation const order{10000, 5};
    Size kept = 0;
    for (Size i = 0; i + 1 < 10000; ++i) kept += order(i + 1) == order(i) + 1 ? 1 : 0;
    EXPECT_LT(kept, 20);
}

TEST(CubedSphere, has_the_columns_of_the_model_grids) {
    for (auto const& [ne, columns] : {std::pair{1, 56}, {4, 866}, {30, 48602}, {120, 777602}}) {
        CubedSphere const sphere{ne};
        EXPECT_EQ(sphere.columns(), columns);
        EXPECT_EQ(sphere.elements(), 6 * ne * ne);
    }
}

TEST(CubedSphere, gives_elements_between_4_and_16_columns) {
    CubedSphere const sphere{6};
    EXPECT_EQ(sphere.columns_of(0), (Extent{0, 16}));
    for (Size i = 0; i < sphere.elements(); ++i) {
        EXPECT_GE(sphere.columns_of(i).length, 4);
        EXPECT_LE(sphere.columns_of(i).length, 16);
    }
}

TEST(CubedSphere, has_a_curve_through_all_elements) {
    CubedSphere const sphere{5};
    auto curve = sphere.along_curve();
    std::sort(curve.begin(), curve.end());
    for (std::size_t i = 0; i < curve.size(); ++i) EXPECT_EQ(curve[i], static_cast<Size>(i));
}

TEST(Hilbert, goes_from_neighbour_to_neighbour) {
    constexpr Size side = 16;
    std::vector<std::pair<Size, Size>> cells(side * side, {-1, -1});
    for (Size y = 0; y < side; ++y) {
        for (Size x = 0; x < side; ++x) cells[static_cast<std::size_t>(hilbert_distance(side, x, y))] = {x, y};
    }
    for (std::size_t i = 1; i < cells.size(); ++i) {
        auto const step =
            std::abs(cells[i].first - cells[i - 1].first) + std::abs(cells[i].second - cells[i - 1].second);
        EXPECT_EQ(step, 1);
    }
}

TEST(Runs, have_the_length_asked_for_on_average) {
    Runs const runs{777602, 2.78};
    EXPECT_EQ(runs.size(), 279713);
    EXPECT_EQ(runs[0].offset, 0);
    EXPECT_EQ(runs[runs.size() - 1].end(), 777602);
    EXPECT_EQ(Runs(10, 100.0).size(), 1);
}

TEST(DealtRuns, put_neighbours_on_different_ranks) {
    std::vector<Rank> owner(1000, -1);
    for (Rank rank = 0; rank < 16; ++rank) {
        for (auto const& run : dealt_runs({1000, 1}, 16, rank)) owner[static_cast<std::size_t>(run.offset)] = rank;
    }
    for (std::size_t i = 1; i < owner.size(); ++i) EXPECT_GT(std::abs(owner[i] - owner[i - 1]), 1);
}

HexagonOptions hexagons(int ranks) {
    HexagonOptions options;
    options.counts = {2500, 7600, 5080};
    options.ranks = ranks;
    return options;
}

TEST(HexagonMesh, gives_each_thing_to_one_rank) {
    auto options = hexagons(7);
    options.run = 1.5;
    options.imbalance = 0.3;
    options.neighbourhood = 100;
    HexagonMesh const mesh{options};
    for (auto const thing : {Thing::cell, Thing::edge, Thing::vertex}) {
        std::vector<int> owned(static_cast<std::size_t>(mesh.count(thing)));
        for (Rank rank = 0; rank < 7; ++rank) {
            for (auto const& run : mesh.runs_of(thing, rank)) {
                for (auto i = run.offset; i < run.end(); ++i) ++owned[static_cast<std::size_t>(i)];
            }
        }
        EXPECT_EQ(std::count(owned.begin(), owned.end(), 1), mesh.count(thing));
    }
}

// Numbered along the curve, a patch is one run of cells; most of its edges and vertices are its own cells'.
TEST(HexagonMesh, has_compact_patches) {
    auto options = hexagons(25);
    options.neighbourhood = 1;
    HexagonMesh const mesh{options};
    for (Rank rank = 0; rank < 25; ++rank) {
        EXPECT_EQ(mesh.runs_of(Thing::cell, rank), (std::vector<Extent>{{rank * 100, 100}}));
        Size edges = 0;
        Size inside = 0;
        for (auto const& run : mesh.runs_of(Thing::edge, rank)) {
            edges += run.length;
            inside +=
                std::max<Size>(0, std::min(run.end(), Size{304} * (rank + 1)) - std::max(run.offset, Size{304} * rank));
        }
        EXPECT_NEAR(static_cast<double>(edges), 304, 70) << rank;  // a patch's perimeter is about 60 edges
        EXPECT_GT(inside, edges * 2 / 3) << rank;
    }
}

TEST(HexagonMesh, scatters_the_numbers_of_neighbours) {
    HexagonMesh const mesh{hexagons(100)};
    Size runs = 0;
    for (Rank rank = 0; rank < 100; ++rank) runs += static_cast<Size>(mesh.runs_of(Thing::cell, rank).size());
    EXPECT_GT(runs, 2400);
}

TEST(HexagonMesh, has_patches_that_differ_as_much_as_asked) {
    auto options = hexagons(10);
    options.imbalance = 0.2;
    HexagonMesh const mesh{options};
    Size least = 2500;
    Size most = 0;
    for (Rank rank = 0; rank < 10; ++rank) {
        Size cells = 0;
        for (auto const& run : mesh.runs_of(Thing::cell, rank)) cells += run.length;
        least = std::min(least, cells);
        most = std::max(most, cells);
    }
    EXPECT_GE(least, 200);
    EXPECT_LT(least, 245);
    EXPECT_GT(most, 255);
    EXPECT_LE(most, 300);
}

std::vector<OptionInfo> some_options() {
    return {{"grid", OptionKind::number, "512", "cells"},
            {"run", OptionKind::real, "2.5", "columns"},
            {"kind", OptionKind::word, "a", "which", 0, {"a", "b"}},
            {"list", OptionKind::numbers, "1,2", "numbers"}};
}

TEST(WorkloadOptions, take_units_and_lists) {
    std::vector<OptionPair> const given{{"grid", "1k"}, {"run", "3.25"}, {"kind", "b"}, {"list", "4,1MiB"}};
    auto const options = WorkloadOptions::read(some_options(), given);
    ASSERT_TRUE(options.ok());
    EXPECT_EQ(options->number("grid"), 1024);
    EXPECT_EQ(options->real("run"), 3.25);
    EXPECT_EQ(options->text("kind"), "b");
    EXPECT_EQ(options->numbers("list"), (std::vector<Size>{4, Size{1} << 20}));
}

TEST(WorkloadOptions, refuse_values_that_make_no_sense) {
    for (auto const& pair : {OptionPair{"grid", "0"},
                             {"grid", "-1"},
                             {"grid", ""},
                             {"run", "0.5"},
                             {"run", "x"},
                             {"run", "nan"},
                             {"kind", "c"},
                             {"list", "1,x"},
                             {"other", "1"}}) {
        EXPECT_FALSE(WorkloadOptions::read(some_options(), std::vector{pair}).ok()) << pair.first << " " << pair.second;
    }
}

}  // namespace
}  // namespace muster
