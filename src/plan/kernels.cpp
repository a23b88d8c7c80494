#include "plan/kernels.hpp"

#include <algorithm>

#include "core/hints.hpp"
#include "plan/words.hpp"

namespace muster {

Traffic estimate_traffic(Summary const& summary, int aggregators, Size rounds) {
    Traffic traffic{summary.ranks_with_data, aggregators, rounds, 0, 0};
    auto const windows = std::max<Size>(aggregators * rounds, 1);
    // A window that holds n pieces cuts one more at its edges.
    traffic.senders = std::min<Size>(summary.pieces / windows + 1, summary.ranks_with_data);
    traffic.mean_message = summary.bytes / windows / std::max<Size>(traffic.senders, 1);
    return traffic;
}

namespace {

// A kernel by hint: one partner at a time is what pairwise means, and the MPI bounds its own collectives itself.
KernelChoice as_asked(Kernel kernel, int throttle) {
    if (kernel == Kernel::pairwise) throttle = 1;
    if (kernel == Kernel::alltoallw) throttle = 0;
    return {kernel, throttle, "by hint"};
}

}  // namespace

KernelChoice choose_metadata_kernel(Traffic const& traffic, Hints const& hints) {
    if (hints.metadata_kernel != Kernel::automatic) return as_asked(hints.metadata_kernel, hints.throttle);
    return {Kernel::balanced, hints.throttle,
            "each aggregator hears from " + counted(traffic.ranks, "rank") + " at once"};
}

KernelChoice choose_data_kernel(Traffic const& traffic, Hints const& hints) {
    if (hints.data_kernel != Kernel::automatic) return as_asked(hints.data_kernel, hints.throttle);
    auto const reason = "in a round an aggregator hears from up to " + std::to_string(traffic.senders) + " of " +
                        counted(traffic.ranks, "rank") + ", " + format_size(traffic.mean_message) + " each";
    if (traffic.senders * 2 >= traffic.ranks) return {Kernel::balanced, hints.throttle, reason};
    return {Kernel::ascending_sync, 0, reason};
}

char const* kernel_name(Kernel kernel) {
    switch (kernel) {
        case Kernel::automatic: return "automatic";
        case Kernel::ascending: return "ascending";
        case Kernel::ascending_sync: return "ascending-sync";
        case Kernel::spread_out: return "spread-out";
        case Kernel::balanced: return "balanced";
        case Kernel::pairwise: return "pairwise";
        case Kernel::alltoallw: return "alltoallw";
    }
    return "unknown";
}

}  // namespace muster
