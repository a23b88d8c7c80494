// What a call did and where its time went, split as in the paper on multi-dataset I/O: file access, communication, the
// overhead of collective calls, and HDF5.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "mpi/comm.hpp"
#include "muster/report.hpp"

namespace muster::hdf5 {

struct TimeSplit {
    double file{0};           // reading and writing
    double communication{0};  // lists and data between ranks, packing included
    double collective{0};     // planning together, votes, waiting for others, and what else a call costs
    double hdf5{0};           // datasets, selections, and what HDF5 did itself
    double total{0};          // as the clock saw it; file access may overlap with the rest

    TimeSplit& operator+=(TimeSplit const& other);
    void add(RankReport const& call);
    // After so many seconds in all. What no part has measured is overhead of the call.
    void end(double seconds);
};

// A dataset that HDF5 did on its own.
struct Exception {
    std::string dataset;
    std::string reason;
};

// Counted over all calls on a file.
struct Tally {
    Size calls{0};             // of the user
    Size collective_calls{0};  // that Muster made of them
    Size rounds{0};
    Size datasets{0};
    Size one_by_one{0};
    Size bytes{0};  // of this rank
    TimeSplit seconds;

    Tally& operator+=(Tally const& other);
};

struct SplitReport {
    std::string operation;  // "write" or "read"; empty before the first call
    std::string file;
    Tally call;                         // of the last call
    std::vector<Size> rounds;           // of each of its collective calls
    std::vector<Exception> exceptions;  // the datasets that were done one by one
    std::vector<Decision> decisions;    // of the last collective call, and why there were several
    Tally all;                          // since the file was opened

    std::string text() const;
    // Keys: operation, file, last: a tally, all: a tally, rounds: [per collective call of the last call],
    //   one_by_one: [{dataset, reason}], decisions: [{subject, choice, reason}]
    // A tally: calls, collective_calls, rounds, datasets, one_by_one, bytes,
    //   seconds: {file, communication, collective, hdf5, total}
    std::string json() const;
};

// Collective. Bytes of all ranks; seconds of the slowest rank, each for itself.
SplitReport gather(Comm const& comm, SplitReport report);

}  // namespace muster::hdf5
