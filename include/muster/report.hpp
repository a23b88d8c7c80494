// What the last collective call did and where its time went. Always on: a few clock reads per round.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "muster/export.h"
#include "muster/extent.hpp"
#include "muster/hints.hpp"

namespace muster {

enum class Phase : int {
    plan,      // view, flattening, the small reduction, planning
    metadata,  // telling the aggregators what comes
    pack,      // from user memory into messages, and back
    exchange,  // messages with data
    assemble,  // between messages and windows, and finding holes
    file,      // reading and writing, seen from the thread that does it
    wait,      // waiting for file access or for the verdict of all ranks
};
inline constexpr int phase_count = 7;
MUSTER_API char const* name_of(Phase phase);

// What one rank did.
struct RankReport {
    std::array<double, phase_count> seconds{};  // by Phase; `file` may overlap with the others
    double total_seconds{0};
    Size bytes{0};                 // of its own access
    Size pieces{0};                // of its own access
    Size messages_inside_node{0};  // sent
    Size messages_between_nodes{0};
    Size bytes_inside_node{0};  // sent
    Size bytes_between_nodes{0};
    Size metadata_bytes{0};  // sent, part of the above
    Size file_reads{0};
    Size file_writes{0};
    Size file_bytes_read{0};
    Size file_bytes_written{0};
    Size read_modify_writes{0};  // windows that had too many holes
    Size kernel_fallbacks{0};    // rounds that went in order because their messages did not fit at once (alltoallw)

    MUSTER_API RankReport& operator+=(RankReport const& other);  // seconds are added as well
    bool operator==(RankReport const&) const = default;
};

// A decision and why it fell so: {"aggregators", "1", "one per node"}.
struct Decision {
    std::string subject;
    std::string choice;
    std::string reason;
    bool operator==(Decision const&) const = default;
};

struct Report {
    std::string operation;  // "write" or "read"; empty before the first call
    std::string file;
    int ranks{0};
    int nodes{0};
    std::vector<Rank> aggregators;
    Size rounds{0};
    bool plan_reused{false};
    RankReport mine;
    RankReport total;                 // of all ranks; after File::gather_report only
    std::vector<RankReport> by_rank;  // after File::gather_report only, on every rank
    std::vector<Decision> decisions;
    std::vector<HintPair> hints;  // effective values

    MUSTER_API std::string text() const;  // a screenful
    // One object; its keys are an interface and stay:
    //   operation, file, ranks, nodes, aggregators: [rank], rounds, plan_reused,
    //   gathered      whether the next five cover all ranks, or this one only
    //   bytes, pieces, seconds (of the slowest rank), bytes_per_second,
    //   phases        {plan: {min, mean, max}, ...} seconds over the ranks, by the names of Phase
    //   mine, total   a rank's report each (total is null unless gathered):
    //                 {phases: {plan: seconds, ...}, total_seconds, and the counters by the names of RankReport's fields}
    //   by_rank       [a rank's report], empty unless gathered
    //   decisions     [{subject, choice, reason}]
    //   hints         {name: value as text}, all in effect
    MUSTER_API std::string json() const;
};

}  // namespace muster
