// File views: which bytes of the file a program sees, taken apart once when the view is set.
#pragma once

#include <mpi.h>

#include "core/shape.hpp"
#include "muster/status.hpp"

namespace muster {

// From `displacement` on, the file is tiled with the filetype. As it stands: all bytes, counted one by one.
struct View {
    Offset displacement{0};
    Size etype_size{1};                  // bytes; offsets in the view are counted in these
    Shape filetype{Shape::block(0, 1)};  // one tile
    Size extent{1};                      // bytes from tile to tile
};

// Checks what MPI demands of a view: displacement, extent and the filetype's offsets are not negative, the offsets do
// not decrease, and the filetype has a whole number of etypes.
Result<View> make_view(Offset displacement, MPI_Datatype etype, MPI_Datatype filetype);

// `bytes` bytes of the view from its `offset`-th etype on.
Result<Stream> file_stream(View const& view, Offset offset, Size bytes);

}  // namespace muster
