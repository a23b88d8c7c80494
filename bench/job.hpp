// What a benchmark is to do: which workload, through which back ends, how often.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "muster/hints.hpp"
#include "muster/status.hpp"
#include "workloads/options.hpp"

namespace muster::bench {

enum class Kind {
    native,  // the MPI's own I/O
    muster,  // collective calls of Muster
    kept,    // a plan of Muster's, made once and run in every step
};

struct BackEnd {
    Kind kind{Kind::native};
    std::string label;
    std::vector<HintPair> hints;
};

enum class Operation { write, read };
char const* name_of(Operation operation);

struct Job {
    std::string workload;
    std::vector<OptionPair> options;  // of the workload
    std::vector<BackEnd> back_ends;
    std::vector<Operation> operations;
    std::string directory;
    int runs{5};
    int warm_ups{1};  // runs before those that count
    int steps{1};
    bool independent{false};           // one call per variable
    bool cold{false};                  // what is read, or overwritten, is not in the page cache
    bool overwrite{false};             // the file that is written exists
    bool flat{false};                  // file types are lists of pieces, though the pieces may be regular
    bool view_each{false};             // each step has a view of its own, as libraries set one for each call
    bool sync{false};                  // writing ends when the storage has the bytes
    bool keep{false};                  // files that were written stay
    bool floor{true};                  // measure plain contiguous access as well
    int budget{0};                     // seconds; whoever is slow and does not fit any more has had its runs. 0: no end
    std::vector<std::string> skipped;  // "write/native": not that
};

// From the words of a command line: --workload btio --option grid=64 --back-end muster/label:muster_window=1MiB ...
Result<Job> parse_job(std::span<std::string const> words);
// "KIND/LABEL" or "KIND/LABEL:NAME=VALUE,NAME=VALUE"
Result<BackEnd> parse_back_end(std::string const& text);

}  // namespace muster::bench
