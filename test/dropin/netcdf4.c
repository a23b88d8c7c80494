// netCDF-4, in parallel by way of HDF5: columns of a matrix.
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdio.h>
#include <stdlib.h>

enum { rows = 20, columns = 5 };
static int rank, ranks;

static void expect(int holds, char const* what) {
    if (holds) return;
    fprintf(stderr, "rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}
static void done(int error) { expect(error == NC_NOERR, nc_strerror(error)); }

int main(int count, char** words) {
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char path[4096];
    snprintf(path, sizeof path, "%s/netcdf4.nc", words[1]);
    int file, dimensions[2], variable, mine[rows * columns], back[rows * columns];
    done(nc_create_par(path, NC_NETCDF4 | NC_CLOBBER, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
    done(nc_def_dim(file, "row", rows, &dimensions[0]));
    done(nc_def_dim(file, "column", (size_t)(columns * ranks), &dimensions[1]));
    done(nc_def_var(file, "matrix", NC_INT, 2, dimensions, &variable));
    done(nc_var_par_access(file, variable, NC_COLLECTIVE));
    done(nc_enddef(file));
    size_t const start[2] = {0, (size_t)(columns * rank)}, extent[2] = {rows, columns};
    for (int i = 0; i < rows * columns; ++i) mine[i] = rank * 10000 + i;
    done(nc_put_vara_int(file, variable, start, extent, mine));
    done(nc_get_vara_int(file, variable, start, extent, back));
    for (int i = 0; i < rows * columns; ++i) expect(back[i] == mine[i], "wrong bytes");
    done(nc_close(file));
    MPI_Finalize();
    return 0;
}
