// Muster from C: fast collective file I/O for MPI programs. This header is the manual.
//
//   #include <muster/muster.h>
//   #include <stdio.h>
//   int main(int argc, char** argv) {
//       int rank = 0;
//       double mine[1000] = {0};
//       muster_file* file = NULL;
//       MPI_Init(&argc, &argv);
//       MPI_Comm_rank(MPI_COMM_WORLD, &rank);
//       muster_error error = muster_open(MPI_COMM_WORLD, "state.bin", MUSTER_CREATE, MPI_INFO_NULL, &file);
//       if (!error) error = muster_write_at_all(file, rank * (int64_t)sizeof mine, mine, 1000, MPI_DOUBLE, NULL);
//       if (error && rank == 0) fprintf(stderr, "%s: %s\n", muster_error_name(error), muster_last_message());
//       if (file) muster_close(&file);
//       MPI_Finalize();
//       return error;
//   }
//
// Collective: calls marked so must be made by all ranks of the file's communicator, in the same order. They return the
// same error on every rank: when one rank fails, or has a wrong argument, all get its error, with its rank in the
// message, and nobody hangs. (One exception: a handle that is NULL names no file whose ranks could be told, so the call
// fails here and the others wait.) Calls marked "Local" concern this rank alone.
//
// Sizes, offsets and lengths are in bytes unless said otherwise. Memory that is handed in stays the caller's and is not
// looked at after the call. Out parameters are set when the call succeeds, and left alone when it fails; handles become
// NULL then. One thread at a time may use a file and its plans.
#pragma once

#include <mpi.h>
#include <stdint.h>

#include "muster/export.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- errors ---

// What every function returns but those that give a text.
typedef enum muster_error {
    MUSTER_OK = 0,
    MUSTER_INVALID_ARGUMENT = 1,
    MUSTER_INVALID_HINT = 2,
    MUSTER_NOT_FOUND = 3,
    MUSTER_EXISTS = 4,
    MUSTER_PERMISSION_DENIED = 5,
    MUSTER_NO_SPACE = 6,
    MUSTER_IO = 7,
    MUSTER_OUT_OF_MEMORY = 8,
    MUSTER_UNSUPPORTED = 9,
    MUSTER_MISMATCH = 10,  // ranks called different things
    MUSTER_INTERNAL = 11
} muster_error;

// Local. "no_space" and the like. Never NULL, never to be freed.
MUSTER_API char const* muster_error_name(int error);
// Local. A sentence on the last call of this thread that failed, "" if none has. Valid until the next one fails.
MUSTER_API char const* muster_last_message(void);
// Local. The errno of that call, or 0 where the system had no part in it.
MUSTER_API int muster_last_system_error(void);

// Local. Frees a text that was handed out. NULL is fine.
MUSTER_API void muster_free(void* text);

// --- opening and closing ---

typedef struct muster_file muster_file;

typedef enum muster_mode {
    MUSTER_READ = 0,      // the file must exist
    MUSTER_UPDATE = 1,    // read and write; created when missing, contents kept
    MUSTER_CREATE = 2,    // read and write; created or emptied
    MUSTER_EXCLUSIVE = 3  // read and write; an error when it exists
} muster_mode;

// Collective over `comm`, which is duplicated. `mode` is a muster_mode. Hints are the "muster_..." keys of `info` (or
// MPI_INFO_NULL), overridden by the environment (MUSTER_WINDOW for muster_window, ...); rank 0's count. The file must
// be closed by muster_close.
MUSTER_API muster_error muster_open(MPI_Comm comm, char const* path, int mode, MPI_Info info, muster_file** file);
// Collective. Before MPI_Finalize. The handle is freed and becomes NULL also when the call fails. Plans of the file
// cannot be run any more; they are still to be freed. While a rank has a declaration that is not finished, the call is refused and
// the file stays open.
MUSTER_API muster_error muster_close(muster_file** file);

// --- access through a view, as in MPI-IO ---

// Collective. The file's bytes from `displacement` on, tiled by `filetype`; offsets then count etypes in it, and the
// file pointer goes to 0. Ranks may have different views. Without a view, the file is bytes from 0. The types may be
// freed afterwards.
MUSTER_API muster_error muster_set_view(muster_file* file, int64_t displacement, MPI_Datatype etype,
                                        MPI_Datatype filetype);

