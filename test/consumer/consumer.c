// Uses the installed library from C.
#include <mpi.h>
#include <stdio.h>

#include "muster/export.h"

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) puts("C program runs");
    MPI_Finalize();
    return 0;
}
