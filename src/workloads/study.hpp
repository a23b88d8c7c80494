// What a collective write or read of a workload amounts to on a machine: requests, rounds, messages, bytes, memory. Made
// by the planner, and by walking through the bytes of every rank, one rank after another.
#pragma once

#include <functional>
#include <optional>

#include "plan/placement.hpp"
#include "workloads/traffic.hpp"
#include "workloads/workload.hpp"

namespace muster {

enum class CallMode {
    multi,        // one collective call for all variables
    independent,  // one for each
};

struct StudyInput {
    Workload const* workload{nullptr};
    Machine const* machine{nullptr};
    Hints hints;
    FileLayout layout;
    Direction direction{Direction::write};
    CallMode mode{CallMode::multi};
    bool shared_memory{false};                       // all ranks are on one node, and share its memory
    int local_aggregators{0};                        // on all nodes together; 0: no node step
    std::function<void(double)> progress;            // told how much is done, from 0 to 1
    Size most_steps{Size{20} * 1000 * 1000 * 1000};  // pieces to walk through; beyond, only some senders are looked at
    Size most_coded{Size{1500} * 1000 * 1000};       // pieces whose lists are coded; the same
};

struct Study {
    Size requests{0};                  // pieces of all ranks and variables
    Size requests_after_node_step{0};  // merged and joined by the local aggregators; the same without node step
    Size bytes{0};
    Size calls{0};
    Size rounds{0};                 // of all calls
    Size messages{0};               // with data, from a rank (or local aggregator) to an aggregator that is not itself
    Size messages_inside_nodes{0};  // of those; without the node step
    Size bytes_between_nodes{0};
    Size bytes_inside_nodes{0};                // with the node step
    Size senders_per_round_max{0};             // to one aggregator in one round, itself included
    Size messages_per_aggregator_max{0};       // that one aggregator gets, in all calls
    Size extent_list_bytes{0};                 // of all senders, coded, in all calls
    bool extent_lists_exact{true};             // false: coded for a sample of the senders
    Size memory_per_rank_max{0};               // windows, messages and extent lists of the rank that needs most
    int local_aggregators{0};                  // as many as there are; 0: no node step
    bool exact{true};                          // false: messages and bytes come from a sample of the senders
    Plan plan;                                 // of the first call
    Flow flow;                                 // of the first call, of the senders that were looked at
    std::optional<PlacementChoice> placement;  // of the first call, where a network or a policy makes it interesting
};

Result<Study> study(StudyInput const& input);

}  // namespace muster
