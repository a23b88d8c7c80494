// Requests of nonblocking collective calls in every function of MPI that takes requests, beside those of messages and empty ones.
// For the drop-in with threads only: MPICH's own I/O reads wrong data when several are under way.     requests DIRECTORY
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 6, part = 20, parts = 12 };
static int rank, ranks;
static int data[part * parts], back[part * parts];
static MPI_File file;
static MPI_Request requests[most];
static MPI_Status statuses[most];

static void expect(int holds, char const* what) {
    if (holds) return;
    fprintf(stderr, "rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int count_of(MPI_Status* status) {
    int count = -1;
    MPI_Get_count(status, MPI_INT, &count);
    return count;
}

static void clear(void) {
    memset(back, 0, sizeof back);
    for (int i = 0; i < most; ++i) requests[i] = MPI_REQUEST_NULL;
}

// The first three are under way.
static void read_three(void) {
    clear();
    for (int i = 0; i < 3; ++i) MPI_File_iread_at_all(file, part * i, back + part * i, part, MPI_INT, &requests[i]);
}

static void expect_three(char const* what) {
    expect(memcmp(data, back, 3 * part * sizeof *data) == 0, what);
    for (int i = 0; i < 3; ++i) expect(requests[i] == MPI_REQUEST_NULL, what);
}

static void wait_for_all(void) {
    int heard = -1;
    clear();
    MPI_Irecv(&heard, 1, MPI_INT, (rank + 1) % ranks, 5, MPI_COMM_WORLD, &requests[0]);
    for (int i = 0; i < parts; i += 2) {
        MPI_File_iwrite_at_all(file, part * i, data + part * i, part, MPI_INT, &requests[1]);
        MPI_File_iwrite_at_all(file, part * (i + 1), data + part * (i + 1), part, MPI_INT, &requests[2]);
        if (i == 0) MPI_Isend(&rank, 1, MPI_INT, (rank + ranks - 1) % ranks, 5, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(most, requests, statuses);
        expect(count_of(&statuses[1]) == part && count_of(&statuses[2]) == part, "Waitall: counts");
    }
    expect(heard == (rank + 1) % ranks, "Waitall: the message");
    read_three();
    MPI_Waitall(most, requests, statuses);
    expect_three("Waitall");
}

static void wait_for_some(void) {
    int which = -1, count = 0, places[most], sum = 0;
    read_three();
    for (int i = 0; i < 3; ++i) {
        MPI_Waitany(most, requests, &which, statuses);
        expect(count_of(statuses) == part, "Waitany: count");
        sum += which;
    }
    MPI_Waitany(most, requests, &which, statuses);
    expect(sum == 3 && which == MPI_UNDEFINED, "Waitany: which");
    expect_three("Waitany");
    read_three();
    for (int done = 0; done < 3; done += count) MPI_Waitsome(most, requests, &count, places, statuses);
    expect_three("Waitsome");
}

static void test_them(void) {
    int done = 0, which = -1, count = 0, places[most];
    read_three();
    while (!done) MPI_Testall(most, requests, &done, statuses);
    expect(count_of(&statuses[2]) == part, "Testall: count");
    expect_three("Testall");
    read_three();
    for (int found = 0; found < 3; found += done && which != MPI_UNDEFINED) {
        MPI_Testany(most, requests, &which, &done, statuses);
    }
    expect_three("Testany");
    read_three();
    for (int found = 0; found<3; found += count> 0 ? count : 0) {
        MPI_Testsome(most, requests, &count, places, statuses);
    }
    expect_three("Testsome");
    read_three();
    for (int i = 0; i < 3; ++i) {
        for (done = 0; !done;) MPI_Request_get_status(requests[i], &done, statuses);
        expect(requests[i] != MPI_REQUEST_NULL && count_of(statuses) == part, "Request_get_status");
        for (done = 0; !done;) MPI_Test(&requests[i], &done, statuses);
    }
    expect_three("Test");
}

// A request that nobody waits for, one that is to be cancelled, which cannot be done, and some ranks without data.
static void without_waiting(void) {
    int cancelled = -1;
    clear();
    MPI_File_iwrite_at_all(file, 0, data, part, MPI_INT, &requests[0]);
    MPI_Request_free(&requests[0]);
    expect(requests[0] == MPI_REQUEST_NULL, "Request_free");
    MPI_File_iread_at_all(file, 0, back, part, MPI_INT, &requests[0]);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], statuses);
    MPI_Test_cancelled(statuses, &cancelled);
    expect(!cancelled && count_of(statuses) == part && memcmp(data, back, part * sizeof *data) == 0, "Cancel");
    MPI_File_iwrite_at_all(file, 0, data, rank % 2 ? 0 : part, MPI_INT, &requests[0]);
    MPI_Wait(&requests[0], statuses);
    expect(count_of(statuses) == (rank % 2 ? 0 : part), "some have nothing");
}

// A large message that moves on only while its sender is in MPI, and without which the other rank does not come.
static void message_first(void) {
    enum { large = 1 << 20 };
    static int message[large];
    clear();
    if (rank == 0) MPI_Isend(message, large, MPI_INT, 1, 6, MPI_COMM_WORLD, &requests[3]);
    if (rank == 1) MPI_Recv(message, large, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_File_iread_at_all(file, 0, back, part, MPI_INT, &requests[0]);
    MPI_Waitall(most, requests, statuses);
    expect(memcmp(data, back, part * sizeof *data) == 0, "a message that others wait for");
}

int main(int count, char** words) {
    int provided;
    char path[4096];
    MPI_Datatype type;
    MPI_Init_thread(&count, &words, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < part * parts; ++i) data[i] = 1000 * rank + i;
    snprintf(path, sizeof path, "%s/requests", words[1]);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    MPI_Type_vector(part * parts, 1, ranks, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, (MPI_Offset)sizeof(int) * rank, MPI_INT, type, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
    wait_for_all();
    wait_for_some();
    test_them();
    without_waiting();
    if (ranks > 1) message_first();
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
