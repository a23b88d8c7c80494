// muster-bench: reads and writes a workload through several back ends in turns, verifies every byte, and tells the times.
// 'muster bench' starts it and makes tables of what it says (see lines.hpp).
#include <sys/prctl.h>

#include <csignal>
#include <cstdio>

#include "contest.hpp"

namespace {

using muster::Comm;

bool run(Comm const& comm, int count, char** arguments) {
    std::vector<std::string> const words(arguments + 1, arguments + count);
    auto const job = muster::bench::parse_job(words);
    if (job.ok()) return muster::bench::run_contest(comm, *job);
    if (comm.rank == 0) std::printf("%s\n", muster::bench::error_line(job.status()).c_str());
    return false;
}

}  // namespace

int main(int count, char** arguments) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // no rank outlives its launcher
    MPI_Init(&count, &arguments);
    auto const verified = run(Comm::of(MPI_COMM_WORLD), count, arguments);
    MPI_Finalize();
    return verified ? 0 : 1;
}
