// Uses the installed library from C: every rank writes its part of a file, and reads its neighbour's.
#include <muster/muster.h>
#include <stdio.h>

enum { count = 1000 };

static muster_error write_and_read(muster_file* file, int rank, int ranks) {
    double mine[count], next[count] = {0};
    int64_t const size = sizeof mine;
    int64_t bytes = 0;
    int const neighbour = (rank + 1) % ranks;
    for (int i = 0; i < count; ++i) mine[i] = rank * 1e6 + i;
    muster_error error = muster_write_at_all(file, rank * size, mine, count, MPI_DOUBLE, NULL);
    if (!error) error = muster_read_at_all(file, neighbour * size, next, count, MPI_DOUBLE, &bytes);
    if (error) return error;
    for (int i = 0; i < count; ++i) {
        if (next[i] != neighbour * 1e6 + i) return MUSTER_INTERNAL;
    }
    return bytes == size ? MUSTER_OK : MUSTER_INTERNAL;
}

static void print_report(muster_file* file, int rank) {
    char* text = NULL;
    if (muster_gathered_report_text(file, rank == 0 ? &text : NULL) == MUSTER_OK && rank == 0) puts(text);
    muster_free(text);
}

int main(int argc, char** argv) {
    int rank = 0, ranks = 1;
    char path[4096];
    muster_file* file = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(path, sizeof path, "%s.data", argv[0]);
    muster_error error = muster_open(MPI_COMM_WORLD, path, MUSTER_CREATE, MPI_INFO_NULL, &file);
    if (!error) {
        error = write_and_read(file, rank, ranks);
        print_report(file, rank);
        muster_error const closed = muster_close(&file);
        if (!error) error = closed;
    }
    if (error) fprintf(stderr, "%s: %s\n", muster_error_name(error), muster_last_message());
    MPI_Finalize();
    return error;
}
