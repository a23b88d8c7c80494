// Ranks write beside each other's bytes, each by itself, in ways that know nothing of each other: nobody's are lost. And a name that looks
// as if it began with a kind of file system.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { pieces = 20000, size = 8, some = 40, rounds = 20, block = 600000 };
static char mine[pieces * size], all[2 * pieces * size], bytes[block];
static int rank;

static void expect(int holds, char const* what) {
    if (holds) return;
    fprintf(stderr, "rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

// Rank 0 has every other piece; rank 1 some of those between, each by itself: through a view, or by the MPI's own I/O.
static int lost_pieces(MPI_Comm comm, int through_view) {
    int lost = 0;
    MPI_File file;
    MPI_Datatype every_other;
    MPI_File_open(comm, "beside", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, sizeof all);
    MPI_Type_vector(pieces, size, 2 * size, MPI_BYTE, &every_other);
    MPI_Type_commit(&every_other);
    int const plain = rank != 0 && !through_view;
    MPI_File_set_view(file, rank != 0 && !plain ? size : 0, MPI_BYTE, plain ? MPI_BYTE : every_other, "native",
                      MPI_INFO_NULL);
    for (int round = 1; round <= rounds; ++round) {
        memset(mine, round, sizeof mine);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) MPI_File_write_at(file, 0, mine, sizeof mine, MPI_BYTE, MPI_STATUS_IGNORE);
        for (MPI_Offset i = 0; rank == 1 && i < pieces; i += some) {
            MPI_File_write_at(file, plain ? (2 * i + 1) * size : i * size, mine, size, MPI_BYTE, MPI_STATUS_IGNORE);
        }
        MPI_File_sync(file);
        MPI_Barrier(MPI_COMM_WORLD);
        FILE* const look = fopen("beside", "r");
        expect(fread(all, 1, sizeof all, look) == sizeof all, "the file is all there");
        fclose(look);
        for (int i = 0; i < pieces; i += some) lost += all[2 * i * size] != round || all[(2 * i + 1) * size] != round;
    }
    MPI_Type_free(&every_other);
    MPI_File_close(&file);
    return lost;
}

// ROMIO opens `precious`, Open MPI's own I/O a file that is really called so.
static void write_prefixed(void) {
    MPI_File file;
    FILE* precious;
    if (rank == 0) {
        precious = fopen("precious", "w");
        fputs("old", precious);
        fclose(precious);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_WORLD, "ufs:precious", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    memset(bytes, 'n', sizeof bytes);
    MPI_File_write_at_all(file, (MPI_Offset)rank * block, bytes, block, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    precious = fopen("precious", "r");
    int const first = fgetc(precious);
    fclose(precious);
    expect(first == (access("ufs:precious", F_OK) == 0 ? 'o' : 'n'),
           "a file was written that the program has not named");
}

int main(int count, char** words) {
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    expect(chdir(words[1]) == 0, "the directory is there");
    expect(lost_pieces(MPI_COMM_WORLD, 1) == 0, "pieces are lost that were written through a view");
    expect(lost_pieces(MPI_COMM_WORLD, 0) == 0, "pieces are lost that the MPI wrote");
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1, rank, &half);
    expect(lost_pieces(half, 1) == 0, "pieces are lost that another communicator wrote");
    MPI_Comm_free(&half);
    write_prefixed();
    MPI_Finalize();
    return 0;
}
