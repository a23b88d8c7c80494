// Where ranks wait for each other between measurements. Whoever waits here sleeps and polls nothing: where ranks share
// cores, waiting that keeps a core busy would be measured as the work of others.
#pragma once

#include <functional>

#include "mpi/comm.hpp"
#include "muster/status.hpp"

namespace muster::bench {

double now();  // seconds of a clock that all ranks of a machine share

class Gate {
public:
    // Collective.
    explicit Gate(Comm const& comm);
    void close();

    // Collective. Nobody passes before all are here.
    void wait();
    // Collective. What all have come to, when all have: who has worked longest is not disturbed by those who wait inside the MPI.
    Status agree(Status const& status);
    // Collective. All pass at the same moment, as clocks can tell.
    void start_together();
    // Seconds of rank 0's clock: machines have clocks of their own.
    double moment() const { return now() + behind_; }
    // As wait(), for a rank that failed: the others may wait for it elsewhere, for good. Then this calls `give_up` instead
    // of waiting any longer.
    void wait_after(Status const& failure);
    std::function<void(Status const&)> give_up;  // says what happened, and ends all ranks
    static constexpr double patience = 2;        // seconds

private:
    struct Shared;
    void arrive();
    void pass();
    bool all_arrive_until(double moment);

    Comm comm_;
    int passed_{0};  // so many times
    MPI_Request request_{MPI_REQUEST_NULL};
    MPI_Win window_{MPI_WIN_NULL};
    Shared* shared_{nullptr};  // where all ranks are on one machine
    double behind_{0};         // rank 0's clock, as far as messages can tell
};

// From the first rank's start to the last rank's end.
struct Measured {
    double seconds{0};
    double cpu_seconds{0};  // of all ranks
    Status status;          // the same on all ranks
};
// Collective.
Measured measure(Gate& gate, Comm const& comm, std::function<Status()> const& action);

}  // namespace muster::bench
