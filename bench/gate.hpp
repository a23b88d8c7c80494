// Where ranks wait for each other between measurements. Whoever waits here sleeps and polls nothing: where ranks share
// cores, waiting that keeps a core busy would be measured as the work of others.
#pragma once

#include <functional>

#include "mpi/comm.hpp"

namespace muster::bench {

class Gate {
public:
    // Collective.
    explicit Gate(Comm const& comm);
    void close();

    // Collective. Nobody passes before all are here.
    void wait();
    // Collective. All pass at the same moment, as clocks can tell.
    void start_together();

private:
    struct Shared;
    Comm comm_;
    MPI_Win window_{MPI_WIN_NULL};
    Shared* shared_{nullptr};  // where all ranks are on one machine
};

double now();  // seconds of a clock that all ranks of a machine share

// From the first rank's start to the last rank's end.
struct Measured {
    double seconds{0};
    double cpu_seconds{0};  // of all ranks
    Status status;          // the same on all ranks
};
// Collective.
Measured measure(Gate& gate, Comm const& comm, std::function<Status()> const& action);

}  // namespace muster::bench
