// What the benchmark writes and reads: variables, and which blocks of them each rank has.
#pragma once

#include <string>
#include <vector>

#include "hdf5/blocks.hpp"
#include "muster/status.hpp"

namespace muster::bench {

using Numbers = std::vector<unsigned long long>;

// Blocks of an array that one rank has; several variables may share them.
struct Pattern {
    std::vector<Size> extent;
    Numbers starts;
    Numbers sizes;

    hdf5::BlockList list() const { return {starts.size() / extent.size(), extent.size(), starts.data(), sizes.data()}; }
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
