// The shared file pointer moved by single ranks, through views that the MPI below the drop-in may not have: as with the MPI's
// own I/O.     shared DIRECTORY TRANSCRIPT [threads]
#include <dirent.h>

#include "transcript.h"

static int const same[8] = {7, 7, 7, 7, 7, 7, 7, 7};

// Every second block of 3 elements, `blocks` of them in the type; for all ranks alike: shared file pointers want it so.
static void set_holed(MPI_File file, int displacement, int blocks, MPI_Datatype element) {
    MPI_Datatype type, whole;
    MPI_Aint low, extent;
    MPI_Type_get_extent(element, &low, &extent);
    MPI_Type_vector(blocks, 3, 6, element, &type);
    MPI_Type_create_resized(type, 0, 6 * blocks * extent, &whole);
    MPI_Type_commit(&whole);
    int const error = MPI_File_set_view(file, displacement, element, whole, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
    MPI_Type_free(&whole);
    say("view with holes: %d", class_of(error));
}

// After some views the drop-in does not hand down the next one.
static void use_up_views(MPI_File file, int access) {
    for (int step = 1; step < 5; ++step) {
        set_cyclic(file, step, 10);
        if (access) MPI_File_write_all(file, data, 10, MPI_INT, MPI_STATUS_IGNORE);
    }
}

// One rank after the other, in an order of its own, as many as its rank says.
static void write_in_turn(MPI_File file, int first, int nonblocking) {
    MPI_Status status;
    for (int turn = 0; turn < ranks; ++turn) {
        int error = MPI_SUCCESS;
        MPI_Barrier(MPI_COMM_WORLD);
        memset(&status, 0, sizeof status);
        if (rank == (first + turn) % ranks) {
            MPI_Request request;
            if (nonblocking) {
                error = MPI_File_iwrite_shared(file, data + 10 * turn, 2 + rank, MPI_INT, &request);
                MPI_Wait(&request, &status);
            } else {
                error = MPI_File_write_shared(file, data + 10 * turn, 2 + rank, MPI_INT, &status);
            }
            if (error == MPI_SUCCESS) error = count_of(&status, MPI_INT) == 2 + rank ? MPI_SUCCESS : MPI_ERR_OTHER;
        }
        say("write_shared: %d, shared %ld", class_of(error), shared_position(file));
    }
}

// The same by reading; also beyond the end of what was written.
static void read_in_turn(MPI_File file, int nonblocking) {
    for (int turn = 0; turn < ranks; ++turn) {
        MPI_Status status;
        MPI_Request request;
        int error = MPI_SUCCESS;
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == turn && nonblocking) {
            error = MPI_File_iread_shared(file, back, 3 + rank, MPI_INT, &request);
            MPI_Wait(&request, &status);
        } else if (rank == turn) {
            error = MPI_File_read_shared(file, back, 3 + rank, MPI_INT, &status);
        }
        say("read_shared: %d, %08x, shared %ld", class_of(error), hash(back, sizeof back), shared_position(file));
    }
}

// All at once. They write the same, so it does not matter who was first.
static void write_at_once(MPI_File file, int times) {
    int error = MPI_SUCCESS;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < times; ++i) {
        int const now = MPI_File_write_shared(file, same, 1 + (i + rank) % 4, MPI_INT, MPI_STATUS_IGNORE);
        if (now != MPI_SUCCESS) error = now;
    }
    say("all at once: %d, shared %ld", class_of(error), shared_position(file));
}

