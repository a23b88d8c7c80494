#include "preload/errors.hpp"

#include <cerrno>
#include <mutex>

namespace muster::preload {

int class_of(Status const& status) {
    switch (status.code()) {
        case Code::ok: return MPI_SUCCESS;
        case Code::invalid_argument:
        case Code::invalid_hint:
        case Code::mismatch: return MPI_ERR_ARG;
        case Code::not_found: return MPI_ERR_NO_SUCH_FILE;
        case Code::exists: return MPI_ERR_FILE_EXISTS;
        case Code::permission_denied: return MPI_ERR_ACCESS;
        case Code::no_space:
            if (status.system_error() == EFBIG) return MPI_ERR_IO;
            return status.system_error() == EDQUOT ? MPI_ERR_QUOTA : MPI_ERR_NO_SPACE;
        case Code::io: return MPI_ERR_IO;
        case Code::out_of_memory: return MPI_ERR_NO_MEM;
        case Code::unsupported: return MPI_ERR_UNSUPPORTED_OPERATION;
        case Code::internal: return MPI_ERR_INTERN;
    }
    return MPI_ERR_OTHER;
}

namespace {

bool divides(Arguments const& arguments) {
    MPI_Count size = 0;
    MPI_Type_size_x(arguments.type, &size);
    return arguments.count * size % arguments.etype_size == 0;
}

int free_own(MPI_Comm, int, void* own, void*) { return MPI_Comm_free(static_cast<MPI_Comm*>(own)); }

// A communicator of this process whose errors are returned. It goes with the attributes of self.
MPI_Comm lenient() {
    static MPI_Comm own = MPI_COMM_NULL;
    static std::once_flag made;
    std::call_once(made, [] {
        MPI_Comm_dup(MPI_COMM_SELF, &own);
        MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
        int key = MPI_KEYVAL_INVALID;
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_own, &key, nullptr);
        MPI_Comm_set_attr(MPI_COMM_SELF, key, &own);
        MPI_Comm_free_keyval(&key);
    });
    return own;
}

}  // namespace

// MPI has no function that tells; but it refuses to send such a type, also to nobody.
bool is_committed(MPI_Datatype type) {
    char nothing = 0;
    return type == MPI_BYTE || PMPI_Send(&nothing, 1, type, MPI_PROC_NULL, 0, lenient()) == MPI_SUCCESS;
}

int check(Arguments const& arguments) {
    if (arguments.write && (arguments.mode & MPI_MODE_RDONLY) != 0) return MPI_ERR_READ_ONLY;
    if (!arguments.write && (arguments.mode & MPI_MODE_WRONLY) != 0) return MPI_ERR_ACCESS;
    if (arguments.count < 0) return MPI_ERR_COUNT;
    if (arguments.type == MPI_DATATYPE_NULL || !is_committed(arguments.type)) return MPI_ERR_TYPE;
    if (arguments.offset < 0) return MPI_ERR_ARG;
    if (whole_etypes && !divides(arguments)) return MPI_ERR_IO;
    return MPI_SUCCESS;
}

Status status_of(int error_class) {
    if (error_class == MPI_SUCCESS) return {};
    return {Code::invalid_argument, "wrong arguments (MPI error class " + std::to_string(error_class) + ")"};
}

int raise(MPI_File file, int error_class) {
    PMPI_File_call_errhandler(file, error_class);
    return error_class;
}

void set_status(MPI_Status* status, Size bytes) {
    if (status == MPI_STATUS_IGNORE) return;
    MPI_Status_set_elements_x(status, MPI_BYTE, bytes);
    MPI_Status_set_cancelled(status, 0);
}

}  // namespace muster::preload
