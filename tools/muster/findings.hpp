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

enum class Source { report, drop_in, bench, plan };
char const* name_of(Source source);
// By its keys.
Result<Source> recognise(Json const& json);
Result<Json> read_json(std::string const& name);

struct Spread {
    double min{0};
    double mean{0};
    double max{0};
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
    std::map<std::string, Spread> phases;
    std::vector<double> arrival;  // by rank: seconds until the first vote was over; empty where not gathered

    double phase(std::string const& name) const;  // mean over the ranks
};
std::vector<Finding> findings_of(Source source, Json const& json);

// Accesses that the drop-in could not take over: how many, by reason.
std::map<std::string, Size> left_to_the_mpi(Source source, Json const& json);

}  // namespace muster::tool
