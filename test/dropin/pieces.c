// A file that is kept as pieces is an index to MPI-IO, for small accesses and for large ones.     pieces DIRECTORY MUSTER
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { large = 500000 };
static int rank;
static char index_text[10000], bytes[large];

static void expect(int holds, char const* what) {
    if (holds) return;
    fprintf(stderr, "rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void make_set(char const* directory, char const* muster) {
    char words[10000];
    memset(bytes, '#', sizeof bytes);
    snprintf(words, sizeof words, "%s/plain", directory);
    FILE* plain = fopen(words, "wb");
    expect(plain && fwrite(bytes, 1, sizeof bytes, plain) == sizeof bytes && fclose(plain) == 0, "cannot write");
    snprintf(words, sizeof words, "LD_PRELOAD= '%s' split '%s/plain' '%s/set' --pieces 3 --unit 4096", muster,
             directory, directory);
    expect(system(words) == 0, "cannot split");
}

static int read_index(char const* path) {
    FILE* index = fopen(path, "rb");
    expect(index != NULL, "there is no set");
    int const size = (int)fread(index_text, 1, sizeof index_text, index);
    fclose(index);
    return size;
}

int main(int count, char** words) {
    MPI_File file;
    char path[4096];
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) make_set(words[1], words[2]);
    MPI_Barrier(MPI_COMM_WORLD);
    snprintf(path, sizeof path, "%s/set", words[1]);
    int const size = read_index(path);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (int step = 0; step < 2; ++step) {
        memset(bytes, 0, sizeof bytes);
        int const error = MPI_File_read_at_all(file, 0, bytes, step == 0 ? 10 : large, MPI_BYTE, MPI_STATUS_IGNORE);
        expect(error == MPI_SUCCESS, "cannot read");
        expect(memcmp(bytes, index_text, step == 0 ? 10 : (size_t)size) == 0, "not what the file holds");
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
