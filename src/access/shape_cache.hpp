// Shapes that are kept with the datatypes they belong to, as an attribute: freeing the type frees its shape.
#pragma once

#include <mpi.h>

#include <optional>

#include "core/shape.hpp"

namespace muster {

std::optional<Shape> kept_shape(MPI_Datatype type);
// Does nothing when there is no room: the shape is made anew next time.
void keep_shape(MPI_Datatype type, Shape const& shape);

}  // namespace muster
