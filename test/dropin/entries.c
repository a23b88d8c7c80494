// Every entry point of MPI-IO, and a transcript of what it did: error classes, counts, file pointers and bytes. Run with the
// MPI's own I/O and with the drop-in, both must say the same.     entries DIRECTORY TRANSCRIPT [threads]
#include "transcript.h"

// --- one function for each thing that is tried ---

static void explicit_offsets(void) {
    MPI_File file = open_new("explicit", MPI_MODE_RDWR);
    MPI_Status status;
    fill(1);
    int error = MPI_File_write_at_all(file, (MPI_Offset)rank * 400, data, 100, MPI_INT, &status);
    say("write_at_all: %d, %d, position %ld", class_of(error), count_of(&status, MPI_INT), position(file));
    error = MPI_File_read_at_all(file, (MPI_Offset)((rank + 1) % ranks) * 400, back, 100, MPI_INT, &status);
    say("read_at_all: %d, %d bytes, %08x", class_of(error), count_of(&status, MPI_BYTE), hash(back, sizeof back));
    set_cyclic(file, 3, 20);
    error = MPI_File_write_at_all(file, 6, data, 60, MPI_INT, &status);
    say("through the view: %d, %d", class_of(error), count_of(&status, MPI_INT));
    error = MPI_File_read_at_all(file, 9, back, 30, MPI_INT, &status);
    say("and back: %d, %d, %08x", class_of(error), count_of(&status, MPI_INT), hash(back, sizeof back));
    error = MPI_File_write_at_all(file, 0, data, rank % 2 == 0 ? 0 : 12, MPI_INT, MPI_STATUS_IGNORE);
    say("some have nothing: %d", class_of(error));
    close_it(&file);
}

