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
    // The `plan` phase of the calls that were added up: who comes early waits there for the last one.
    double shortest_plan{0};
    double longest_plan{0};

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

// Who hands how many bytes to whom (writing; reading, it is the other way round), and how the rounds went. Neighbours share a
// place where there are more than `most`, so that it stays small.
struct Flow {
    static constexpr Size most = 64;  // rows, columns and steps
    Size ranks_per_row{1};
    Size aggregators_per_column{1};
    Size rounds_per_step{1};
    std::vector<std::vector<Size>> bytes;  // by rank, then by aggregator; what stays in a rank is counted, too
    std::vector<Size> by_round;            // bytes
    std::vector<double> seconds_by_round;  // of the rank that took longest; empty where nothing was measured

    bool empty() const { return bytes.empty(); }
    MUSTER_API Flow& operator+=(Flow const& other);  // of the same sizes; what has others is left out
    bool operator==(Flow const&) const = default;
};

struct Report {
    std::string operation;  // "write" or "read"; empty before the first call
    std::string file;
    int ranks{0};
    int nodes{0};
    std::vector<Rank> aggregators;
    Size rounds{0};
    bool plan_reused{false};
    Size calls{1};             // that were added up here
    std::vector<int> node_of;  // by rank; empty where there are more than 1024 ranks
    Flow flow;  // of this rank alone, in one row; after File::gather_report of all. Empty where nothing is exchanged
    RankReport mine;
    RankReport total;                 // of all ranks; after File::gather_report only
    std::vector<RankReport> by_rank;  // after File::gather_report only, on every rank
    std::vector<Decision> decisions;
    std::vector<HintPair> hints;  // effective values

    // Adds a later call that does the same: seconds, counters, rounds, flow. Before gathering only.
    MUSTER_API Report& operator+=(Report const& later);

    MUSTER_API std::string text() const;  // a screenful
    // One object; its keys are an interface and stay:
    //   operation, file, ranks, nodes, aggregators: [rank], rounds, plan_reused, calls, node_of: [node],
    //   flow          null, or {ranks_per_row, aggregators_per_column, rounds_per_step, bytes: [[by aggregator] by rank],
    //                 bytes_by_round: [bytes], seconds_by_round: [of the rank that took longest]}
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
