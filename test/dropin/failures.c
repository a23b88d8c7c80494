// One rank fails, all ranks are told, and nobody waits for ever. For the drop-in only: others may hang.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks;

static int class_of(int error) {
    int class = 0;
    MPI_Error_class(error, &class);
    return class;
}

static void expect(int holds, char const* what) {
    if (holds) return;
    fprintf(stderr, "rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int handler_calls = 0;
static void handler(MPI_File* file, int* error, ...) {
    expect(*file != MPI_FILE_NULL && class_of(*error) == MPI_ERR_IO, "the handler gets the file and the error");
    ++handler_calls;
}

// One rank learns only when it closes the file that bytes could not be stored.
static MPI_File open_that_closes_badly(char const* directory) {
    static int data[100000];
    char path[4096];
    MPI_File file;
    MPI_Info info;
    MPI_Errhandler counting;
    snprintf(path, sizeof path, "%s/closes_badly", directory);
    MPI_Info_create(&info);
    MPI_Info_set(info, "muster_faults", "close:1:EIO@0");
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE, info, &file);
    MPI_Info_free(&info);
    MPI_File_create_errhandler(handler, &counting);
    MPI_File_set_errhandler(file, counting);
    MPI_Errhandler_free(&counting);
    int const error =
        MPI_File_write_at_all(file, (MPI_Offset)sizeof data * rank, data, 100000, MPI_INT, MPI_STATUS_IGNORE);
    expect(error == MPI_SUCCESS, "what is written is well until the file is closed");
    return file;
}

static void closing_badly(char const* directory) {
    MPI_Info other;
    MPI_Info_create(&other);
    MPI_Info_set(other, "muster_window", "2MiB");
    MPI_File file = open_that_closes_badly(directory);
    expect(class_of(MPI_File_close(&file)) == MPI_ERR_IO, "all are told when the file is closed");
    expect(file == MPI_FILE_NULL && handler_calls == 1, "the file is closed, and the handler was called");

    file = open_that_closes_badly(directory);
    expect(class_of(MPI_File_set_info(file, other)) == MPI_ERR_IO, "all are told when there are other hints");
    expect(MPI_File_close(&file) == MPI_SUCCESS && handler_calls == 2, "and they are told once");

    file = open_that_closes_badly(directory);
    int const error = MPI_File_set_view(file, 4, MPI_INT, MPI_INT, "native", other);
    expect(class_of(error) == MPI_ERR_IO, "all are told when other hints come with a view");
    expect(MPI_File_close(&file) == MPI_SUCCESS && handler_calls == 3, "and they are told once");
    MPI_Info_free(&other);
}

int main(int count, char** words) {
    int provided, data[200] = {0};
    MPI_Init_thread(&count, &words, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // MPI_Wait knows no file whose handler it could call
    char path[4096];
    snprintf(path, sizeof path, "%s/failures", words[1]);
    MPI_File file;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "muster_faults", "write:1:ENOSPC@0");
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE, info, &file);
    MPI_Info_free(&info);
    MPI_Datatype type, wrong;
    MPI_Type_vector(100, 1, ranks, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, 4 * rank, MPI_INT, type, "native", MPI_INFO_NULL);

    int error = MPI_File_write_all(file, data, 100, MPI_INT, MPI_STATUS_IGNORE);
    expect(class_of(error) == MPI_ERR_NO_SPACE, "the disk is full on one rank, all are told");
    MPI_Offset at = -1;
    MPI_File_get_position(file, &at);
    expect(at == 0, "the pointer stays where it was");

    error = MPI_File_write_all(file, data, rank == ranks - 1 ? -1 : 100, MPI_INT, MPI_STATUS_IGNORE);
    expect(class_of(error) == (rank == ranks - 1 ? MPI_ERR_COUNT : MPI_ERR_ARG), "one rank has a wrong count");

    MPI_Request request;
    MPI_File_iwrite_at_all(file, 0, data, rank == 0 ? -1 : 100, MPI_INT, &request);
    error = MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(error != MPI_SUCCESS, "one rank has a wrong count for a nonblocking call");

    int const lengths[2] = {1, 1}, places[2] = {7, 0};
    MPI_Type_indexed(2, lengths, places, MPI_INT, &wrong);
    MPI_Type_commit(&wrong);
    error = MPI_File_set_view(file, 0, MPI_INT, rank == 0 ? wrong : MPI_INT, "native", MPI_INFO_NULL);
#ifdef OPEN_MPI
    int const as_the_mpi_says = MPI_ERR_TYPE;
#else
    int const as_the_mpi_says = MPI_ERR_IO;
#endif
    expect(class_of(error) == (rank == 0 ? as_the_mpi_says : MPI_ERR_ARG), "one rank has a view that runs backwards");
    error = MPI_File_write_all(file, data, 100, MPI_INT, MPI_STATUS_IGNORE);
    expect(error == MPI_SUCCESS, "the view before is still there, and all is well");
    MPI_Type_free(&type);
    MPI_Type_free(&wrong);

    // Two files, started in different order on different ranks.
    MPI_File others[2];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    for (int i = 0; i < 2; ++i) {
        snprintf(path, sizeof path, "%s/other%d", words[1], i);
        MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &others[i]);
    }
    for (int i = 0; i < 2; ++i) {
        int const which = rank % 2 == 0 ? i : 1 - i;
        MPI_File_iwrite_at_all(others[which], 400 * rank, data, 100, MPI_INT, &requests[i]);
    }
    error = MPI_Waitall(2, requests, statuses);
    expect(error == MPI_SUCCESS, "two files at a time");
    for (int i = 0; i < 2; ++i) MPI_File_close(&others[i]);
    MPI_File_close(&file);
    closing_badly(words[1]);
    MPI_Finalize();
    return 0;
}
