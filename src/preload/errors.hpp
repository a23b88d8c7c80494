// Errors in the MPI's words, told as the file's error handler wants it.
#pragma once

#include <mpi.h>

#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster::preload {

// The error class for a status.
int class_of(Status const& status);

// What MPI demands of arguments, of which this rank may have the wrong ones: MPI_SUCCESS or an error class.
struct Arguments {
    int mode{0};  // of the file
    bool write{false};
    MPI_Offset offset{0};
    MPI_Count count{0};
    MPI_Datatype type{MPI_DATATYPE_NULL};
    Size etype_size{1};
};
// What each MPI says of collective access while a split one is under way, and of a pointer that would be negative; whether it
// refuses all such access, and takes the ends for the beginnings' only; where the pointer stands when one rank has read, in one
// piece, beyond the end of the file; whether it refuses to access part of an etype.
#ifdef OPEN_MPI
inline constexpr int second_split = MPI_ERR_REQUEST;
inline constexpr int negative_place = MPI_ERR_OTHER;
inline constexpr bool strict_splits = true;
inline constexpr bool stops_at_the_end = false;
inline constexpr bool whole_etypes = false;
#else
inline constexpr int second_split = MPI_ERR_IO;
inline constexpr int negative_place = MPI_ERR_ARG;
inline constexpr bool strict_splits = false;
inline constexpr bool stops_at_the_end = true;
inline constexpr bool whole_etypes = true;
#endif
int check(Arguments const& arguments);
// Local. Whether a type may be used; not for MPI_DATATYPE_NULL.
bool is_committed(MPI_Datatype type);
Status status_of(int error_class);

// Calls the error handler of the file, as the MPI's own functions do. The error class.
int raise(MPI_File file, int error_class);

// The bytes that were moved, for MPI_Get_count and MPI_Get_elements.
void set_status(MPI_Status* status, Size bytes);

}  // namespace muster::preload