// Collective. `count` elements of `type` in memory, at the file pointer, which moves on by what was asked for, whole
// etypes. `bytes` (NULL if not wanted): how many were written or read; for reads those before the end of the file. The
// others stay as they were. Types need not be committed.
MUSTER_API muster_error muster_write_all(muster_file* file, void const* buffer, int64_t count, MPI_Datatype type,
                                         int64_t* bytes);
MUSTER_API muster_error muster_read_all(muster_file* file, void* buffer, int64_t count, MPI_Datatype type,
                                        int64_t* bytes);

// Collective. The same at `offset`, in etypes. The file pointer plays no part.
MUSTER_API muster_error muster_write_at_all(muster_file* file, int64_t offset, void const* buffer, int64_t count,
                                            MPI_Datatype type, int64_t* bytes);
MUSTER_API muster_error muster_read_at_all(muster_file* file, int64_t offset, void* buffer, int64_t count,
                                           MPI_Datatype type, int64_t* bytes);

// Local. The file pointer, in etypes.
MUSTER_API muster_error muster_position(muster_file const* file, int64_t* position);
MUSTER_API muster_error muster_seek(muster_file* file, int64_t position);

// --- access by extents ---

// Contiguous bytes in the file.
typedef struct muster_extent {
    int64_t offset;
    int64_t length;
} muster_extent;

// Contiguous memory. Writing to a file only reads from it; reading from a file writes to it, const or not.
typedef struct muster_segment {
    void const* data;
    int64_t length;
} muster_segment;

// The bytes of `extents`, in the order given, go to or come from the bytes of `segments`. Any order, any number of
// either (NULL where there are none), the same total size.
typedef struct muster_pieces {
    muster_extent const* extents;
    int64_t extent_count;
    muster_segment const* segments;
    int64_t segment_count;
} muster_pieces;

// Collective. View and file pointer play no part. `bytes` as above.
MUSTER_API muster_error muster_write_extents(muster_file* file, muster_pieces const* pieces, int64_t* bytes);
MUSTER_API muster_error muster_read_extents(muster_file* file, muster_pieces const* pieces, int64_t* bytes);

// --- access by sub-array ---

// A block of a global array that lies in the file from `offset` on. The lists have one entry per dimension, in
// elements.
typedef struct muster_subarray {
    int dimensions;
    int64_t const* sizes;     // of the global array
    int64_t const* subsizes;  // of this rank's block; zeros: it has none
    int64_t const* starts;
    int64_t element_size;  // bytes
    int64_t offset;        // bytes
    int fortran_order;     // not 0: the first index varies fastest; 0: the last
} muster_subarray;

// Collective. View and file pointer play no part; the buffer holds just the block. `bytes` as above.
MUSTER_API muster_error muster_write_subarray(muster_file* file, muster_subarray const* block, void const* buffer,
                                              int64_t* bytes);
MUSTER_API muster_error muster_read_subarray(muster_file* file, muster_subarray const* block, void* buffer,
                                             int64_t* bytes);

// --- the file itself ---

// Collective. All ranks pass the same sizes.
MUSTER_API muster_error muster_size(muster_file* file, int64_t* size);
MUSTER_API muster_error muster_resize(muster_file* file, int64_t size);
MUSTER_API muster_error muster_reserve(muster_file* file,
                                       int64_t size);    // space on the storage for the first `size` bytes
MUSTER_API muster_error muster_sync(muster_file* file);  // what was written is on the storage

// --- plans: an access that is planned once to be run many times ---

typedef struct muster_plan muster_plan;

// Collective. Through the view as it is now, at `offset` in etypes. `buffer` is only looked at as the origin of
// addresses. Plans belong to the caller, who frees them, and to the file, which must be open when they run.
MUSTER_API muster_error muster_plan_write_view(muster_file* file, int64_t offset, void const* buffer, int64_t count,
                                               MPI_Datatype type, muster_plan** plan);