// Every number is read by one of them, whoever it is.
static void read_at_once(MPI_File file, int times) {
    long sum = 0, all = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < times; ++i) {
        int value = 0;
        MPI_File_read_shared(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
        sum += value;
    }
    MPI_Allreduce(&sum, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    say("read at once: %ld, shared %ld", all, shared_position(file));
}

static void ordered(MPI_File file) {
    MPI_Status status;
    int error = MPI_File_write_ordered(file, data + 50, 1 + rank, MPI_INT, &status);
    say("write_ordered: %d, %d, shared %ld", class_of(error), count_of(&status, MPI_INT), shared_position(file));
    MPI_File_write_ordered_begin(file, data + 60, 2, MPI_INT);
    error = MPI_File_write_ordered_end(file, data + 60, &status);
    say("in two: %d, %d, shared %ld", class_of(error), count_of(&status, MPI_INT), shared_position(file));
}

// What single ranks did, all ranks, and single ranks again.
static void in_all_ways(MPI_File file) {
    say("shared %ld", shared_position(file));
    write_in_turn(file, 1, 0);
    write_at_once(file, 5);
    ordered(file);
    write_in_turn(file, 0, 1);
    MPI_File_seek(file, 200 + 5 * rank, MPI_SEEK_SET);
    int error = MPI_File_write_all(file, data + 100, 5, MPI_INT, MPI_STATUS_IGNORE);
    say("write_all: %d, own %ld, shared %ld", class_of(error), position(file), shared_position(file));
    MPI_File_write_at_all(file, 300 + 5 * rank, data, 5, MPI_INT, MPI_STATUS_IGNORE);
    if (rank == ranks - 1) MPI_File_write_at(file, 400, data, 3, MPI_INT, MPI_STATUS_IGNORE);
    write_at_once(file, 3);
    ordered(file);
    ordered(file);
}

static void then_seek(MPI_File file) {
    int error = MPI_File_seek_shared(file, -7, MPI_SEEK_CUR);
    say("seek_shared: %d, shared %ld", class_of(error), shared_position(file));
    write_in_turn(file, ranks - 1, 0);
    ordered(file);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    read_in_turn(file, 0);
    read_in_turn(file, 1);
    read_at_once(file, 4);
}

// `views`: before; with or without access through them.
static void through_late_views(char const* name, int views, int access) {
    MPI_File file = open_new(name, MPI_MODE_RDWR);
    fill(20);
    MPI_File_set_size(file, 40000);  // what stands in holes is defined only where the file was before
    if (views) use_up_views(file, access);
    set_holed(file, 8, views ? 10 : 2000, MPI_INT);
    in_all_ways(file);
    then_seek(file);
    set_holed(file, 12, 10, MPI_INT);
    in_all_ways(file);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    say("plain: shared %ld", shared_position(file));
    close_it(&file);
}

// A new view while the counter of the old one is in use; elements of several bytes; the file is closed while a counter is.
static void new_views(void) {
    MPI_File file = open_new("new-views", MPI_MODE_RDWR);
    MPI_Datatype pair;
    fill(21);
    MPI_File_set_size(file, 40000);
    use_up_views(file, 1);
    set_holed(file, 0, 10, MPI_INT);
    write_in_turn(file, 0, 0);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    set_holed(file, 4, 2000, pair);
    say("shared %ld", shared_position(file));
    for (int turn = 0; turn < ranks; ++turn) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == turn) MPI_File_write_shared(file, data, 1 + rank, pair, MPI_STATUS_IGNORE);
        say("in pairs: shared %ld", shared_position(file));
    }
    MPI_Type_free(&pair);
    close_it(&file);
}

// Reading only, before anybody has sought.
static void reading(void) {
    MPI_File file = open_new("reading", MPI_MODE_RDWR);
    fill(22);
    MPI_File_write_at_all(file, (MPI_Offset)sizeof data * rank, data, length, MPI_INT, MPI_STATUS_IGNORE);
    close_it(&file);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    set_holed(file, 40, 2000, MPI_INT);
    read_at_once(file, 6);
    read_in_turn(file, 0);
    read_in_turn(file, 1);
    MPI_Status status;
    int const error = MPI_File_read_ordered(file, back, 4, MPI_INT, &status);
    say("read_ordered: %d, %08x, shared %ld", class_of(error), hash(back, sizeof back), shared_position(file));
    read_at_once(file, 6);
    close_it(&file);
}

