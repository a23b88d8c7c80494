// The view of an open file as the program has set it. The MPI below may know it or not: handing a view of a million pieces
// down to it takes a quarter of a second, and is done only when the MPI needs it.
#pragma once

#include <string>

#include "access/view.hpp"
#include "mpi/datatype.hpp"

namespace muster::preload {

// A datatype that the program may free while we still need it.
class KeptType {
public:
    KeptType() = default;
    explicit KeptType(MPI_Datatype type);
    MPI_Datatype get() const { return predefined_ ? predefined_type_ : own_.get(); }
    MPI_Datatype duplicate() const;  // for the program, which frees it unless it is predefined

private:
    bool predefined_{true};
    MPI_Datatype predefined_type_{MPI_BYTE};
    Datatype own_;
};

// As the program says it.
struct ViewWords {
    MPI_Offset displacement{0};
    MPI_Datatype etype{MPI_BYTE};
    MPI_Datatype filetype{MPI_BYTE};
    char const* representation{"native"};
};

struct FileView {
    View bytes;  // counted in bytes: the etype is left out
    Size etype_size{1};
    KeptType etype;
    KeptType filetype;
    // What the MPI has got instead: MPICH goes astray with a filetype that does not begin at 0, and 4.0 aborts where a
    // constructor for large counts had a part in a type.
    bool replaced{false};
    KeptType native_etype;
    KeptType native_filetype;
    std::string representation{"native"};

    bool plain() const;       // the file as it is: bytes from 0
    bool contiguous() const;  // all bytes from the displacement on
    bool cheap() const;       // few pieces: the MPI takes no time for it
};

// Local.
Result<FileView> make_file_view(ViewWords const& words);
// Local. Before the MPI gets it.
void find_native_types(FileView& view);

// The place in the file of a byte of the view; bytes of the view that lie before a place in the file.
Offset place_in_file(FileView const& view, Offset byte);
Size bytes_before(FileView const& view, Offset place);

}  // namespace muster::preload
