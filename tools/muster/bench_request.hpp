// What 'muster bench' was asked, and the commands that do it.
#pragma once

#include <string>
#include <vector>

#include "muster/status.hpp"
#include "workloads/options.hpp"

namespace muster::tool {

// As on the command line.
struct BenchRequest {
    std::string workload;
    std::vector<std::string> workload_options;
    int ranks{4};
    std::string mpi{"openmpi"};
    std::string target{"."};
    int runs{5};
    int warm_ups{1};
    int steps{1};
    std::string mode{"multi"};
    std::string views{"once"};
    std::string operations{"write,read"};
    std::string back_ends{"native,muster"};
    std::vector<std::string> hints;  // label:name=value,...
    std::string cache{"warm"};
    std::string file{"fresh"};
    std::string types{"structured"};
    std::string patient{"automatic"};
    std::string launcher;  // instead of mpirun and its options
    std::string program;   // muster-bench of that MPI, where it is not found
    int timeout{300};      // seconds without any news
    int budget{0};         // seconds for all runs; 0: no end
    int cap{0};            // seconds for one measurement of the MPI's own I/O; 0: no end
    bool sync{false};
    bool keep{false};
    bool report{false};
    bool json{false};
    bool csv{false};
};

// Where we run.
struct BenchSite {
    int cores{1};
    bool root{false};
    std::string program;    // muster-bench of the MPI asked for
    std::string patience;   // the library that makes MPICH sleep; empty: there is none
    std::string directory;  // for files
    std::string drop_in;    // the drop-in library; empty: there is none
};

struct BackEndRequest {
    std::string label;
    std::string kind;   // native, muster or plan
    std::string hints;  // name=value,...
    std::string io;     // a component of Open MPI's, or "drop-in"; empty: the default
};
Result<std::vector<BackEndRequest>> back_ends_of(BenchRequest const& request);

// One start of muster-bench. Back ends that need other options of the launcher need a start of their own.
struct BenchStart {
    std::vector<std::string> words;
    int samples{0};  // that it will give
};
struct BenchPlan {
    std::vector<OptionPair> options;
    std::vector<BackEndRequest> back_ends;
    std::vector<BenchStart> starts;
    bool patient{false};
    std::vector<std::string> notes;  // for the reader of the results
};
Result<BenchPlan> plan_bench(BenchRequest const& request, BenchSite const& site);

// 'muster bench exchange': the kernels of the exchange against each other, without files.
Result<BenchPlan> plan_exchange_bench(BenchRequest const& request, BenchSite const& site);
inline bool is_exchange(BenchRequest const& request) { return request.workload == "exchange"; }

// The MPI whose muster-bench lies nearest to this program; openmpi where none does.
std::string usual_mpi();

// Looks for programs; `directory` is left empty.
Result<BenchSite> find_site(BenchRequest const& request);

}  // namespace muster::tool
