// Reading and writing: by Muster, by the MPI, or by Muster for one rank alone.
#pragma once

#include "preload/native.hpp"
#include "preload/open_file.hpp"

namespace muster::preload {

// The arguments of any of the functions that move data.
struct DataRequest {
    MPI_Offset offset{0};
    void* buffer{nullptr};  // writing only reads from it
    MPI_Count count{0};
    MPI_Datatype type{MPI_DATATYPE_NULL};
    MPI_Status* status{MPI_STATUS_IGNORE};
    MPI_Request* request{nullptr};
};

// Collective where the function is. What the function returns to the program.
int access_data(OpenFile& file, CallName call, DataRequest const& asked, NativeCall const& native);
// Ends a split collective call.
int end_access(OpenFile& file, CallName call, MPI_Status* status, NativeCall const& native);

}  // namespace muster::preload
