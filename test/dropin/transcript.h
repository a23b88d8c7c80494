// What the programs have in common that are run with the MPI's own I/O and with the drop-in: a transcript of what they did.
#pragma once

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { length = 600 };

static int rank, ranks;
static char path[4096];
static char const* directory;
static FILE* transcript;

static int class_of(int error) {
    int class = 0;
    MPI_Error_class(error, &class);
    return class;
}

// Collective. One line of each rank, in rank order.
static void say(char const* format, ...) {
    char line[400] = {0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    char* all = malloc(sizeof line * (size_t)ranks);
    MPI_Gather(line, sizeof line, MPI_CHAR, all, sizeof line, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < ranks; ++i) fprintf(transcript, "%d: %s\n", i, all + i * (int)sizeof line);
    free(all);
}

static unsigned hash(void const* bytes, long size) {
    unsigned value = 2166136261u;
    for (long i = 0; i < size; ++i) value = (value ^ ((unsigned char const*)bytes)[i]) * 16777619u;
    return value;
}

// Collective. What the file holds now.
static void say_file(char const* what) {
    MPI_Barrier(MPI_COMM_WORLD);
    static char bytes[1 << 20];
    long size = -1;
    FILE* file = fopen(path, "rb");
    if (file) {
        size = (long)fread(bytes, 1, sizeof bytes, file);
        fclose(file);
    }
    say("%s: %ld bytes, %08x", what, size, size < 0 ? 0 : hash(bytes, size));
}

static int count_of(MPI_Status* status, MPI_Datatype type) {
    int count = -7;
    MPI_Get_count(status, type, &count);
    return count;
}

static long position(MPI_File file) {
    MPI_Offset at = -1;
    MPI_File_get_position(file, &at);
    return (long)at;
}

// Collective.
static long shared_position(MPI_File file) {
    MPI_Offset at = -1;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_position_shared(file, &at);
    MPI_Barrier(MPI_COMM_WORLD);
    return (long)at;
}

// --- material ---

static int data[length], back[length];

static void fill(int salt) {
    for (int i = 0; i < length; ++i) data[i] = salt * 1000003 + rank * 10007 + i;
    memset(back, 0x5a, sizeof back);
}

static MPI_File open_new(char const* name, int mode) {
    MPI_File file = MPI_FILE_NULL;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) unlink(path);
    MPI_Barrier(MPI_COMM_WORLD);
    int const error = MPI_File_open(MPI_COMM_WORLD, path, mode | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    say("open %s: %d", name, class_of(error));
    return file;
}

// Every rank has every `ranks`-th block of `block` integers.
static MPI_Datatype cyclic(int block, int blocks) {
    MPI_Datatype strided, whole;
    MPI_Type_vector(blocks, block, block * ranks, MPI_INT, &strided);
    MPI_Type_create_resized(strided, 0, (MPI_Aint)sizeof(int) * block * blocks * ranks, &whole);
    MPI_Type_free(&strided);
    MPI_Type_commit(&whole);
    return whole;
}

static void set_cyclic(MPI_File file, int block, int blocks) {
    MPI_Datatype type = cyclic(block, blocks);
    int const error =
        MPI_File_set_view(file, (MPI_Offset)sizeof(int) * block * rank, MPI_INT, type, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
    say("view of blocks of %d: %d, position %ld", block, class_of(error), position(file));
}

static void close_it(MPI_File* file) {
    int const error = MPI_File_close(file);
    say("close: %d, %d", class_of(error), *file == MPI_FILE_NULL);
    say_file("then the file has");
}

// --- the beginning and the end ---

// PROGRAM DIRECTORY TRANSCRIPT [threads]
static void begin_transcript(int count, char** words) {
    int provided = 0;
    int const threads = count > 3 && strcmp(words[3], "threads") == 0;
    MPI_Init_thread(&count, &words, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    directory = words[1];
    if (rank == 0) transcript = fopen(words[2], "w");
    if (transcript) setvbuf(transcript, NULL, _IOLBF, 0);
}

static void end_transcript(void) {
    if (rank == 0) fclose(transcript);
    MPI_Finalize();
}
