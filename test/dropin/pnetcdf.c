// PnetCDF: blocking and nonblocking, columns of a matrix that grows with every step.
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>

enum { rows = 20, columns = 5, steps = 3 };
static int rank, ranks;

static void expect(int holds, char const* what) {
    if (holds) return;
    fprintf(stderr, "rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}
static void done(int error) { expect(error == NC_NOERR, ncmpi_strerror(error)); }

static int value(int step, int i) { return step * 1000000 + rank * 10000 + i; }

static void write_all(char const* path) {
    int file, dimensions[3], blocking, later, requests[steps], statuses[steps];
    static int mine[steps][rows * columns];
    done(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file));
    done(ncmpi_def_dim(file, "step", NC_UNLIMITED, &dimensions[0]));
    done(ncmpi_def_dim(file, "row", rows, &dimensions[1]));
    done(ncmpi_def_dim(file, "column", columns * ranks, &dimensions[2]));
    done(ncmpi_def_var(file, "blocking", NC_INT, 3, dimensions, &blocking));
    done(ncmpi_def_var(file, "later", NC_INT, 3, dimensions, &later));
    done(ncmpi_enddef(file));
    for (int step = 0; step < steps; ++step) {
        MPI_Offset const start[3] = {step, 0, columns * rank}, count[3] = {1, rows, columns};
        for (int i = 0; i < rows * columns; ++i) mine[step][i] = value(step, i);
        done(ncmpi_put_vara_int_all(file, blocking, start, count, mine[step]));
        done(ncmpi_iput_vara_int(file, later, start, count, mine[step], &requests[step]));
    }
    done(ncmpi_wait_all(file, steps, requests, statuses));
    done(ncmpi_close(file));
}

static void read_all(char const* path) {
    int file, variable;
    static int back[rows * columns];
    done(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &file));
    for (int step = 0; step < 2 * steps; ++step) {
        MPI_Offset const start[3] = {step / 2, 0, columns * rank}, count[3] = {1, rows, columns};
        done(ncmpi_inq_varid(file, step % 2 ? "later" : "blocking", &variable));
        done(ncmpi_get_vara_int_all(file, variable, start, count, back));
        for (int i = 0; i < rows * columns; ++i) expect(back[i] == value(step / 2, i), "wrong bytes");
    }
    done(ncmpi_close(file));
}

int main(int count, char** words) {
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char path[4096];
    snprintf(path, sizeof path, "%s/pnetcdf.nc", words[1]);
    write_all(path);
    read_all(path);
    MPI_Finalize();
    return 0;
}
