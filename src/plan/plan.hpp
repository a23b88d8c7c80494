// The plan of one collective call, as a value: made without MPI and without files, the same on all ranks.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "muster/report.hpp"
#include "plan/domains.hpp"

namespace muster {

enum class Direction { write, read };
MUSTER_API char const* name_of(Direction direction);

// What all ranks access together: the outcome of one small reduction.
struct Summary {
    Offset low{0};  // accessed range; low == high when nobody accesses anything
    Offset high{0};
    Size bytes{0};
    Size pieces{0};
    Size largest{0};  // bytes of the rank that has most
    int ranks_with_data{0};
    Size smallest_mean_piece{0};  // the least mean piece size of a rank that has data
    Size coded_bytes{0};          // of the extent lists of all ranks, coded
    bool operator==(Summary const&) const = default;
};

// Coded lists of a rank up to this size are sent whole: that keeps their structure, and the aggregator cuts the windows.
constexpr Size whole_list_limit = 4096;

// How the file lies on its storage.
struct FileLayout {
    Size stripe_size{0};  // 0: not striped as far as known
    int stripe_count{0};
    Size block_size{4096};
    std::string origin{"default"};  // who says so: "hint", "lustre", "statfs", "default"
};

struct AggregatorChoice {
    std::vector<Rank> ranks;  // without repetition
    std::string reason;  // of the number and of the place; names the hints that could not be followed as they stand
    std::string tier{};  // that the windows should lie in; empty: plain memory
};

struct PlanInput {
    Direction direction{Direction::write};
    Summary summary;
    FileLayout layout;
    Machine const* machine{nullptr};
    Hints const* hints{nullptr};
    bool shared_memory{false};                // all ranks are on one node and can share windows
    bool node_memory{false};                  // several nodes, and the ranks of each can share memory
    AggregatorChoice const* placed{nullptr};  // as many aggregators as there were without, but at better places
    bool declared{false};                     // pieces come one by one, when the ranks like
    bool reached_by_all{true};                // every rank can access all of the file itself
};

enum class Route {
    nothing,   // nobody accesses a byte
    direct,    // every rank stores its own pieces: they are large already
    shared,    // one node: every rank places its pieces in windows in shared memory
    exchange,  // through aggregators, by messages
};
char const* name_of(Route route);

struct Plan {
    Direction direction{Direction::write};
    Route route{Route::nothing};
    Summary summary;
    std::vector<Rank> aggregators;  // domain i is served by aggregators[i]
    Domains domains;
    std::string tier{};  // memory that the windows should lie in; empty: plain
    Size rounds{0};
    int local_aggregators{0};    // exchange: so many per node gather for its ranks first; 0: every rank for itself
    Size rounds_per_chapter{0};  // extent lists are sent for so many rounds at once, so that memory stays bounded
    Kernel metadata_kernel{Kernel::ascending};
    Kernel data_kernel{Kernel::ascending};
    RankOrder rank_order{RankOrder::round_robin};  // of the balanced kernel: see plan/rank_order.hpp
    std::vector<Rank> rank_list;                   // where it is given
    int metadata_throttle{0};                      // an aggregator's messages in flight; 0: no bound
    int throttle{0};                               // the same for data
    int throttle_inside{0};  // messages of both kinds inside a node, counted apart; 0: no difference
    std::vector<Decision> decisions;

    int aggregator_index(Rank rank) const;  // -1: it is none
    std::string text() const;               // a line for each field that matters, then the decisions with their reasons
    bool operator==(Plan const&) const = default;
};

// Never fails: hints that cannot be followed as they stand are named in the decisions, with what was done instead.
// The machine must have at least one rank.
Plan make_plan(PlanInput const& input);

}  // namespace muster
