// Datatypes as shapes.
#pragma once

#include <mpi.h>

#include "core/shape.hpp"
#include "muster/status.hpp"

namespace muster {

// Where the bytes of one element of a datatype lie, in the order of its type map. Regular types stay regular. The shape
// is kept with a derived type, so that a type which is used again and again is taken apart once.
Result<Shape> shape_of(MPI_Datatype type);
// The same without looking for a kept shape or keeping it.
Result<Shape> flatten(MPI_Datatype type);

Size extent_of(MPI_Datatype type);  // bytes between two elements that follow each other
Size size_of(MPI_Datatype type);    // bytes of data

}  // namespace muster
