// The functions that are taken over, in one table: it makes the entry points that programs find, the list of the MPI's own
// functions below them, and the list of ours.
#pragma once

#include <mpi.h>

// ROW(name, (parameters), (arguments)) for MPI_File_name. `suffix` and `Count` tell the large-count forms from the others.
#define MUSTER_DATA_CALLS_AT(ROW, verb, Buffer, suffix, Count)                                                    \
    ROW(verb##_at##suffix,                                                                                        \
        (MPI_File file, MPI_Offset offset, Buffer buffer, Count count, MPI_Datatype type, MPI_Status * status),   \
        (file, offset, buffer, count, type, status))                                                              \
    ROW(verb##_at_all##suffix,                                                                                    \
        (MPI_File file, MPI_Offset offset, Buffer buffer, Count count, MPI_Datatype type, MPI_Status * status),   \
        (file, offset, buffer, count, type, status))                                                              \
    ROW(i##verb##_at##suffix,                                                                                     \
        (MPI_File file, MPI_Offset offset, Buffer buffer, Count count, MPI_Datatype type, MPI_Request * request), \
        (file, offset, buffer, count, type, request))                                                             \
    ROW(i##verb##_at_all##suffix,                                                                                 \
        (MPI_File file, MPI_Offset offset, Buffer buffer, Count count, MPI_Datatype type, MPI_Request * request), \
        (file, offset, buffer, count, type, request))                                                             \
    ROW(verb##_at_all_begin##suffix,                                                                              \
        (MPI_File file, MPI_Offset offset, Buffer buffer, Count count, MPI_Datatype type),                        \
        (file, offset, buffer, count, type))

#define MUSTER_DATA_CALLS_AT_POINTERS(ROW, verb, Buffer, suffix, Count)                                               \
    ROW(verb##suffix, (MPI_File file, Buffer buffer, Count count, MPI_Datatype type, MPI_Status * status),            \
        (file, buffer, count, type, status))                                                                          \
    ROW(verb##_all##suffix, (MPI_File file, Buffer buffer, Count count, MPI_Datatype type, MPI_Status * status),      \
        (file, buffer, count, type, status))                                                                          \
    ROW(i##verb##suffix, (MPI_File file, Buffer buffer, Count count, MPI_Datatype type, MPI_Request * request),       \
        (file, buffer, count, type, request))                                                                         \
    ROW(i##verb##_all##suffix, (MPI_File file, Buffer buffer, Count count, MPI_Datatype type, MPI_Request * request), \
        (file, buffer, count, type, request))                                                                         \
    ROW(verb##_all_begin##suffix, (MPI_File file, Buffer buffer, Count count, MPI_Datatype type),                     \
        (file, buffer, count, type))                                                                                  \
    ROW(verb##_shared##suffix, (MPI_File file, Buffer buffer, Count count, MPI_Datatype type, MPI_Status * status),   \
        (file, buffer, count, type, status))                                                                          \
    ROW(i##verb##_shared##suffix,                                                                                     \
        (MPI_File file, Buffer buffer, Count count, MPI_Datatype type, MPI_Request * request),                        \
        (file, buffer, count, type, request))                                                                         \
    ROW(verb##_ordered##suffix, (MPI_File file, Buffer buffer, Count count, MPI_Datatype type, MPI_Status * status),  \
        (file, buffer, count, type, status))                                                                          \
    ROW(verb##_ordered_begin##suffix, (MPI_File file, Buffer buffer, Count count, MPI_Datatype type),                 \
        (file, buffer, count, type))

