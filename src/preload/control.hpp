// Everything but reading and writing.
#pragma once

#include "preload/native.hpp"
#include "preload/open_file.hpp"

namespace muster::preload {

// What a program says when it opens a file.
struct OpenWords {
    MPI_Comm comm{MPI_COMM_NULL};
    char const* path{nullptr};
    int mode{0};
    MPI_Info info{MPI_INFO_NULL};
};

// Collective.
int open_file(OpenWords const& words, MPI_File* handle, NativeCall const& native);
// What the ranks must have in common before one of them relies on it: asked when the file is opened, or, where that can wait,
// at the first collective access, with its bytes on this rank.
void settle(OpenFile& file, Size bytes);
int close_file(MPI_File* handle, NativeCall const& native);
int set_view(OpenFile& file, ViewWords const& words, MPI_Info info, NativeCall const& native);
int set_info(OpenFile& file, MPI_Info info, NativeCall const& native);
int set_atomicity(OpenFile& file, bool atomic, NativeCall const& native);
int sync(OpenFile& file, NativeCall const& native);
int seek_shared(OpenFile& file, NativeCall const& native);
// Of size or space.
int resize(OpenFile& file, NativeCall const& native);

// Local.
int get_view(OpenFile& file, MPI_Offset* displacement, MPI_Datatype* types, char* representation);
int get_info(OpenFile& file, MPI_Info* info);
int seek(OpenFile& file, MPI_Offset offset, int whence, NativeCall const& native);
int get_position(OpenFile& file, MPI_Offset* position, NativeCall const& native);
int get_byte_offset(OpenFile& file, MPI_Offset offset, MPI_Offset* place, NativeCall const& native);
int get_position_shared(OpenFile& file, MPI_Offset* position, NativeCall const& native);

}  // namespace muster::preload
