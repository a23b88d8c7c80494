// How a datatype was made: its combiner and the arguments its constructor got, large counts included.
#pragma once

#include <mpi.h>

#include <vector>

#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster {

// Predefined types, named or Fortran 90 ones, have no contents and must not be freed.
bool is_predefined(MPI_Datatype type);
// Whether a constructor for large counts had a part in it. What asks MPI for its small ones is refused then.
bool has_large_counts(MPI_Datatype type);

// The constructor's arguments, in the order of MPI_Type_get_contents for small counts whatever the type was made with.
// The derived types among them are references that MPI hands out, given back when this goes.
class Contents {
public:
    static Result<Contents> of(MPI_Datatype type);
    Contents(Contents&&) = default;
    Contents& operator=(Contents&&) = delete;
    ~Contents();

    int combiner() const { return combiner_; }
    bool predefined() const;
    bool large() const { return large_; }
    Size type_count() const { return static_cast<Size>(types_.size()); }
    // The i-th count, block length, displacement in elements, or array argument.
    Size number(Size i) const {
        auto const index = static_cast<std::size_t>(i);
        return large_ ? counts_[index] : integers_[index];
    }
    // The i-th displacement, stride or extent in bytes.
    Offset place(Size i) const {
        return large_ ? counts_[static_cast<std::size_t>(first_place_ + i)] : addresses_[static_cast<std::size_t>(i)];
    }
    MPI_Datatype type(Size i) const { return types_[static_cast<std::size_t>(i)]; }

private:
    Contents() = default;
    int read_envelope(MPI_Datatype type);
    int read_arguments(MPI_Datatype type);
    void settle_large();

    int combiner_{MPI_UNDEFINED};
    bool large_{false};
    Size first_place_{0};  // large only: where the byte displacements begin among the counts
    std::vector<int> integers_;
    std::vector<MPI_Aint> addresses_;
    std::vector<MPI_Count> counts_;
    std::vector<MPI_Datatype> types_;
};

}  // namespace muster
