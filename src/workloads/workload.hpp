// What benchmarks and applications store: variables in a file, and each rank's part of them. Plain values without MPI;
// one rank's part is made when asked for, so that 16,384 ranks can be looked at one after another.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/shape.hpp"

namespace muster {

// One array in the file. Variables of the same pattern lie alike, relative to their bases.
struct Variable {
    std::string name;
    Offset base{0};
    Size element_size{1};
    Size bytes{0};  // of all ranks together
    int pattern{0};
    Size copies{1};  // the pattern comes so many times (levels, components), `copy_stride` bytes apart
    Size copy_stride{0};

    Shape place(Shape const& relative) const { return Shape::repeat(relative, copies, copy_stride).shifted(base); }
};

// The same pattern, in as many copies: shapes that differ by their bases only.
bool alike(Variable const& left, Variable const& right);

struct Workload {
    std::string name;
    int ranks{1};
    std::vector<Variable> variables;           // one behind the other in the file, unless they are interleaved
    std::function<Shape(Rank, int)> pattern;   // a rank's part of a pattern, relative to the variable's base; ordered
    bool interleaved{false};                   // bytes of one variable lie between bytes of another
    std::function<Shape(Rank)> all_variables;  // interleaved only: a rank's part of all of them, ordered
    Size listed_requests{0};  // read from maps only: requests as the maps list them, before sorting and joining

    int pattern_count() const;
    Size bytes() const;

    // A rank's bytes, in file order; in memory they are contiguous in the same order.
    Stream file_of(Rank rank, int variable) const;
    Stream file_of(Rank rank) const;  // all variables in one call

    std::vector<Shape> patterns_of(Rank rank) const;
    // All variables in one call, from shapes by pattern (of a rank, or of a group of ranks). Not when interleaved.
    Shape one_call(std::vector<Shape> const& by_pattern) const;
};

// Gives variables their bases, one behind the other from offset 0.
void lay_out(std::vector<Variable>& variables);

}  // namespace muster
