#include "access/shape_cache.hpp"

#include <mutex>
#include <new>

namespace muster {

namespace {

// Must not lock: MPI calls it from within keep_shape when a kept shape is replaced.
int delete_shape(MPI_Datatype, int, void* shape, void*) {
    delete static_cast<Shape*>(shape);
    return MPI_SUCCESS;
}

// Made once per process and never freed: it lives as long as MPI does, and no MPI call is made after that.
int shape_key() {
    static int const key = [] {
        int made = MPI_KEYVAL_INVALID;
        MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, delete_shape, &made, nullptr);
        return made;
    }();
    return key;
}

// Threads may use the same type at the same time.
std::mutex& cache_mutex() {
    static std::mutex mutex;
    return mutex;
}

}  // namespace

std::optional<Shape> kept_shape(MPI_Datatype type) {
    std::lock_guard const lock{cache_mutex()};
    void* shape = nullptr;
    int found = 0;
    MPI_Type_get_attr(type, shape_key(), &shape, &found);
    if (found == 0) return std::nullopt;
    return *static_cast<Shape const*>(shape);
}

void keep_shape(MPI_Datatype type, Shape const& shape) {
    auto* const copy = new (std::nothrow) Shape{shape};
    if (copy == nullptr) return;
    std::lock_guard const lock{cache_mutex()};
    if (MPI_Type_set_attr(type, shape_key(), copy) != MPI_SUCCESS) delete copy;
}

}  // namespace muster
