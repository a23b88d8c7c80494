#include "workloads/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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

}  // namespace muster