#define MUSTER_DATA_CALLS_END(ROW, verb, Buffer)                                                        \
    ROW(verb##_at_all_end, (MPI_File file, Buffer buffer, MPI_Status * status), (file, buffer, status)) \
    ROW(verb##_all_end, (MPI_File file, Buffer buffer, MPI_Status * status), (file, buffer, status))    \
    ROW(verb##_ordered_end, (MPI_File file, Buffer buffer, MPI_Status * status), (file, buffer, status))

#define MUSTER_DATA_CALLS_OF_COUNT(ROW, suffix, Count)             \
    MUSTER_DATA_CALLS_AT(ROW, read, void*, suffix, Count)          \
    MUSTER_DATA_CALLS_AT(ROW, write, void const*, suffix, Count)   \
    MUSTER_DATA_CALLS_AT_POINTERS(ROW, read, void*, suffix, Count) \
    MUSTER_DATA_CALLS_AT_POINTERS(ROW, write, void const*, suffix, Count)

#if MPI_VERSION >= 4
#define MUSTER_LARGE_DATA_CALLS(ROW) MUSTER_DATA_CALLS_OF_COUNT(ROW, _c, MPI_Count)
#else
#define MUSTER_LARGE_DATA_CALLS(ROW)
#endif

// Every function that has data to move, and those that end what others have begun.
#define MUSTER_DATA_CALLS(ROW) MUSTER_DATA_CALLS_OF_COUNT(ROW, , int) MUSTER_LARGE_DATA_CALLS(ROW)
#define MUSTER_END_CALLS(ROW) MUSTER_DATA_CALLS_END(ROW, read, void*) MUSTER_DATA_CALLS_END(ROW, write, void const*)

// The others.
#define MUSTER_FILE_CALLS(ROW)                                                                          \
    ROW(open, (MPI_Comm comm, char const* path, int mode, MPI_Info info, MPI_File* file),               \
        (comm, path, mode, info, file))                                                                 \
    ROW(close, (MPI_File * file), (file))                                                               \
    ROW(set_view,                                                                                       \
        (MPI_File file, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,             \
         char const* representation, MPI_Info info),                                                    \
        (file, displacement, etype, filetype, representation, info))                                    \
    ROW(get_view,                                                                                       \
        (MPI_File file, MPI_Offset * displacement, MPI_Datatype * etype, MPI_Datatype * filetype,       \
         char* representation),                                                                         \
        (file, displacement, etype, filetype, representation))                                          \
    ROW(set_info, (MPI_File file, MPI_Info info), (file, info))                                         \
    ROW(get_info, (MPI_File file, MPI_Info * info), (file, info))                                       \
    ROW(seek, (MPI_File file, MPI_Offset offset, int whence), (file, offset, whence))                   \
    ROW(get_position, (MPI_File file, MPI_Offset * offset), (file, offset))                             \
    ROW(get_byte_offset, (MPI_File file, MPI_Offset offset, MPI_Offset * place), (file, offset, place)) \
    ROW(seek_shared, (MPI_File file, MPI_Offset offset, int whence), (file, offset, whence))            \
    ROW(get_position_shared, (MPI_File file, MPI_Offset * offset), (file, offset))                      \
    ROW(set_atomicity, (MPI_File file, int flag), (file, flag))                                         \
    ROW(set_size, (MPI_File file, MPI_Offset size), (file, size))                                       \
    ROW(preallocate, (MPI_File file, MPI_Offset size), (file, size))                                    \
    ROW(sync, (MPI_File file), (file))

#define MUSTER_CALLS(ROW) MUSTER_FILE_CALLS(ROW) MUSTER_DATA_CALLS(ROW) MUSTER_END_CALLS(ROW)

namespace muster {

// One pointer for each function.
struct Calls {
// NOLINTNEXTLINE(bugprone-macro-parentheses): names and parameter lists cannot have any
#define MUSTER_POINTER(name, parameters, arguments) int(*name) parameters{nullptr};
    MUSTER_CALLS(MUSTER_POINTER)
#undef MUSTER_POINTER
};

// What the entry points tell the library behind them.
struct Below {
    Calls native;     // the MPI's own, or those of a tool that stands between
    int* (*depth)();  // of this thread: above 0 the entry points pass everything on
};

// What they get for it.
struct Above {
    Calls calls;
    void (*started)();  // to be called when MPI_Init has returned
};

// The one function that the library behind the entry points shows: Above const* muster_preload(Below const*).
using Meet = Above const* (*)(Below const*);
inline constexpr char const* meeting_name = "muster_preload";

}  // namespace muster