MUSTER_API muster_error muster_plan_read_view(muster_file* file, int64_t offset, void* buffer, int64_t count,
                                              MPI_Datatype type, muster_plan** plan);
// Collective. By extents; memory is not looked at, only addresses are.
MUSTER_API muster_error muster_plan_write_extents(muster_file* file, muster_pieces const* pieces, muster_plan** plan);
MUSTER_API muster_error muster_plan_read_extents(muster_file* file, muster_pieces const* pieces, muster_plan** plan);
// Collective. By sub-array.
MUSTER_API muster_error muster_plan_write_subarray(muster_file* file, muster_subarray const* block, muster_plan** plan);
MUSTER_API muster_error muster_plan_read_subarray(muster_file* file, muster_subarray const* block, muster_plan** plan);

// Collective. Runs a plan with a buffer of the same layout: what lay n bytes behind the buffer given when planning (of
// segments: behind the one with the lowest address) is taken n bytes behind this one. All file offsets move by `shift`
// bytes, the same on all ranks. `bytes` as above. A plan made for writing cannot read, nor the other way round.
MUSTER_API muster_error muster_plan_run_write(muster_plan* plan, void const* buffer, int64_t shift, int64_t* bytes);
MUSTER_API muster_error muster_plan_run_read(muster_plan* plan, void* buffer, int64_t shift, int64_t* bytes);

// Local. What was decided, for people. To be freed by muster_free.
MUSTER_API muster_error muster_plan_text(muster_plan const* plan, char** text);
// Local. The handle becomes NULL.
MUSTER_API muster_error muster_plan_free(muster_plan** plan);

// --- declared I/O: all accesses are told first, then their pieces come as they are ready ---

// What this rank has of one variable: extents in the order in which its bytes lie in memory, one after the other.
typedef struct muster_part {
    muster_extent const* extents;  // NULL where there are none
    int64_t extent_count;
} muster_part;

typedef struct muster_declared muster_declared;

// Collective. Every rank declares `count` parts of its own; no byte twice. The file must be left alone until
// muster_declared_finish.
MUSTER_API muster_error muster_declare_write(muster_file* file, muster_part const* parts, int64_t count,
                                             muster_declared** declared);
MUSTER_API muster_error muster_declare_read(muster_file* file, muster_part const* parts, int64_t count,
                                            muster_declared** declared);
// Local: never waits for another rank to call something. The bytes [from, from + length) of a part; a length of -1 is all
// from there on. Any order; the memory may be used again when the call returns. A byte may be put once, and taken often.
MUSTER_API muster_error muster_declared_put(muster_declared* declared, int64_t part, void const* data, int64_t from,
                                            int64_t length);
MUSTER_API muster_error muster_declared_get(muster_declared* declared, int64_t part, void* data, int64_t from,
                                            int64_t length, int64_t* bytes);
// Local. Moves on what is under way, for programs that compute for long between two pieces.
MUSTER_API muster_error muster_declared_progress(muster_declared* declared);
// Collective. What was put is in the file; what was declared and never put stays as it was. `bytes` (NULL if not wanted): what
// this rank has put or taken. The handle is freed and becomes NULL also when the call fails.
MUSTER_API muster_error muster_declared_finish(muster_declared** declared, int64_t* bytes);

// --- what the last call did, and where its time went ---

// Local. As this rank saw it: a screenful for people, or JSON whose keys are told in muster/report.hpp. To be freed by
// muster_free.
MUSTER_API muster_error muster_report_text(muster_file const* file, char** text);
MUSTER_API muster_error muster_report_json(muster_file const* file, char** json);
// Collective. The same with all ranks in it, on every rank. NULL on ranks that do not want it.
MUSTER_API muster_error muster_gathered_report_text(muster_file* file, char** text);
MUSTER_API muster_error muster_gathered_report_json(muster_file* file, char** json);

// --- hints in force ---

// Local. There are so many, numbered from 0.
MUSTER_API muster_error muster_hint_count(muster_file const* file, int* count);
// Local. One of them, as text: "muster_window", "4MiB". Valid until the file is closed, not to be freed.
MUSTER_API muster_error muster_hint(muster_file const* file, int number, char const** name, char const** value);

#ifdef __cplusplus
}
#endif
