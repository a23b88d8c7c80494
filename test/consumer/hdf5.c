// Two datasets in one collective call, through the installed library.
#include <muster/hdf5.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char path[] = "/tmp/muster_consumer_XXXXXX";
    if (rank == 0 && mkstemp(path) < 0) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(path, (int)sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    hid_t dxpl = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
    H5Pset_dxpl_mpio(dxpl, H5FD_MPIO_COLLECTIVE);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    hsize_t const all = (hsize_t)ranks;
    hsize_t const mine = (hsize_t)rank;
    hsize_t const one = 1;
    hid_t space = H5Screate_simple(1, &all, NULL);
    hid_t memory = H5Screate_simple(1, &one, NULL);
    hid_t datasets[2];
    datasets[0] = H5Dcreate2(file, "a", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    datasets[1] = H5Dcreate2(file, "b", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &mine, NULL, &one, NULL);
    hid_t types[2] = {H5T_NATIVE_INT, H5T_NATIVE_INT};
    hid_t memories[2] = {memory, memory};
    hid_t spaces[2] = {space, space};
    int a = rank + 1;
    int b = rank + 100;
    int found = 0;
    void const* out[2] = {&a, &b};
    herr_t outcome = muster_h5d_write_multi(2, datasets, types, memories, spaces, dxpl, out);
    H5Dread(datasets[1], H5T_NATIVE_INT, memory, space, dxpl, &found);
    int const right = outcome == 0 && found == b;
    if (!right) fprintf(stderr, "%s\n", muster_last_message());
    H5Dclose(datasets[0]);
    H5Dclose(datasets[1]);
    H5Sclose(memory);
    H5Sclose(space);
    H5Fclose(file);
    H5Pclose(dxpl);
    H5Pclose(fapl);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) remove(path);
    MPI_Finalize();
    return right ? 0 : 1;
}
