// What muster-bench told, and what it amounts to.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster::tool {

struct Spread {
    double median{0};
    double min{0};
    double max{0};
};
Spread spread_of(std::vector<double> values);  // all zeros for none

// Of one back end in one operation; one value per run.
struct Times {
    std::vector<double> total;   // all steps
    std::vector<double> first;   // the first step
    std::vector<double> repeat;  // the median of the others; empty if there are none
    std::vector<double> open;
    std::vector<double> close;
    std::vector<double> cpu;         // of all ranks
    std::vector<double> repeat_cpu;  // in a later step
    bool verified{true};
};

// Run by run, because runs that follow each other meet the same conditions.
std::vector<double> ratios(std::vector<double> const& over, std::vector<double> const& under);

class BenchResults {
public:
    // One line of muster-bench. False if it is none of its lines.
    bool hear(std::string const& line);

    Times const* find(std::string const& operation, std::string const& label) const;
    nlohmann::ordered_json const* report_of(std::string const& operation, std::string const& label) const;
    bool verified(std::string const& operation) const;   // all that was done
    std::string const& error() const { return error_; }  // the first one
    std::string const& mpi() const { return mpi_; }
    Size bytes() const { return bytes_; }
    Size pieces() const { return pieces_; }
    bool in_memory() const { return in_memory_; }
    int heard() const { return heard_; }                 // samples
    int skipped() const { return skipped_; }             // that did not fit into the budget, or were not wanted
    std::string const& doing() const { return doing_; }  // "write by native"

    // It was ended after so many seconds.
    void cap(std::string const& operation, std::string const& label, double seconds) {
        capped_[{operation, label}] = seconds;
    }
    double cap_of(std::string const& operation, std::string const& label) const;  // 0: it was not
    bool any_capped() const { return !capped_.empty(); }

private:
    using Key = std::pair<std::string, std::string>;  // operation and label

    void take_sample(nlohmann::ordered_json const& line);
    void take_job(nlohmann::ordered_json const& line);
    void take(nlohmann::ordered_json const& line);

    std::map<Key, Times> times_;
    std::map<Key, Times> warm_ups_;  // stand in for those who have no other times
    std::map<Key, double> capped_;
    std::map<Key, nlohmann::ordered_json> reports_;
    std::string error_;
    std::string mpi_;
    std::string doing_;
    Size bytes_{0};
    Size pieces_{0};
    bool in_memory_{false};
    int heard_{0};
    int skipped_{0};
};

}  // namespace muster::tool
