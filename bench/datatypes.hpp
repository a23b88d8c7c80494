// Shapes as MPI datatypes: the opposite of access/datatype.hpp.
#pragma once

#include "core/shape.hpp"
#include "mpi/datatype.hpp"

namespace muster::bench {

// A committed type of the shape's bytes in its order. Strips become vectors, pieces indexed types, repeats vectors of what
// is repeated, chains structures. Shapes of less than 2 GiB.
Datatype structured_type(Shape const& shape);
// The same bytes as one indexed type of all pieces.
Datatype flat_type(Shape const& shape);
// With the extent given: the n-th element lies n times so many bytes further.
Datatype with_extent(Datatype inner, Size extent);

}  // namespace muster::bench
