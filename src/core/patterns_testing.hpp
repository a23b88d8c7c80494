// Access patterns of the programs we care about, as one rank's shape in the file.
#pragma once

#include <cmath>

#include "core/shape_testing.hpp"

namespace muster::testing {

using List = std::vector<Extent>;

// Runs of neighbouring columns, scattered over the sphere: 2.8 columns in a run.
inline List scattered_columns(Random& random, Size columns, Size value) {
    List list;
    Offset at = 0;
    while (columns > 0) {
        auto const run = std::min(columns, between(random, 1, 5));
        at += between(random, 1, 400) * value;
        list.push_back({at, run * value});
        at += run * value;
        columns -= run;
    }
    return list;
}

inline void append_at(List& list, List const& pattern, Offset base) {
    for (auto const& piece : pattern) list.push_back({piece.offset + base, piece.length});
}

struct Climate {
    Size columns_of_rank{36};
    Size columns{21'600};
    Size levels{72};
    Size flat_variables{20};  // one level
    Size deep_variables{10};  // all levels
    Size padding{0};          // up to so many bytes before each variable
};

// E3SM F: every variable at its own place, every level of it a copy of the columns.
inline List climate_list(Random& random, Climate const& climate) {
    auto const columns = scattered_columns(random, climate.columns_of_rank, 4);
    auto const level = std::max(climate.columns * 4, columns.back().end());
    List list;
    Offset base = 0;
    for (Size variable = 0; variable < climate.flat_variables + climate.deep_variables; ++variable) {
        if (climate.padding > 0) base += between(random, 0, climate.padding / 4) * 4;
        auto const levels = variable < climate.flat_variables ? 1 : climate.levels;
        for (Size i = 0; i < levels; ++i, base += level) append_at(list, columns, base);
    }
    return list;
}

struct Bt {
    Size grid{512};
    Size root{32};  // of the number of ranks
    Size rank{77};
    Size dumps{4};
};

// BTIO: a cell in each slab of z, on the diagonal; rows of 5 doubles per point.
inline Shape bt_shape(Bt const& bt) {
    auto const cell = bt.grid / bt.root;
    auto const row = bt.grid * 40;
    std::vector<Shape> slabs;
    for (Size k = 0; k < bt.root; ++k) {
        auto const y = ((bt.rank / bt.root - k) % bt.root + bt.root) % bt.root * cell;
        auto const x = (bt.rank % bt.root + k) % bt.root * cell;
        auto const plane = Shape::strip({y * row + x * 40, cell * 40}, cell, row);
        slabs.push_back(Shape::repeat(plane, cell, bt.grid * row).shifted(k * cell * bt.grid * row));
    }
    return Shape::repeat(Shape::chain(std::move(slabs)), bt.dumps, bt.grid * bt.grid * row);
}

// S3D: a block of [components][z][y][x] for each of four variables.
inline Shape s3d_shape(Size grid, Size block) {
    std::vector<Shape> variables;
    Offset base = 0;
    for (Size const components : {11, 3, 1, 1}) {
        auto const plane = Shape::strip({8 * (grid * block + block), 8 * block}, block, 8 * grid);
        auto const cube = Shape::repeat(plane, block, 8 * grid * grid).shifted(8 * grid * grid * block);
        variables.push_back(Shape::repeat(cube, components, 8 * grid * grid * grid).shifted(base));
        base += components * 8 * grid * grid * grid;
    }
    return Shape::chain(std::move(variables));
}

// Gaps log-uniform up to 2^20, lengths 8 to 64.
inline List random_list(Random& random, Size count) {
    std::uniform_real_distribution<double> exponent{0, 20};
    List list;
    for (Offset at = 0; count > 0; --count) {
        at += static_cast<Size>(std::exp2(exponent(random)));
        list.push_back({at, between(random, 8, 64)});
        at = list.back().end();
    }
    return list;
}

}  // namespace muster::testing
