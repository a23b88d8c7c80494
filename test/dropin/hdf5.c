// Parallel HDF5: contiguous, chunked and scattered, written and read back collectively.
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { rows = 24, columns = 30 };
static int rank, ranks;

static void expect(int holds, char const* what) {
    if (holds) return;
    fprintf(stderr, "rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

// Every `ranks`-th row is this rank's.
static hid_t rows_of_mine(hid_t space) {
    hsize_t const start[2] = {(hsize_t)rank, 0}, stride[2] = {(hsize_t)ranks, 1}, count[2] = {rows, columns};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL);
    return space;
}

static void write_and_read(hid_t file, char const* name, hid_t creation) {
    hsize_t const all[2] = {(hsize_t)(rows * ranks), columns}, own[2] = {rows, columns};
    hid_t const transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
    hid_t const space = rows_of_mine(H5Screate_simple(2, all, NULL)), memory = H5Screate_simple(2, own, NULL);
    hid_t const set = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    static int mine[rows][columns], back[rows][columns];
    for (int i = 0; i < rows * columns; ++i) mine[i / columns][i % columns] = rank * 100000 + i;
    for (int step = 0; step < 3; ++step)
        expect(H5Dwrite(set, H5T_NATIVE_INT, memory, space, transfer, mine) >= 0, "H5Dwrite");
    expect(H5Dread(set, H5T_NATIVE_INT, memory, space, transfer, back) >= 0, "H5Dread");
    for (int i = 0; i < rows * columns; ++i) expect(back[i / columns][i % columns] == rank * 100000 + i, name);
    H5Dclose(set);
    H5Sclose(space);
    H5Sclose(memory);
    H5Pclose(transfer);
}

int main(int count, char** words) {
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char path[4096];
    snprintf(path, sizeof path, "%s/hdf5.h5", words[1]);
    hid_t const access = H5Pcreate(H5P_FILE_ACCESS), chunks = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    hsize_t const chunk[2] = {7, 11};
    H5Pset_chunk(chunks, 2, chunk);
    for (int step = 0; step < 2; ++step) {
        hid_t const file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
        expect(file >= 0, "H5Fcreate");
        write_and_read(file, "contiguous", H5P_DEFAULT);
        write_and_read(file, "chunked", chunks);
        expect(H5Fclose(file) >= 0, "H5Fclose");
    }
    H5Pclose(chunks);
    H5Pclose(access);
    MPI_Finalize();
    return 0;
}