// Into atomic mode and back, and wrong arguments, which leave the pointer where it is.
static void other_states(void) {
    MPI_File file = open_new("states", MPI_MODE_RDWR);
    fill(23);
    MPI_File_set_size(file, 40000);
    set_holed(file, 0, 2000, MPI_INT);
    write_in_turn(file, 0, 0);
    int error = MPI_File_write_shared(file, data, -1, MPI_INT, MPI_STATUS_IGNORE);
    say("count -1: %d, shared %ld", class_of(error), shared_position(file));
    error = MPI_File_read_shared(file, back, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE);
    say("no type: %d, shared %ld", class_of(error), shared_position(file));
    error = MPI_File_write_shared(file, data, 0, MPI_INT, MPI_STATUS_IGNORE);
    say("nothing: %d, shared %ld", class_of(error), shared_position(file));
    error = MPI_File_set_atomicity(file, 1);
    say("atomic: %d, shared %ld", class_of(error), shared_position(file));
    write_in_turn(file, 0, 0);
    MPI_File_set_atomicity(file, 0);
    ordered(file);
    write_in_turn(file, 0, 0);
    close_it(&file);
}

// Collective. Nothing is left lying about.
static void say_rest(char const* place) {
    int found = 0;
    DIR* const open = opendir(place);
    for (struct dirent* entry = open ? readdir(open) : NULL; entry; entry = readdir(open)) {
        if (strstr(entry->d_name, "muster-pointer")) ++found;
    }
    if (open) closedir(open);
    say("%d counters are left", found);
}

// The counters in shared memory, of other programs, too.
enum { most_counters = 100 };
typedef char Counters[most_counters][256];

static void list_counters(Counters names) {
    int found = 0;
    memset(names, 0, sizeof(Counters));
    DIR* const open = opendir("/dev/shm");
    for (struct dirent* entry = open ? readdir(open) : NULL; entry; entry = readdir(open)) {
        if (found == most_counters || !strstr(entry->d_name, "muster-pointer")) continue;
        snprintf(names[found++], sizeof *names, "%s", entry->d_name);
    }
    if (open) closedir(open);
}

static int has_counter(Counters names, char const* name) {
    for (int i = 0; i < most_counters; ++i) {
        if (strcmp(names[i], name) == 0) return 1;
    }
    return 0;
}

// Those that came meanwhile and stay; other programs' go soon.
static int count_stayed(Counters before, Counters meanwhile) {
    static Counters now;
    int stayed = 1;
    for (int tries = 0; tries < 50 && stayed > 0; ++tries) {
        if (tries > 0) usleep(100000);
        list_counters(now);
        stayed = 0;
        for (int i = 0; i < most_counters; ++i) {
            char const* const name = meanwhile[i];
            if (name[0] && !has_counter(before, name) && has_counter(now, name)) ++stayed;
        }
    }
    return stayed;
}

// Another representation is the MPI's, and so is the pointer from then on.
static void foreign_view(void) {
    static Counters before, meanwhile;
    list_counters(before);
    MPI_File file = open_new("foreign", MPI_MODE_RDWR);
    fill(24);
    MPI_File_set_size(file, 40000);
    set_holed(file, 0, 2000, MPI_INT);
    write_in_turn(file, 0, 0);
    int error = MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "no such thing", MPI_INFO_NULL);
    say("refused: %d, shared %ld", error != MPI_SUCCESS, shared_position(file));
    write_in_turn(file, 0, 0);
    list_counters(meanwhile);
    error = MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL);
    say("external32: %d, shared %ld", class_of(error), shared_position(file));
    close_it(&file);
    say("%d counters stay", count_stayed(before, meanwhile));
}

int main(int count, char** words) {
    begin_transcript(count, words);
    through_late_views("late", 1, 1);
    through_late_views("late-unused", 1, 0);
    through_late_views("large-view", 0, 0);
    new_views();
    reading();
    other_states();
    foreign_view();
    say_rest(directory);
    end_transcript();
    return 0;
}
