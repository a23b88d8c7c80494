#include "workloads/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "workloads/permutation.hpp"
#include "workloads/sizes.hpp"

namespace muster {

namespace {

// A step that visits all of 0 .. size-1 and whose multiples stay apart: near the golden section.
Size scattering_step(Size size) {
    auto step = std::max<Size>(static_cast<Size>(std::lround(static_cast<double>(size) * 0.6180339887)), 1);
    while (std::gcd(step, size) != 1) ++step;
    return step;
}

}  // namespace

Runs::Runs(Size count, double run)
    : count_{count}, runs_{std::clamp<Size>(std::lround(static_cast<double>(count) / run), 1, count)} {}

Extent Runs::operator[](Size index) const {
    auto const begin = share_begin(count_, runs_, index);
    return {begin, share_begin(count_, runs_, index + 1) - begin};
}

std::vector<Extent> dealt_runs(Runs const& runs, int ranks, Rank rank) {
    std::vector<Extent> mine;
    for (auto i = rank * scattering_step(ranks) % ranks; i < runs.size(); i += ranks) mine.push_back(runs[i]);
    return mine;
}

Patches::Patches(Runs const& runs, Division const& division) : runs_{runs}, ranks_{division.ranks} {
    auto const size = division.neighbourhood == 0 ? runs.size() : std::min(division.neighbourhood, runs.size());
    order_.reserve(static_cast<std::size_t>(runs.size()));
    for (Size first = 0; first < runs.size(); first += size) {
        auto const count = std::min(size, runs.size() - first);
        Permutation const order{count, static_cast<std::uint64_t>(first)};
        for (Size i = 0; i < count; ++i) order_.push_back(static_cast<std::uint32_t>(first + order(i)));
    }
    for (Rank rank = 0; rank < ranks_; ++rank) {
        std::sort(order_.begin() + share_begin(runs.size(), ranks_, rank),
                  order_.begin() + share_begin(runs.size(), ranks_, rank + 1));
    }
}

std::vector<Extent> Patches::of(Rank rank) const {
    std::vector<Extent> mine;
    auto const end = share_begin(runs_.size(), ranks_, rank + 1);
    for (auto i = share_begin(runs_.size(), ranks_, rank); i < end; ++i) {
        mine.push_back(runs_[order_[static_cast<std::size_t>(i)]]);
    }
    return mine;
}

}  // namespace muster
