// A program as users have them: every rank has columns of a matrix, and writes them in some steps. program [STEPS [late|halves]]:
// with "late" the last rank comes 60 ms after the others, every time; with "halves" each half of the ranks has a file, too.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { rows = 1000, columns = 4 };
static double mine[rows * columns];

static void write_steps(MPI_Comm comm, char const* path, int steps, int late) {
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    MPI_Datatype part;
    MPI_Type_vector(rows, columns, columns * ranks, MPI_DOUBLE, &part);
    MPI_Type_commit(&part);
    MPI_File file;
    MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (int step = 0; step < steps; ++step) {
        MPI_Offset const start = ((MPI_Offset)step * rows * ranks + rank) * columns * (MPI_Offset)sizeof(double);
        MPI_File_set_view(file, start, MPI_DOUBLE, part, "native", MPI_INFO_NULL);
        if (late && rank == ranks - 1) usleep(60000);
        MPI_File_write_all(file, mine, rows * columns, MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
    MPI_Type_free(&part);
}

static void write_halves(int rank, int ranks, int steps) {
    int const half = rank >= ranks / 2;
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, half, rank, &comm);
    write_steps(comm, half ? "half1.bin" : "half0.bin", steps + half, 0);
    MPI_Comm_free(&comm);
}

int main(int count, char** words) {
    MPI_Init(&count, &words);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int const steps = count > 1 && atoi(words[1]) > 0 ? atoi(words[1]) : 5;
    int const late = count > 2 && strcmp(words[2], "late") == 0;
    for (int i = 0; i < rows * columns; ++i) mine[i] = rank + i;
    write_steps(MPI_COMM_WORLD, "state.bin", steps, late);
    if (count > 2 && strcmp(words[2], "halves") == 0) write_halves(rank, ranks, steps);
    MPI_Finalize();
    return 0;
}
