// A datatype that frees itself.
#pragma once

#include <mpi.h>

#include <utility>

namespace muster {

// Owns one reference to a derived datatype. Predefined types must not be given to it: they cannot be freed.
class Datatype {
public:
    Datatype() = default;
    explicit Datatype(MPI_Datatype owned) : handle_{owned} {}
    Datatype(Datatype&& other) noexcept : handle_{std::exchange(other.handle_, MPI_DATATYPE_NULL)} {}
    Datatype& operator=(Datatype&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Datatype() { reset(); }

    MPI_Datatype get() const { return handle_; }
    // For MPI's constructors: MPI_Type_vector(..., type.receive()).
    MPI_Datatype* receive() {
        reset();
        return &handle_;
    }
    void reset() {
        if (handle_ != MPI_DATATYPE_NULL && !finalized()) MPI_Type_free(&handle_);
        handle_ = MPI_DATATYPE_NULL;
    }

private:
    static bool finalized() {
        int flag = 0;
        MPI_Finalized(&flag);
        return flag != 0;
    }

    MPI_Datatype handle_{MPI_DATATYPE_NULL};
};

}  // namespace muster
