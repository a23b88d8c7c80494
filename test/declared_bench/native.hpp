// The MPI's own way: for each variable a view, where it is not one piece, and a collective call.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "core/shape.hpp"

namespace muster {

// What a rank has of one variable, as an MPI program would say it.
class NativeVariable {
public:
    explicit NativeVariable(Shape const& shape);
    NativeVariable(NativeVariable&& other) noexcept;
    NativeVariable& operator=(NativeVariable&&) = delete;
    ~NativeVariable();

    void write(MPI_File file, std::vector<std::byte>& data) const;
    void read(MPI_File file, std::vector<std::byte>& data) const;

private:
    // The offset at which the call begins, after the view is set where all ranks need one.
    MPI_Offset view(MPI_File file) const;

    Offset offset_{0};
    MPI_Datatype type_{MPI_DATATYPE_NULL};
    bool everywhere_one_piece_{false};  // on all ranks: then nobody sets a view
};

}  // namespace muster
