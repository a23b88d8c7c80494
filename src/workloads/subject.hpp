// What the benchmarks of HDF5 and PnetCDF write and read: arrays, and which blocks of them each rank has.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster::bench {

using Numbers = std::vector<unsigned long long>;

// Blocks of an array that one rank has; several variables may share them.
struct Pattern {
    std::vector<Size> extent;
    Numbers starts;
    Numbers sizes;

    std::size_t dimensions() const { return extent.size(); }
    std::size_t blocks() const { return starts.size() / dimensions(); }
    Size elements() const;
    // Calls visit(first element in the array, elements) for each row of each block, in the order of the list.
    void for_each_row(std::function<void(Offset, Size)> const& visit) const;
};

struct Subject {
    std::string name;
    Size element{8};  // bytes: 4 or 8
    std::vector<Pattern> patterns;
    std::vector<std::size_t> variables;  // the pattern of each

    Size bytes() const;  // of all ranks
};

struct SubjectWish {
    std::string name;
    Rank rank{0};
    int ranks{1};
    Size scale{1};  // times as large
};

std::vector<std::string> subject_names();
Result<Subject> make_subject(SubjectWish const& wish);

}  // namespace muster::bench
