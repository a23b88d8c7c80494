// Runs in a sequence: a pattern of items and the copies of it that follow each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/last_places.hpp"
#include "muster/extent.hpp"

namespace muster {

// Items [begin, begin + period * count) are `count` copies of the items [pattern, pattern + period), moved.
struct Run {
    std::size_t pattern;  // equals begin where the pattern is met for the first time
    std::size_t begin;
    std::size_t period;
    std::size_t count;

    std::size_t end() const { return begin + period * count; }
    bool operator==(Run const&) const = default;
};

struct RunWish {
    std::size_t least_period{1};
    std::size_t least_saved{1};   // items beyond the first copy
    bool equal_distances{false};  // each copy as far from the one before
};

// Items are alike when they have the same length; what that number means is the caller's business.
// Finds runs as a compressor finds matches: a hash of three items leads to their last occurrence.
class RunFinder {
public:
    RunFinder(std::span<Extent const> items, RunWish wish);
    std::vector<Run> find();  // in order, without overlaps
    // How often three items returned, whether or not a run came of it: 0 tells that no other wish would find one.
    std::size_t returns() const { return returns_; }
    std::size_t comparisons() const { return comparisons_; }  // of two items each

private:
    static constexpr std::size_t window = 3;  // items in a hash

    std::uint64_t hash(std::size_t at) const;
    bool try_run(std::size_t earlier);
    bool try_new(std::size_t earlier);
    bool try_known(std::size_t earlier);
    std::size_t alike(std::size_t left, std::size_t right, std::size_t limit) const;
    std::size_t extend_back(std::size_t begin, std::size_t period) const;
    std::size_t copies(std::size_t pattern, std::size_t begin, std::size_t period) const;
    void add(Run const& run);

    std::span<Extent const> items_;
    RunWish wish_;
    LastPlaces last_;
    std::vector<Run> runs_;
    std::size_t at_{0};
    std::size_t free_{0};  // items from here to at_ are in no run yet
    std::size_t returns_{0};
    std::size_t wasted_{0};  // comparisons that led nowhere
    mutable std::size_t comparisons_{0};
};

}  // namespace muster
