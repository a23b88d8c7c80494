#include "plan/local_aggregators.hpp"

#include "plan/shares.hpp"

namespace muster {

std::vector<LocalGroup> local_groups(int ranks, int count) {
    std::vector<LocalGroup> groups;
    if (ranks <= 0) return groups;
    auto const bounded = std::clamp(count, 1, ranks);
    for (int i = 0; i < bounded; ++i) {
        groups.push_back({share_start(ranks, bounded, i), share_start(ranks, bounded, i + 1)});
    }
    return groups;
}

}  // namespace muster
