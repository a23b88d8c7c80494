// Uses the installed library from C++.
#include <mpi.h>

#include <iostream>

#include "muster/hints.hpp"
#include "muster/status.hpp"

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    muster::Hints const hints;
    muster::Status const status{muster::Code::no_space, "rank " + std::to_string(rank)};
    bool const right = hints.windows > 0 && status.text().find("no_space") == 0;
    if (rank == 0) std::cout << status.text() << "\n";
    MPI_Finalize();
    return right ? 0 : 1;
}
