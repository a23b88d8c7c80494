// More bytes in one call than an int can count: MPICH ends the program for these.     large DIRECTORY
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

int main(int count, char** words) {
    MPI_File file;
    char path[4096];
    struct statvfs facts;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
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
