// What MPI demands to the letter, beyond what every program does: error handlers, rare views, modes, two handles. Run with the
// MPI's own I/O and with the drop-in, both must say the same.     letter DIRECTORY TRANSCRIPT
#include "transcript.h"

// After some views the drop-in does not hand down the next one.
static void use_up_views(MPI_File file) {
    for (int step = 1; step < 5; ++step) set_cyclic(file, step, 10);
    MPI_File_write_all(file, data, 40, MPI_INT, MPI_STATUS_IGNORE);
}

static int handler_calls = 0;
static void handler(MPI_File* file, int* error, ...) {
    (void)file;
    if (*error != MPI_SUCCESS) ++handler_calls;
}

static void say_error(char const* what, int error) {
    say("%s: %d, handler called %d times", what, class_of(error), handler_calls);
}

// Files get the handler that MPI_FILE_NULL has when they are opened.
static void inherited_handlers(void) {
    MPI_Errhandler own, found;
    MPI_File_create_errhandler(handler, &own);
    MPI_File_set_errhandler(MPI_FILE_NULL, own);
    MPI_File file = open_new("handlers", MPI_MODE_RDWR);
    say_error("count -1", MPI_File_write_all(file, data, -1, MPI_INT, MPI_STATUS_IGNORE));
    use_up_views(file);
    say_error("count -1 alone", MPI_File_write_at(file, 0, data, -1, MPI_INT, MPI_STATUS_IGNORE));
    say_error("unknown whence", MPI_File_seek(file, 0, 99));
    say_error("before the beginning", MPI_File_seek(file, -5, MPI_SEEK_SET));
    MPI_File_get_errhandler(file, &found);
    say("the handler is ours: %d", found == own);
    close_it(&file);
    say_error("nowhere", MPI_File_open(MPI_COMM_WORLD, "/nowhere/x", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    say_error("delete it", MPI_File_delete("/nowhere/x", MPI_INFO_NULL));
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&own);
    file = MPI_FILE_NULL;
    say("no file: %d", class_of(MPI_File_write_all(file, data, 1, MPI_INT, MPI_STATUS_IGNORE)));
    say("close it: %d", class_of(MPI_File_close(&file)));
}

static void say_count(char const* what, int error, MPI_Status* status) {
    say("%s: %d, %d bytes", what, class_of(error), count_of(status, MPI_BYTE));
}

static void small_facts(void) {
    MPI_File file = open_new("facts", MPI_MODE_RDWR | MPI_MODE_UNIQUE_OPEN);
    fill(30);
    use_up_views(file);
    MPI_Aint extent = -1;
    MPI_Group group;
    MPI_Status status;
    MPI_Offset place = -1;
    int mode = -1, size = -1, elements = -1;
    MPI_File_get_type_extent(file, MPI_DOUBLE, &extent);
    MPI_File_get_amode(file, &mode);
    MPI_File_get_group(file, &group);
    MPI_Group_size(group, &size);
    MPI_Group_free(&group);
    MPI_File_get_byte_offset(file, 57, &place);
    say("extent %ld, mode %d, %d ranks, byte %ld", (long)extent, mode, size, (long)place);
    memset(&status, 0x11, sizeof status);
    int const kept = status.MPI_ERROR;
    MPI_File_write_all(file, data, 3, MPI_INT, &status);
    say("the error in a status stays: %d", status.MPI_ERROR == kept);
    MPI_Datatype three, none;
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_commit(&three);
    MPI_File_read_at_all(file, 0, back, 4, MPI_INT, &status);
    MPI_Get_elements(&status, three, &elements);
    say("part of a type: undefined %d, %d elements", count_of(&status, three) == MPI_UNDEFINED, elements);
    MPI_Type_contiguous(0, MPI_INT, &none);
    MPI_Type_commit(&none);
    say_count("an empty type", MPI_File_write_all(file, data, 5, none, &status), &status);
    say_count("nothing from nowhere", MPI_File_write_all(file, NULL, 0, MPI_INT, &status), &status);
    say_count("nothing to nowhere", MPI_File_read_at_all(file, 0, NULL, 0, MPI_INT, &status), &status);
    MPI_Type_free(&three);
    MPI_Type_free(&none);
    int const cut = MPI_File_set_size(file, 100), wrong = MPI_File_set_size(file, -1);
    say("set_size: %d, %d, position %ld", class_of(cut), class_of(wrong), position(file));
    close_it(&file);
}

static void try_view(MPI_File file, char const* what, MPI_Datatype etype, MPI_Datatype filetype) {
    MPI_Offset place = -1;
    int error = MPI_File_set_view(file, 1000 + 200 * rank, etype, filetype, "native", MPI_INFO_NULL);
    say("%s: %d", what, class_of(error));
    if (error != MPI_SUCCESS) return;
    error = MPI_File_write_all(file, data, 6, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_get_byte_offset(file, 2, &place);
    say("write_all: %d, position %ld, byte %ld", class_of(error), position(file), (long)place);
}

static void rare_views(void) {
    MPI_File file = open_new("rare", MPI_MODE_RDWR);
    MPI_Datatype pair, holed, shifted;
    int const two = 2;
    MPI_Aint const eight = 8;
    fill(31);
    MPI_File_set_size(file, 10000);
    try_view(file, "half an etype", MPI_DOUBLE, MPI_INT);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, 12, &holed);
    MPI_Type_commit(&holed);
    try_view(file, "an etype with a hole", holed, holed);
    MPI_Type_create_hindexed(1, &two, &eight, MPI_INT, &shifted);
    MPI_Type_commit(&shifted);
    try_view(file, "a filetype that begins later", MPI_INT, shifted);
    MPI_Type_free(&pair);
    MPI_Type_free(&holed);
    MPI_Type_free(&shifted);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    close_it(&file);
}

// Into atomic mode and out of it, with views and pointers in all states.
static void atomic_and_back(void) {
    MPI_File file = open_new("atomic-and-back", MPI_MODE_RDWR);
    fill(32);
    MPI_File_set_size(file, 50000);
    use_up_views(file);
    for (int step = 0; step < 2; ++step) {
        MPI_File_set_atomicity(file, 1);
        MPI_File_write_all(file, data + step, 5, MPI_INT, MPI_STATUS_IGNORE);
        say("atomic: position %ld", position(file));
        set_cyclic(file, 2 + step, 7);
        MPI_File_write_all(file, data + step, 9, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_write(file, data, 2, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_set_atomicity(file, 0);
        MPI_File_write_all(file, data + step, 11, MPI_INT, MPI_STATUS_IGNORE);
        say("no longer: position %ld", position(file));
        MPI_File_sync(file);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_File_read_at_all(file, 0, back, 20, MPI_INT, MPI_STATUS_IGNORE);
        say("read_at_all: %08x", hash(back, sizeof back));
        set_cyclic(file, 5 + step, 3);
    }
    close_it(&file);
}

// The first rank has the file as it is, and the MPI's pointer, until the MPI gets the view of the others.
static void late_view(int shared) {
    MPI_File file = open_new(shared ? "late-shared" : "late-atomic", MPI_MODE_RDWR);
    fill(40);
    MPI_File_set_size(file, 40000);
    MPI_Datatype type = cyclic(1, 2000);
    MPI_File_set_view(file, rank == 0 ? 0 : 4 * rank, MPI_BYTE, rank == 0 ? MPI_BYTE : type, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
    MPI_File_seek(file, 100, MPI_SEEK_SET);
    if (rank == 0) MPI_File_write(file, data, 1, MPI_INT, MPI_STATUS_IGNORE);
    say("before: position %ld", position(file));
    int const error = shared ? MPI_File_seek_shared(file, 0, MPI_SEEK_SET) : MPI_File_set_atomicity(file, 1);
    say("the view is needed: %d, position %ld", class_of(error), position(file));
    if (rank == 0) MPI_File_write(file, data + 1, 1, MPI_INT, MPI_STATUS_IGNORE);
    say("after: position %ld", position(file));
    close_it(&file);
}

static MPI_File open_with(char const* name, char const* hint, char const* value) {
    MPI_File file;
    MPI_Info info;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    MPI_Info_create(&info);
    MPI_Info_set(info, hint, value);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE, info, &file);
    MPI_Info_free(&info);
    MPI_File_set_size(file, 40000);
    return file;
}

// The drop-in cannot open the file at its first collective access, and the MPI goes on from where it stands.
static void not_opened(void) {
    MPI_File file = open_with("not-opened", "muster_faults", "open:1:EACCES@0");
    fill(41);
    set_cyclic(file, 1, 2000);
    MPI_File_seek(file, 10, MPI_SEEK_SET);
    int error = MPI_File_write_all(file, data, 4, MPI_INT, MPI_STATUS_IGNORE);
    say("write_all: %d, position %ld", class_of(error), position(file));
    error = MPI_File_write_all(file, data + 4, 3, MPI_INT, MPI_STATUS_IGNORE);
    say("and again: %d, position %ld", class_of(error), position(file));
    close_it(&file);
}

// Wrong hints are ignored.
static void wrong_hint(char const* name) {
    MPI_File file = open_with(name, name, "junk");
    int error = MPI_SUCCESS;
    fill(42);
    set_cyclic(file, 1, 2000);
    for (int turn = 0; turn < ranks; ++turn) {
        if (turn == rank) error = MPI_File_write(file, data, 4, MPI_INT, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    say("write: %d, position %ld", class_of(error), position(file));
    error = MPI_File_write_all(file, data + 4, 3, MPI_INT, MPI_STATUS_IGNORE);
    say("write_all: %d, position %ld", class_of(error), position(file));
    close_it(&file);
}

static void split_twice(void) {
    MPI_File file = open_new("split-twice", MPI_MODE_RDWR);
    MPI_Status status;
    fill(33);
    MPI_File_set_size(file, 10000);  // what stands in holes is defined only where the file was before
    set_cyclic(file, 40, 10);
    MPI_File_write_all_begin(file, data, 100, MPI_INT);
    int const second = MPI_File_write_at_all_begin(file, 0, data, 10, MPI_INT);
    int const error = MPI_File_write_all_end(file, data, &status);
    say("split twice: %d, then %d, %d", class_of(second), class_of(error), count_of(&status, MPI_INT));
    close_it(&file);
}

// Both pointers begin at the end; sequential access is the MPI's.
static void appending(void) {
    MPI_File file = open_new("append", MPI_MODE_RDWR);
    fill(34);
    MPI_File_write_at_all(file, (MPI_Offset)40 * rank, data, 10, MPI_INT, MPI_STATUS_IGNORE);
    close_it(&file);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_APPEND, MPI_INFO_NULL, &file);
    say("append: own %ld, shared %ld", position(file), shared_position(file));
    MPI_File_write_ordered(file, data, rank + 1, MPI_INT, MPI_STATUS_IGNORE);
    say("write_ordered: own %ld, shared %ld", position(file), shared_position(file));
    MPI_File_write_all(file, data, rank == 0 ? 2 : 0, MPI_INT, MPI_STATUS_IGNORE);
    say("write_all: own %ld", position(file));
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    say("a view: own %ld, shared %ld", position(file), shared_position(file));
    close_it(&file);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &file);
    int const error = MPI_File_write_ordered(file, data, 1, MPI_INT, MPI_STATUS_IGNORE);
    say("sequential: %d", class_of(error));
    close_it(&file);
}

static void go_to(char const* place) {
    if (chdir(place) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
}

// The program goes elsewhere before its file is first used.
static void relative_name(void) {
    MPI_File file;
    fill(35);
    go_to(directory);
    MPI_File_open(MPI_COMM_WORLD, "relative", MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    MPI_Barrier(MPI_COMM_WORLD);
    go_to("/");
    set_cyclic(file, 3, 30);
    say("write_all: %d", class_of(MPI_File_write_all(file, data, 90, MPI_INT, MPI_STATUS_IGNORE)));
    snprintf(path, sizeof path, "%s/relative", directory);
    close_it(&file);
}

static void two_handles(void) {
    MPI_File file = open_new("two", MPI_MODE_RDWR), other;
    MPI_Offset size = -1;
    fill(36);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR, MPI_INFO_NULL, &other);
    set_cyclic(file, 3, 20);
    MPI_File_write_all(file, data, 60, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(other);
    MPI_File_read_at_all(other, 0, back, 60, MPI_INT, MPI_STATUS_IGNORE);
    say("by the other: %08x", hash(back, sizeof back));
    MPI_File_set_size(other, 120);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_size(file, &size);
    say("cut by the other: %ld", (long)size);
    MPI_File_close(&other);
    close_it(&file);
}

// A file stays the same when its name goes.
static void lost_name(int delete) {
    MPI_File file = open_new(delete ? "deleted" : "renamed", MPI_MODE_RDWR);
    char other[5000];
    fill(37);
    MPI_File_set_size(file, 5000);
    snprintf(other, sizeof other, "%s.elsewhere", path);
    for (int step = 0; step < 3; ++step) {
        set_cyclic(file, 2 + step, 90);
        int const together = MPI_File_write_all(file, data, 90, MPI_INT, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        if (step == 0 && rank == 0 && (delete ? unlink(path) : rename(path, other)) != 0) perror(path);
        MPI_Barrier(MPI_COMM_WORLD);
        set_cyclic(file, 3 + step, 90);
        int const alone = MPI_File_write_at(file, 100, data + step, 30, MPI_INT, MPI_STATUS_IGNORE);
        say("without its name: %d, %d", class_of(together), class_of(alone));
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_File_read_at_all(file, 0, back, 130, MPI_INT, MPI_STATUS_IGNORE);
        say("read_at_all: %08x", hash(back, sizeof back));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (!delete) strcpy(path, other);
    close_it(&file);
}

// Pointers within an etype, which only Open MPI allows, from calls of all ranks to those of one; each has its own part of the file.
static void part_of_etype(void) {
    MPI_File file = open_new("part", MPI_MODE_RDWR);
    MPI_Request request;
    MPI_Status status;
    static char large[300003];
    fill(43);
    for (int i = 0; i < (int)sizeof large; ++i) large[i] = (char)(7 * i + rank + i / 256);
    MPI_File_set_size(file, 1000000);
    MPI_File_set_view(file, (MPI_Offset)320000 * rank, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    int error = MPI_File_write_all(file, large, sizeof large, MPI_BYTE, &status);
    say("write_all: %d, %d bytes, position %ld", class_of(error), count_of(&status, MPI_BYTE), position(file));
    error = MPI_File_write(file, data, 5, MPI_BYTE, &status);
    say("write: %d, position %ld", class_of(error), position(file));
    error = MPI_File_write_all(file, large, 15002, MPI_BYTE, &status);
    say("write_all: %d, position %ld", class_of(error), position(file));
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    error = MPI_File_read_all(file, large, 299999, MPI_BYTE, &status);
    say("read_all: %d, %08x, position %ld", class_of(error), hash(large, sizeof large), position(file));
    error = MPI_File_read(file, back, 6, MPI_BYTE, &status);
    say("read: %d, %08x, position %ld", class_of(error), hash(back, sizeof back), position(file));
    error = MPI_File_read_all(file, large, 2, MPI_INT, &status);
    say("read_all: %d, %08x, position %ld", class_of(error), hash(large, sizeof large), position(file));
    error = MPI_File_iread(file, back, 3, MPI_INT, &request);
    if (error == MPI_SUCCESS) MPI_Wait(&request, &status);
    say("iread: %d, %08x, position %ld", class_of(error), hash(back, sizeof back), position(file));
    error = MPI_File_seek(file, 1, MPI_SEEK_CUR);
    say("seek: %d, position %ld", class_of(error), position(file));
    error = MPI_File_read(file, back, 1, MPI_INT, &status);
    say("read: %d, %08x, position %ld", class_of(error), hash(back, sizeof back), position(file));
    close_it(&file);
}

static void write_small_parts(MPI_File file, int times) {
    for (int i = 0; i < times; ++i) {
        int const error = MPI_File_write_all(file, data + i, 5 + rank, MPI_BYTE, MPI_STATUS_IGNORE);
        say("part %d: %d, position %ld", i, class_of(error), position(file));
    }
}

static void write_large_part(MPI_File file) {
    static char large[300003];
    for (int i = 0; i < (int)sizeof large; ++i) large[i] = (char)(5 * i + rank + i / 256);
    int const error = MPI_File_write_all(file, large, sizeof large, MPI_BYTE, MPI_STATUS_IGNORE);
    say("large part: %d, position %ld", class_of(error), position(file));
}

// The same from calls that may be the MPI's to calls that may be Muster's, and back.
static void small_parts_of_etype(void) {
    MPI_File file = open_new("small-parts", MPI_MODE_RDWR);
    fill(44);
    MPI_File_set_size(file, 1000000);
    MPI_File_set_view(file, (MPI_Offset)330000 * rank, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    write_small_parts(file, 2);
    write_large_part(file);
    write_small_parts(file, 12);
    say("seek: %d, position %ld", class_of(MPI_File_seek(file, 3, MPI_SEEK_CUR)), position(file));
    write_small_parts(file, 2);
    MPI_File_set_atomicity(file, 1);
    write_small_parts(file, 2);
    MPI_File_set_atomicity(file, 0);
    write_small_parts(file, 4);
    MPI_File_seek(file, 2, MPI_SEEK_SET);
    int const error = MPI_File_write(file, data, 3, MPI_BYTE, MPI_STATUS_IGNORE);
    say("write: %d, position %ld", class_of(error), position(file));
    write_small_parts(file, 1);
    say("seek: %d, position %ld", class_of(MPI_File_seek(file, 1, MPI_SEEK_CUR)), position(file));
    write_small_parts(file, 1);
    close_it(&file);
}

// Types that are not committed, and filetypes that go backwards or begin later.
static void odd_types(void) {
    MPI_File file = open_new("odd-types", MPI_MODE_RDWR);
    MPI_Datatype strided, backwards, shifted;
    int const two[2] = {2, 2}, places[2] = {6, 0};
    fill(38);
    MPI_File_set_size(file, 20000);
    MPI_Type_vector(3, 1, 4, MPI_INT, &strided);
    MPI_Type_indexed(2, two, places, MPI_INT, &backwards);
    MPI_Type_commit(&backwards);
    for (int step = 0; step < 2; ++step) {
        say("not committed: %d", class_of(MPI_File_write_at_all(file, 0, data, 1, strided, MPI_STATUS_IGNORE)));
        int const view = MPI_File_set_view(file, 0, MPI_INT, backwards, "native", MPI_INFO_NULL);
        say("backwards: %d", class_of(view));
#ifndef OPEN_MPI
        say("not committed: %d", class_of(MPI_File_set_view(file, 0, MPI_INT, strided, "native", MPI_INFO_NULL)));
#endif
        int const current =
            MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
        say("from where it stands: %d", class_of(current));
        use_up_views(file);
    }
    MPI_Type_create_resized(strided, 8, (MPI_Aint)40 * ranks, &shifted);
    MPI_Type_commit(&shifted);
    MPI_File_set_view(file, 40 * rank, MPI_INT, shifted, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, data, 30, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int step = 0; step < 2; ++step) {  // the second time the MPI has the view
        fill(38);
        MPI_File_read_at(file, 0, back, 30, MPI_INT, MPI_STATUS_IGNORE);
        say("a filetype that begins later holds what was written: %d", memcmp(data, back, 120) == 0);
        MPI_File_set_view(file, 40 * rank, MPI_INT, shifted, "native", MPI_INFO_NULL);
    }
    MPI_Type_free(&strided);
    MPI_Type_free(&backwards);
    MPI_Type_free(&shifted);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_set_size(file, 0);
    close_it(&file);
}

// What only MPICH does, or survives.
static void as_mpich_has_it(void) {
#ifndef OPEN_MPI
    MPI_File file = open_new("mpich", MPI_MODE_RDWR);
    MPI_Status status;
    MPI_Info info;
    MPI_Offset place = 0;
    char value[100] = "";
    int found = 0;
    fill(39);
    MPI_File_set_size(file, 4000);
    use_up_views(file);
    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_buffer_size", "8388608");
    MPI_File_set_view(file, 8, MPI_INT, MPI_INT, "native", info);
    MPI_Info_free(&info);
    MPI_File_get_info(file, &info);
    MPI_Info_get(info, "cb_buffer_size", 99, value, &found);
    MPI_Info_free(&info);
    say("a hint that came with a view: %s", value);
    MPI_File_set_size(file, 18);
    MPI_File_read(file, back, 5, MPI_INT, &status);
    say_count("alone beyond the end", MPI_SUCCESS, &status);
    say("position %ld", position(file));
    set_cyclic(file, 2, 5);
    for (int back_by = 1; back_by < 40; back_by += 9) {
        MPI_File_get_byte_offset(file, -back_by, &place);
        say("%d before the beginning: %ld", back_by, (long)place);
    }
    MPI_File_write_all_begin(file, data, 4, MPI_INT);
    int const between = MPI_File_write_at_all(file, 20, data, 4, MPI_INT, MPI_STATUS_IGNORE);
    int const ended = MPI_File_read_all_end(file, data, &status);
    say("between begin and end: %d, the other end: %d", class_of(between), class_of(ended));
    MPI_File_set_size(file, 0);
    close_it(&file);
    if (ranks < 2) return;
    MPI_Comm half, both;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 5, &both);
    say("an intercommunicator: %d", class_of(MPI_File_open(both, path, MPI_MODE_RDWR, MPI_INFO_NULL, &file)));
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
#endif
}

int main(int count, char** words) {
    begin_transcript(count, words);
    inherited_handlers();
    small_facts();
    rare_views();
    atomic_and_back();
    late_view(0);
    late_view(1);
    not_opened();
    wrong_hint("muster_window");
    wrong_hint("muster_faults");
    split_twice();
    appending();
    relative_name();
    two_handles();
    lost_name(0);
    lost_name(1);
    part_of_etype();
    small_parts_of_etype();
    odd_types();
    as_mpich_has_it();
    end_transcript();
    return 0;
}