static void pointers(void) {
    MPI_File file = open_new("pointers", MPI_MODE_RDWR);
    MPI_Status status;
    fill(2);
    set_cyclic(file, 2, 25);
    for (int step = 0; step < 3; ++step) {
        int const error = MPI_File_write_all(file, data + step * 100, 70, MPI_INT, &status);
        say("write_all: %d, %d, position %ld", class_of(error), count_of(&status, MPI_INT), position(file));
    }
    int error = MPI_File_seek(file, -10, MPI_SEEK_CUR);
    say("seek back: %d, position %ld", class_of(error), position(file));
    for (int turn = 0; turn < ranks; ++turn) {  // Open MPI reads and rewrites what lies between a rank's pieces
        if (turn == rank) error = MPI_File_write(file, data, 4, MPI_INT, &status);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    say("write: %d, %d, position %ld", class_of(error), count_of(&status, MPI_INT), position(file));
    error = MPI_File_write_all(file, data, 10, MPI_INT, &status);
    say("write_all after it: %d, position %ld", class_of(error), position(file));
    error = MPI_File_seek(file, 5, MPI_SEEK_SET);
    error = MPI_File_read_all(file, back, 50, MPI_INT, &status);
    say("read_all: %d, %d, position %ld, %08x", class_of(error), count_of(&status, MPI_INT), position(file),
        hash(back, sizeof back));
    error = MPI_File_read(file, back, 5, MPI_INT, &status);
    say("read: %d, %d, position %ld, %08x", class_of(error), count_of(&status, MPI_INT), position(file),
        hash(back, sizeof back));
    error = MPI_File_seek(file, -20, MPI_SEEK_END);
    say("seek from the end: %d, position %ld", class_of(error), position(file));
    error = MPI_File_seek(file, -1, MPI_SEEK_SET);
    say("seek before the beginning: %d, position %ld", class_of(error), position(file));
    close_it(&file);
}

static void many_views(void) {
    MPI_File file = open_new("views", MPI_MODE_RDWR);
    fill(3);
    for (int step = 1; step < 6; ++step) {
        set_cyclic(file, step, 10);
        MPI_File_write_all(file, data, 10 * step, MPI_INT, MPI_STATUS_IGNORE);
        for (int turn = 0; turn < ranks; ++turn) {
            if (turn == rank) {
                MPI_File_write_at(file, 10 * step, data, 3, MPI_INT, MPI_STATUS_IGNORE);
                MPI_File_seek(file, 1, MPI_SEEK_CUR);
                MPI_File_write(file, data + 1, 2, MPI_INT, MPI_STATUS_IGNORE);
            }
            MPI_Barrier(MPI_COMM_WORLD);
        }
        say("position %ld", position(file));
    }
    MPI_Offset displacement = -1, place = -1;
    MPI_Datatype etype, filetype;
    char representation[MPI_MAX_DATAREP_STRING] = {0};
    MPI_File_get_view(file, &displacement, &etype, &filetype, representation);
    int size = 0, integers, addresses, types, combiner;
    MPI_Aint low, extent;
    MPI_Type_size(filetype, &size);
    MPI_Type_get_extent(filetype, &low, &extent);
    say("get_view: %ld, etype is MPI_INT: %d, %d of %ld bytes, %s", (long)displacement, etype == MPI_INT, size,
        (long)extent, representation);
    MPI_Type_get_envelope(filetype, &integers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED) MPI_Type_free(&filetype);
    MPI_File_get_byte_offset(file, 13, &place);
    say("get_byte_offset: %ld", (long)place);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_write_at(file, 8 * rank, "abcdefgh", 8, MPI_BYTE, MPI_STATUS_IGNORE);
    say("plain again, position %ld", position(file));
    close_it(&file);
}

// Views of different kinds, one of them of nothing but a displacement.
static void different_views(void) {
    MPI_File file = open_new("different", MPI_MODE_RDWR);
    fill(4);
    MPI_File_set_size(file, 120000);  // what stands in holes is defined only where the file was before
    MPI_Datatype type = cyclic(1, 50);
    MPI_Offset const place = rank == 0 ? 0 : 100000;
    MPI_File_set_view(file, place + 4 * rank, MPI_INT, rank == 0 ? MPI_INT : type, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
    int error = MPI_File_write_all(file, data, 40, MPI_INT, MPI_STATUS_IGNORE);
    say("write_all: %d, position %ld", class_of(error), position(file));
    error = MPI_File_read_at_all(file, 0, back, 40, MPI_INT, MPI_STATUS_IGNORE);
    say("read_at_all: %d, %d", class_of(error), memcmp(data, back, 160));
    close_it(&file);
}

static void memory_types(void) {
    MPI_File file = open_new("memory", MPI_MODE_RDWR);
    MPI_Status status;
    fill(5);
    set_cyclic(file, 4, 10);
    MPI_Datatype gaps, absolute;
    MPI_Type_vector(20, 2, 5, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    int error = MPI_File_write_all(file, data, 2, gaps, &status);
    int elements = 0;
    MPI_Get_elements(&status, MPI_INT, &elements);
    say("from memory with gaps: %d, %d, %d, position %ld", class_of(error), count_of(&status, gaps), elements,
        position(file));
    MPI_Aint address;
    int const count = 30;
    MPI_Get_address(back, &address);
    MPI_Type_create_hindexed(1, &count, &address, MPI_INT, &absolute);
    MPI_Type_commit(&absolute);
    error = MPI_File_read_at_all(file, 4, MPI_BOTTOM, 1, absolute, &status);
    say("to MPI_BOTTOM: %d, %d, %08x", class_of(error), count_of(&status, MPI_INT), hash(back, sizeof back));
    MPI_Type_free(&gaps);
    MPI_Type_free(&absolute);
    close_it(&file);
}

static void split_calls(void) {
    MPI_File file = open_new("split", MPI_MODE_RDWR);
    MPI_Status status;
    fill(6);
    set_cyclic(file, 3, 10);
    int error = MPI_File_write_all_begin(file, data, 30, MPI_INT);
    say("write_all_begin: %d", class_of(error));
    error = MPI_File_write_all_end(file, data, &status);
    say("write_all_end: %d, %d, position %ld", class_of(error), count_of(&status, MPI_INT), position(file));
    MPI_File_write_at_all_begin(file, 30, data + 30, 30, MPI_INT);
    error = MPI_File_write_at_all_end(file, data + 30, &status);
    say("write_at_all: %d, %d, position %ld", class_of(error), count_of(&status, MPI_INT), position(file));
    MPI_File_read_at_all_begin(file, 10, back, 30, MPI_INT);
    error = MPI_File_read_at_all_end(file, back, &status);
    say("read_at_all: %d, %d, %08x", class_of(error), count_of(&status, MPI_INT), hash(back, sizeof back));
    MPI_File_read_all_begin(file, back, 10, MPI_INT);
    error = MPI_File_read_all_end(file, back, &status);
    say("read_all: %d, %d, position %ld, %08x", class_of(error), count_of(&status, MPI_INT), position(file),
        hash(back, sizeof back));
    close_it(&file);
}

// The first rank starts before the others have heard of it: whoever waits for them in there hangs.
static void nonblocking_calls(void) {
    MPI_File file = open_new("nonblocking", MPI_MODE_RDWR);
    MPI_Status status;
    MPI_Request requests[3];
    MPI_Status statuses[3];
    fill(7);
    set_cyclic(file, 2, 30);
    int token = 0;
    if (rank > 0) MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int error = MPI_File_iwrite_at_all(file, 0, data, 60, MPI_INT, &requests[0]);
    for (int i = 1; rank == 0 && i < ranks; ++i) MPI_Send(&token, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
    say("iwrite_at_all: %d", class_of(error));
    error = MPI_Wait(&requests[0], &status);
    say("wait: %d, %d", class_of(error), count_of(&status, MPI_INT));
    MPI_File_seek(file, 60, MPI_SEEK_SET);
    MPI_File_iwrite_all(file, data + 60, 20, MPI_INT, &requests[0]);
    say("position %ld", position(file));
    MPI_File_iwrite_all(file, data + 80, 20, MPI_INT, &requests[1]);
    MPI_File_iwrite_at(file, 100, data, 1, MPI_INT, &requests[2]);
    MPI_Waitall(3, requests, statuses);
    say("waited for %d and %d", count_of(&statuses[0], MPI_INT), count_of(&statuses[1], MPI_INT));
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    error = MPI_File_iread_at_all(file, 5, back, 50, MPI_INT, &requests[0]);
    MPI_Wait(&requests[0], &status);
    say("iread_at_all: %d, %d, %08x", class_of(error), count_of(&status, MPI_INT), hash(back, sizeof back));
    MPI_File_seek(file, 3, MPI_SEEK_SET);
    error = MPI_File_iread_all(file, back, 40, MPI_INT, &requests[0]);
    int done = 0;
    while (!done) MPI_Test(&requests[0], &done, &status);
    say("iread_all: %d, %d, position %ld, %08x", class_of(error), count_of(&status, MPI_INT), position(file),
        hash(back, sizeof back));
    MPI_File_iread(file, back, 7, MPI_INT, &requests[0]);
    MPI_Wait(&requests[0], &status);
    say("iread: %d, position %ld, %08x", count_of(&status, MPI_INT), position(file), hash(back, sizeof back));
    close_it(&file);
}

static void shared_pointers(void) {
    MPI_File file = open_new("shared", MPI_MODE_RDWR);
    MPI_Status status;
    MPI_Offset at = -1;
    fill(8);
    MPI_File_set_view(file, 16, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_write_at_all(file, 10 * rank, data, 10, MPI_INT, MPI_STATUS_IGNORE);
    int error = MPI_File_write_ordered(file, data, rank + 1, MPI_INT, &status);
    MPI_File_get_position_shared(file, &at);
    say("write_ordered: %d, %d, shared %ld, own %ld", class_of(error), count_of(&status, MPI_INT), (long)at,
        position(file));
    error = MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    error = MPI_File_read_ordered(file, back, rank + 1, MPI_INT, &status);
    say("read_ordered: %d, %d, %08x", class_of(error), count_of(&status, MPI_INT), hash(back, sizeof back));
    MPI_File_write_ordered_begin(file, data + 50, 2, MPI_INT);
    error = MPI_File_write_ordered_end(file, data + 50, &status);
    say("write_ordered in two: %d, %d", class_of(error), count_of(&status, MPI_INT));
    int const same[4] = {7, 7, 7, 7};
    MPI_Barrier(MPI_COMM_WORLD);
    error = MPI_File_write_shared(file, same, 4, MPI_INT, &status);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_position_shared(file, &at);
    say("write_shared: %d, %d, shared %ld", class_of(error), count_of(&status, MPI_INT), (long)at);
    set_cyclic(file, 1, 10);
    MPI_File_write_all(file, data, 10, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_get_position_shared(file, &at);
    say("after a new view: shared %ld", (long)at);
    close_it(&file);
}

// By one rank, while the others wait.
static void write_shared_by(int writer, MPI_File file, int count) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == writer) MPI_File_write_shared(file, data + 100, count, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

// Every second block of 3 integers, for all ranks alike: shared file pointers want it so.
static void set_holed(MPI_File file, int displacement) {
    MPI_Datatype block, type;
    MPI_Type_contiguous(3, MPI_INT, &block);
    MPI_Type_create_resized(block, 0, 6 * (MPI_Aint)sizeof(int), &type);
    MPI_Type_commit(&type);
    int const error = MPI_File_set_view(file, displacement, MPI_INT, type, "native", MPI_INFO_NULL);
    MPI_Type_free(&block);
    MPI_Type_free(&type);
    say("view with holes: %d, shared %ld", class_of(error), shared_position(file));
}

// One rank behind the other, at a pointer that calls of single ranks move, too.
static void ordered_calls(void) {
    MPI_File file = open_new("ordered", MPI_MODE_RDWR);
    MPI_Status status;
    fill(15);
    MPI_File_set_size(file, 40000);  // what stands in holes is defined only where the file was before
    for (int step = 0; step < 9; ++step) {
        int const error = MPI_File_write_ordered(file, data + step, 4 * (rank + step), MPI_BYTE, &status);
        say("write_ordered: %d, %d, shared %ld", class_of(error), count_of(&status, MPI_INT), shared_position(file));
        write_shared_by(ranks - 1, file, 1);
    }
    say("shared %ld, own %ld", shared_position(file), position(file));
    MPI_File_seek_shared(file, 4, MPI_SEEK_SET);
    for (int step = 0; step < 5; ++step) {
        int const error = MPI_File_read_ordered(file, back, 3 + rank, MPI_INT, &status);
        say("read_ordered: %d, %d, %08x, shared %ld", class_of(error), count_of(&status, MPI_INT),
            hash(back, sizeof back), shared_position(file));
    }
    for (int step = 0; step < 4; ++step) {
        set_holed(file, 4 * step);
        int error = MPI_File_write_ordered(file, data + 10 * step, 5 + rank, MPI_INT, &status);
        say("through it: %d, %d, shared %ld", class_of(error), count_of(&status, MPI_INT), shared_position(file));
        error = MPI_File_write_ordered(file, data, rank % 2 == 0 ? 0 : 7, MPI_INT, &status);
        say("some have nothing: %d, %d, shared %ld", class_of(error), count_of(&status, MPI_INT),
            shared_position(file));
        MPI_File_write_at_all(file, 500 + 20 * rank, data, 20, MPI_INT, MPI_STATUS_IGNORE);
        write_shared_by(0, file, 2);
        say("shared %ld", shared_position(file));
        MPI_File_seek_shared(file, -3, MPI_SEEK_CUR);
        MPI_File_write_ordered_begin(file, data + 200, 2, MPI_INT);
        error = MPI_File_write_ordered_end(file, data + 200, &status);
        say("in two: %d, %d, shared %ld", class_of(error), count_of(&status, MPI_INT), shared_position(file));
        MPI_File_seek_shared(file, 1, MPI_SEEK_SET);
        MPI_File_read_ordered_begin(file, back, 6, MPI_INT);
        error = MPI_File_read_ordered_end(file, back, &status);
        say("read in two: %d, %d, %08x, shared %ld", class_of(error), count_of(&status, MPI_INT),
            hash(back, sizeof back), shared_position(file));
    }
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    say("plain: shared %ld", shared_position(file));
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_write_ordered(file, data, 5, MPI_BYTE, &status);
    say("plain again: shared %ld", shared_position(file));
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    say("and again: shared %ld", shared_position(file));
    close_it(&file);
}

// Views that the MPI does not get to know, as long as nobody asks it.
static void ordered_through_late_views(void) {
    MPI_File file = open_new("ordered-late", MPI_MODE_RDWR);
    MPI_Status status;
    fill(16);
    MPI_File_set_size(file, 40000);
    for (int step = 0; step < 4; ++step) {
        set_cyclic(file, 1 + step, 10);
        MPI_File_write_all(file, data, 10, MPI_INT, MPI_STATUS_IGNORE);
    }
    MPI_Datatype block, type;
    MPI_Type_contiguous(2, MPI_INT, &block);
    MPI_Type_create_resized(block, 0, 3 * (MPI_Aint)sizeof(int), &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, 8, MPI_INT, type, "native", MPI_INFO_NULL);
    MPI_Type_free(&block);
    MPI_Type_free(&type);
    for (int step = 0; step < 3; ++step) {
        int const error = MPI_File_write_ordered(file, data + 7 * step, 1 + rank, MPI_INT, &status);
        say("write_ordered: %d, %d", class_of(error), count_of(&status, MPI_INT));
    }
    say("shared %ld", shared_position(file));
    MPI_File_seek_shared(file, 2, MPI_SEEK_CUR);
    say("after seeking: shared %ld", shared_position(file));
    write_shared_by(0, file, 3);
    MPI_File_write_ordered(file, data + 90, 2, MPI_INT, &status);
    say("then: shared %ld", shared_position(file));
    close_it(&file);
}

// Open MPI's own I/O does not look at the mode of the file when there are more ranks, and gets lost.
static int refuses(void) {
#ifdef OPEN_MPI
    return ranks <= 2;
#else
    return 1;
#endif
}

static void modes(void) {
    MPI_File file = open_new("modes", MPI_MODE_RDWR);
    fill(9);
    MPI_File_write_at_all(file, 400 * rank, data, 100, MPI_INT, MPI_STATUS_IGNORE);
    close_it(&file);
    int error =
        MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL, MPI_INFO_NULL, &file);
    say("exclusive: %d", class_of(error));
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_WRONLY | MPI_MODE_APPEND, MPI_INFO_NULL, &file);
    say("append, position %ld", position(file));
    MPI_File_write_all(file, data, rank == 0 ? 10 : 0, MPI_INT, MPI_STATUS_IGNORE);
    say("position %ld", position(file));
    if (refuses()) {
        error = MPI_File_read_all(file, back, 1, MPI_INT, MPI_STATUS_IGNORE);
        say("reading what is open for writing: %d", class_of(error));
    }
    close_it(&file);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    if (refuses()) {
        error = MPI_File_write_all(file, data, 1, MPI_INT, MPI_STATUS_IGNORE);
        int const at = MPI_File_write_at_all(file, 0, data, 1, MPI_INT, MPI_STATUS_IGNORE);
        say("writing what is open for reading: %d, %d", class_of(error), class_of(at));
    }
    error = MPI_File_read_all(file, back, 20, MPI_INT, MPI_STATUS_IGNORE);
    say("reading it: %d, %08x", class_of(error), hash(back, sizeof back));
    close_it(&file);
    file = open_new("modes-excl", MPI_MODE_RDWR | MPI_MODE_EXCL | MPI_MODE_DELETE_ON_CLOSE);
    error = MPI_File_write_at_all(file, 400 * rank, data, 100, MPI_INT, MPI_STATUS_IGNORE);
    say("write_at_all: %d", class_of(error));
    close_it(&file);
}

static void atomic_mode(void) {
    MPI_File file = open_new("atomic", MPI_MODE_RDWR);
    fill(10);
    set_cyclic(file, 5, 10);
    MPI_File_write_all(file, data, 50, MPI_INT, MPI_STATUS_IGNORE);
    int error = MPI_File_set_atomicity(file, 1), flag = -1;
    MPI_File_get_atomicity(file, &flag);
    say("set_atomicity: %d, %d", class_of(error), flag);
    error = MPI_File_write_all(file, data + 50, 20, MPI_INT, MPI_STATUS_IGNORE);
    say("write_all: %d, position %ld", class_of(error), position(file));
    MPI_Barrier(MPI_COMM_WORLD);
    error = MPI_File_read_at_all(file, 0, back, 60, MPI_INT, MPI_STATUS_IGNORE);
    say("read_at_all: %d, %08x", class_of(error), hash(back, sizeof back));
    MPI_File_set_atomicity(file, 0);
    error = MPI_File_write_all(file, data + 70, 10, MPI_INT, MPI_STATUS_IGNORE);
    say("write_all: %d, position %ld", class_of(error), position(file));
    close_it(&file);
}

static void representations(void) {
    MPI_File file = open_new("representations", MPI_MODE_RDWR);
    int const number = 0x01020304;
    int error = MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL);
    say("external32: %d", class_of(error));
    if (error == MPI_SUCCESS) {
        error = MPI_File_write_at_all(file, rank, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
        say("write_at_all: %d", class_of(error));
        error = MPI_File_write_all(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
        say("write_all: %d, position %ld", class_of(error), position(file));
    }
    error = MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "unheard of", MPI_INFO_NULL);
    say("unheard of: %d", class_of(error));
    error = MPI_File_set_view(file, 100, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_write_at_all(file, rank, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    say("native again: %d", class_of(error));
    close_it(&file);
}

static int handler_calls = 0;
static void handler(MPI_File* file, int* error, ...) {
    (void)file;
    if (*error != MPI_SUCCESS) ++handler_calls;
}

static void wrong_arguments(void) {
    MPI_File file = open_new("wrong", MPI_MODE_RDWR);
    fill(11);
    MPI_Errhandler own;
    MPI_File_create_errhandler(handler, &own);
    MPI_File_set_errhandler(file, own);
    int error = MPI_File_write_all(file, data, -1, MPI_INT, MPI_STATUS_IGNORE);
    say("count -1: %d, handler called %d times", class_of(error), handler_calls);
#ifndef OPEN_MPI  // which takes both, and does something
    error = MPI_File_write_at_all(file, -4, data, 1, MPI_INT, MPI_STATUS_IGNORE);
    say("offset -4: %d, handler called %d times", class_of(error), handler_calls);
    error = MPI_File_set_view(file, -1, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    say("displacement -1: %d, handler called %d times", class_of(error), handler_calls);
#endif
    error = MPI_File_read_at_all(file, 0, back, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE);
    say("no type: %d, handler called %d times", class_of(error), handler_calls);
    error = MPI_File_set_view(file, 0, MPI_DATATYPE_NULL, MPI_INT, "native", MPI_INFO_NULL);
    say("no etype: %d, handler called %d times", class_of(error), handler_calls);
    error = MPI_File_write_at_all(file, 400 * rank, data, 100, MPI_INT, MPI_STATUS_IGNORE);
    say("all is well: %d, handler called %d times", class_of(error), handler_calls);
    MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&own);
    close_it(&file);
}

// The communicator may go as soon as the file is open; files on parts of the world, several at a time.
static void communicators(void) {
    MPI_Comm half;
    MPI_File files[2], own;
    char name[4200];
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    fill(12);
    snprintf(path, sizeof path, "%s/half%d", directory, rank % 2);
    MPI_File_open(half, path, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &files[0]);
    snprintf(name, sizeof name, "%s.too", path);
    MPI_File_open(half, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &files[1]);
    MPI_Comm_free(&half);
    int const first = MPI_File_write_at_all(files[0], 400 * (rank / 2), data, 100, MPI_INT, MPI_STATUS_IGNORE);
    int const second = MPI_File_write_at_all(files[1], 400 * (rank / 2), data, 100, MPI_INT, MPI_STATUS_IGNORE);
    say("two files: %d, %d", class_of(first), class_of(second));
    MPI_File_close(&files[0]);
    MPI_File_close(&files[1]);
    say_file("halves");
    snprintf(path, sizeof path, "%s/own%d", directory, rank);
    MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &own);
    int error = MPI_SUCCESS;
    for (int i = 0; i <= rank; ++i) error = MPI_File_write_all(own, data, 10, MPI_INT, MPI_STATUS_IGNORE);
    say("alone: %d, position %ld", class_of(error), position(own));
    MPI_File_close(&own);
    say_file("own");
}

static void sizes(void) {
    MPI_File file = open_new("sizes", MPI_MODE_RDWR);
    MPI_Offset size = -1;
    fill(13);
    MPI_File_write_at_all(file, 400 * rank, data, 100, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_size(file, &size);
    say("size %ld", (long)size);
    MPI_File_set_size(file, 100);
    MPI_File_get_size(file, &size);
    say("size %ld", (long)size);
    MPI_File_preallocate(file, 1000);
    MPI_File_get_size(file, &size);
    say("size %ld", (long)size);
    int const error = MPI_File_sync(file);
    say("sync: %d", class_of(error));
    close_it(&file);
}

#if MPI_VERSION >= 4
static void large_counts(void) {
    MPI_File file = open_new("large", MPI_MODE_RDWR);
    MPI_Status status;
    MPI_Request request;
    MPI_Count count = 100;
    fill(14);
    set_cyclic(file, 2, 50);
    int error = MPI_File_write_all_c(file, data, count, MPI_INT, &status);
    say("write_all_c: %d, %d, position %ld", class_of(error), count_of(&status, MPI_INT), position(file));
    error = MPI_File_write_at_all_c(file, 100, data + 100, count, MPI_INT, &status);
    say("write_at_all_c: %d, %d", class_of(error), count_of(&status, MPI_INT));
    MPI_File_write_all_begin_c(file, data + 200, count, MPI_INT);
    error = MPI_File_write_all_end(file, data + 200, &status);
    say("write_all_begin_c: %d, %d, position %ld", class_of(error), count_of(&status, MPI_INT), position(file));
    error = MPI_File_read_at_all_c(file, 50, back, count, MPI_INT, &status);
    say("read_at_all_c: %d, %d, %08x", class_of(error), count_of(&status, MPI_INT), hash(back, sizeof back));
    error = MPI_File_iread_at_all_c(file, 51, back, count, MPI_INT, &request);
    MPI_Wait(&request, &status);
    say("iread_at_all_c: %d, %d, %08x", class_of(error), count_of(&status, MPI_INT), hash(back, sizeof back));
    error = MPI_File_write_at_c(file, 60, data, 3, MPI_INT, &status);
    say("write_at_c: %d, %d", class_of(error), count_of(&status, MPI_INT));
    close_it(&file);
}
#endif

int main(int count, char** words) {
    begin_transcript(count, words);
    explicit_offsets();
    pointers();
    many_views();
    different_views();
    memory_types();
    split_calls();
    nonblocking_calls();
    shared_pointers();
    ordered_calls();
    ordered_through_late_views();
    modes();
    atomic_mode();
    representations();
    wrong_arguments();
    communicators();
    sizes();
#if MPI_VERSION >= 4
    large_counts();
#endif
    end_transcript();
    return 0;
}
