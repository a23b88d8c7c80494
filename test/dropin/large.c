// More bytes in one call than an int can count, and types made with such counts: MPICH ends the program for these.     large DIRECTORY
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { skipped = 77 };
static int rank, ranks;
static MPI_Count const large = ((MPI_Count)1 << 31) + 12345;

static void expect(int holds, char const* what) {
    if (holds) return;
    fprintf(stderr, "rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

// Memory that takes none until it is touched.
static char* reserve(void) {
    void* bytes = mmap(NULL, (size_t)large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    expect(bytes != MAP_FAILED, "no address space");
    madvise(bytes, (size_t)large, MADV_HUGEPAGE);
    return bytes;
}

static MPI_Count const marks[] = {0, 4095, ((MPI_Count)1 << 31) - 1, (MPI_Count)1 << 31, ((MPI_Count)1 << 31) + 12344};
enum { mark_count = sizeof marks / sizeof *marks };

static MPI_Count bytes_of(MPI_Status* status) {
    MPI_Count count = -1;
    MPI_Get_elements_x(status, MPI_BYTE, &count);
    return count;
}

// The first rank has more than an int can count, the others have a few bytes behind it.
static void write_much(MPI_File file, char const* path) {
    MPI_Status status;
    MPI_Count const count = rank == 0 ? large : 10;
    MPI_Offset const place = rank == 0 ? 0 : large + 10 * (rank - 1);
    char* bytes = reserve();
    for (int i = 0; i < mark_count; ++i) bytes[rank == 0 ? marks[i] : i] = (char)('a' + i + rank);
    expect(MPI_File_write_at_all_c(file, place, bytes, count, MPI_BYTE, &status) == MPI_SUCCESS, "cannot write");
    expect(bytes_of(&status) == count, "wrong count written");
    munmap(bytes, (size_t)large);
    int const plain = open(path, O_RDONLY);
    for (int i = 0; i < mark_count; ++i) {
        char found = 0;
        expect(pread(plain, &found, 1, rank == 0 ? marks[i] : place + i) == 1, "a byte is missing");
        expect(found == 'a' + i + rank, "wrong bytes");
    }
    close(plain);
}

// Of as many bytes only the first are in the file.
static void read_little(MPI_File file) {
    MPI_Status status;
    char* bytes = reserve();
    MPI_File_set_size(file, 5000);
    expect(MPI_File_read_at_all_c(file, rank, bytes, large, MPI_BYTE, &status) == MPI_SUCCESS, "cannot read");
    expect(bytes_of(&status) == 5000 - rank, "wrong count read");
    expect(bytes[4095 - rank] == 'b', "wrong bytes");
    munmap(bytes, (size_t)large);
}

// As many elements, of a type without any bytes, at the file pointer and on its own way to the MPI.
static void nothing_often(MPI_File file) {
    MPI_Datatype empty;
    MPI_Status status;
    MPI_Offset position = -1;
    MPI_Type_contiguous(0, MPI_BYTE, &empty);
    MPI_Type_commit(&empty);
    expect(MPI_File_write_all_c(file, &status, large, empty, &status) == MPI_SUCCESS, "cannot write nothing");
    expect(MPI_File_write_at_c(file, 0, &status, large, empty, &status) == MPI_SUCCESS, "cannot pass nothing on");
    MPI_File_get_position(file, &position);
    expect(position == 0, "the pointer has moved");
    MPI_Type_free(&empty);
}

// --- types made with large counts ---

static int const blocks = 20;

// Every rank has blocks of two integers in turn, from its displacement on.
static void access_in_turn(MPI_File file, MPI_Datatype etype, MPI_Datatype filetype) {
    MPI_Datatype kept_etype, kept_filetype;
    MPI_Offset displacement = -1;
    MPI_Status status;
    MPI_Count size = 0;
    int mine[40], back[40] = {0}, alone = 0;
    char words[MPI_MAX_DATAREP_STRING];
    for (int i = 0; i < 40; ++i) mine[i] = 1000 * rank + i;
    expect(MPI_File_set_view(file, 8 * rank, etype, filetype, "native", MPI_INFO_NULL) == MPI_SUCCESS, "no view");
    expect(MPI_File_write_all(file, mine, 40, MPI_INT, &status) == MPI_SUCCESS, "cannot write through it");
    expect(MPI_File_read_at_all(file, 0, back, 40, MPI_INT, &status) == MPI_SUCCESS, "cannot read through it");
    expect(memcmp(mine, back, sizeof mine) == 0, "wrong bytes through the view");
    expect(MPI_File_read_at(file, 3, &alone, 1, MPI_INT, &status) == MPI_SUCCESS, "cannot read alone");
    expect(alone == mine[3], "wrong bytes alone");
    MPI_File_get_view(file, &displacement, &kept_etype, &kept_filetype, words);
    MPI_Type_size_c(kept_filetype, &size);
    expect(displacement == 8 * rank && size % 8 == 0 && size > 0, "not the view that was set");
    if (kept_etype != MPI_INT) MPI_Type_free(&kept_etype);
    MPI_Type_free(&kept_filetype);
}

static void expect_in_turn(char const* path) {
    MPI_Barrier(MPI_COMM_WORLD);
    int const plain = open(path, O_RDONLY);
    for (int i = 0; i < 2 * blocks * ranks; ++i) {
        int const writer = i / 2 % ranks;
        int found = -1;
        expect(pread(plain, &found, sizeof found, 4 * i) == sizeof found, "an integer is missing");
        expect(found == 1000 * writer + i / 2 / ranks * 2 + i % 2, "wrong integers");
    }
    close(plain);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void through_large_types(char const* path, int views) {
    MPI_File file;
    MPI_Datatype single, vector, block, turn;
    MPI_Count const length = 8, place = 0;
    MPI_Type_contiguous_c(1, MPI_INT, &single);
    MPI_Type_vector_c(blocks, 2, 2 * (MPI_Count)ranks, MPI_INT, &vector);
    MPI_Type_create_hindexed_c(1, &length, &place, MPI_BYTE, &block);
    MPI_Type_create_resized(block, 0, 8 * ranks, &turn);
    MPI_Type_commit(&single);
    MPI_Type_commit(&vector);
    MPI_Type_commit(&turn);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    for (int i = 0; i < views; ++i) {
        access_in_turn(file, MPI_INT, vector);
        expect_in_turn(path);
        access_in_turn(file, single, turn);
        expect_in_turn(path);
    }
    MPI_File_close(&file);
    MPI_Type_free(&single);
    MPI_Type_free(&vector);
    MPI_Type_free(&block);
    MPI_Type_free(&turn);
}

int main(int count, char** words) {
    MPI_File file;
    char path[4096];
    struct statvfs facts;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(path, sizeof path, "%s/types", words[1]);
    through_large_types(path, 3);
    snprintf(path, sizeof path, "%s/large", words[1]);
    int const room = statvfs(words[1], &facts) == 0 && facts.f_bavail * facts.f_bsize > (unsigned long)large * 5 / 2;
    if (!room) {
        printf("not enough room in %s\n", words[1]);
        MPI_Finalize();
        return skipped;
    }
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    write_much(file, path);
    read_little(file);
    nothing_often(file);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
