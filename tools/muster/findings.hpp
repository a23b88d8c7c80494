// Reports of all kinds, brought to one form.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster::tool {

using Json = nlohmann::ordered_json;

enum class Source { report, drop_in, bench, plan, topo };
char const* name_of(Source source);
// By its keys.
Result<Source> recognise(Json const& json);
Result<Json> read_json(std::string const& name);

// Seconds over the ranks.
struct PhaseSpread {
    double min{0};
    double mean{0};
    double max{0};
};

// How long a rank waited until all had come, or longer: until the first vote was over.
struct Arrival {
    double mean{0};      // seconds, over the calls
    double shortest{0};  // in any of them
};

// What is known of some calls that did the same.
struct Finding {
    std::string title;    // "write of a.nc"
    bool planned{false};  // by 'muster plan': nothing was measured, `seconds` comes from the cost model
    double seconds{0};
    Size calls{1};
    Size bytes{0};   // of all calls
    Size pieces{0};  // of all calls
    Size rounds{0};  // of one call; of all calls where planned
    int ranks{0};
    int nodes{1};
    Size aggregators{0};
    Size window{0};       // 0: not known
    Size stripe_size{0};  // 0: not known
    Size messages_to_one{0};
    Size read_modify_writes{0};
    std::string route;
    std::string layout;
    std::map<std::string, PhaseSpread> phases;
    std::vector<Arrival> arrival;  // by rank; empty where not gathered

    double phase(std::string const& name) const;  // mean over the ranks
    double least(std::string const& name) const;  // of the rank that has least of it
};
std::vector<Finding> findings_of(Source source, Json const& json);

// Accesses that the drop-in could not take over: how many, by reason.
std::map<std::string, Size> left_to_the_mpi(Source source, Json const& json);

}  // namespace muster::tool
