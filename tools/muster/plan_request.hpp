// What 'muster plan' was asked, as text; and understood.
#pragma once

#include <string>
#include <vector>

#include "workloads/registry.hpp"
#include "workloads/study.hpp"

namespace muster::tool {

// As on the command line; empty where nothing was said.
struct PlanRequest {
    std::string workload;
    std::vector<std::string> workload_options;  // --grid 512 --variables=40
    std::string ranks;
    std::string ranks_per_node;
    std::string nodes;
    std::string machine;  // beyond nodes and ranks
    std::string mode{"multi"};
    std::string direction{"write"};
    std::string layout;
    std::string aggregators;
    std::string window;
    std::string local_aggregators;
    std::string stripe_size;
    std::string stripe_count;
    std::vector<std::string> hints;  // name=value
    std::string tune;                // bytes for windows; empty: a plan is wanted
    bool json{false};
};

struct PlanSubject {
    Workload workload;
    Machine machine;
    Hints hints;
    FileLayout layout;
    Direction direction{Direction::write};
    CallMode mode{CallMode::multi};
    int local_aggregators{0};
    bool shared_memory{false};  // all ranks are on one node, and share its memory
};

Result<PlanSubject> understand(PlanRequest const& request);
StudyInput study_input(PlanSubject const& subject);  // refers to the subject

// "--grid", "512", "--variables=40" -> pairs.
Result<std::vector<OptionPair>> option_pairs(std::vector<std::string> const& words);

}  // namespace muster::tool
