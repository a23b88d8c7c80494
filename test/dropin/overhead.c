// What calls cost, in microseconds of the slowest rank, median of several runs. To be run with the MPI's own I/O and with
// the drop-in, see overhead.py.     overhead DIRECTORY [part of a row's name]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { runs = 7 };
static int rank, ranks;
static char path[4096];
static char* buffer;
static char const* only = "";
static MPI_File file;

static void open_and_close(int size) {
    (void)size;
    MPI_File other;
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR, MPI_INFO_NULL, &other);
    MPI_File_close(&other);
}
static void open_write_close(int size) {
    MPI_File other;
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR, MPI_INFO_NULL, &other);
    MPI_File_write_at_all(other, (MPI_Offset)rank * size, buffer, size, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&other);
}
static void position(int size) {
    MPI_Offset at = size;
    MPI_File_get_position(file, &at);
}
static void write_alone(int size) {
    MPI_File_write_at(file, (MPI_Offset)rank * size, buffer, size, MPI_BYTE, MPI_STATUS_IGNORE);
}
static void read_alone(int size) {
    MPI_File_read_at(file, (MPI_Offset)rank * size, buffer, size, MPI_BYTE, MPI_STATUS_IGNORE);
}
static void write_together(int size) {
    MPI_File_write_at_all(file, (MPI_Offset)rank * size, buffer, size, MPI_BYTE, MPI_STATUS_IGNORE);
}
static void read_together(int size) {
    MPI_File_read_at_all(file, (MPI_Offset)rank * size, buffer, size, MPI_BYTE, MPI_STATUS_IGNORE);
}
static void first_writes(int size) {
    MPI_File_write_at_all(file, 0, buffer, rank == 0 ? size : 0, MPI_BYTE, MPI_STATUS_IGNORE);
}
static void nobody_writes(int size) {
    (void)size;
    MPI_File_write_at_all(file, 0, buffer, 0, MPI_BYTE, MPI_STATUS_IGNORE);
}
static void plain_view(int size) {
    (void)size;
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
}
// Pieces of 8 bytes in turn.
static void strided(int size, int write) {
    MPI_Datatype piece, type;
    MPI_Type_vector(size / 8, 8, 8 * ranks, MPI_BYTE, &piece);
    MPI_Type_create_resized(piece, 0, (MPI_Aint)size * ranks, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, 8 * rank, MPI_BYTE, type, "native", MPI_INFO_NULL);
    if (write) {
        MPI_File_write_all(file, buffer, size, MPI_BYTE, MPI_STATUS_IGNORE);
    } else {
        MPI_File_read_all(file, buffer, size, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&piece);
    MPI_Type_free(&type);
    plain_view(0);
}
static void write_strided(int size) { strided(size, 1); }
static void read_strided(int size) { strided(size, 0); }

static int ascending(void const* a, void const* b) {
    return (*(double const*)a > *(double const*)b) - (*(double const*)a < *(double const*)b);
}

// How often, so that all of it takes no longer than half a second.
static int affordable(void (*work)(int), int size, int times) {
    MPI_Barrier(MPI_COMM_WORLD);
    double const start = MPI_Wtime();
    work(size);
    double seconds = MPI_Wtime() - start;
    MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    double const most = 0.5 / runs / seconds;
    return most < 1 ? 1 : most < times ? (int)most : times;
}

static void measure(char const* name, void (*work)(int), int size, int times) {
    double seconds[runs];
    if (!strstr(name, only)) return;
    work(size);
    times = affordable(work, size, times);
    for (int run = 0; run < runs; ++run) {
        MPI_Barrier(MPI_COMM_WORLD);
        double const start = MPI_Wtime();
        for (int i = 0; i < times; ++i) work(size);
        double const mine = (MPI_Wtime() - start) / times;
        MPI_Allreduce(&mine, &seconds[run], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    qsort(seconds, runs, sizeof *seconds, ascending);
    if (rank == 0)
        printf("%-28s %8d B %12.3f us  (best %.3f)\n", name, size, seconds[runs / 2] * 1e6, seconds[0] * 1e6);
}

int main(int count, char** words) {
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int const most = 4 << 20;
    buffer = malloc((size_t)most);
    memset(buffer, 'm', (size_t)most);
    if (count > 2) only = words[2];
    snprintf(path, sizeof path, "%s/overhead", words[1]);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, (MPI_Offset)most * ranks);
    measure("get_position", position, 0, 200000);
    measure("write_at", write_alone, 8, 20000);
    measure("read_at", read_alone, 8, 20000);
    measure("set_view, plain", plain_view, 0, 200);
    measure("open, close", open_and_close, 0, 20);
    measure("open, write_at_all, close", open_write_close, 4096, 20);
    measure("write_at_all, nothing", nobody_writes, 0, 200);
    measure("write_at_all, rank 0 only", first_writes, 512, 200);
    for (int size = 8; size <= most; size *= size < 64 ? 64 : 8) {
        int const times = size <= 65536 ? 200 : 20;
        measure("write_at_all", write_together, size, times);
        measure("read_at_all", read_together, size, times);
    }
    for (int size = 8; size <= 1 << 20; size *= 32) {
        measure("view, write_all, 8 B pieces", write_strided, size, 20);
        measure("view, read_all, 8 B pieces", read_strided, size, 20);
    }
    MPI_File_close(&file);
    if (rank == 0) unlink(path);
    MPI_Finalize();
    return 0;
}
