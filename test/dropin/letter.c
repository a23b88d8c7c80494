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

int main(int count, char** words) {
    begin_transcript(count, words);
    inherited_handlers();
    small_facts();
    rare_views();
    atomic_and_back();
    split_twice();
    appending();
    relative_name();
    two_handles();
    end_transcript();
    return 0;
}
