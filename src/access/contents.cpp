#include "access/contents.hpp"

namespace muster {

namespace {

bool names_predefined(int combiner) {
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

}  // namespace

bool is_predefined(MPI_Datatype type) {
    int combiner = MPI_COMBINER_NAMED;
#if MPI_VERSION >= 4
    MPI_Count integers = 0, addresses = 0, counts = 0, types = 0;
    MPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner);
#else
    int integers = 0, addresses = 0, types = 0;
    MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
#endif
    return names_predefined(combiner);
}

#if MPI_VERSION >= 4
bool has_large_counts(MPI_Datatype type) {
    auto const contents = Contents::of(type);
    if (!contents || contents->predefined()) return false;
    auto found = contents->large();
    for (Size i = 0; i < contents->type_count() && !found; ++i) {
        auto const again = i > 0 && contents->type(i) == contents->type(i - 1);
        found = !again && has_large_counts(contents->type(i));
    }
    return found;
}
#else
bool has_large_counts(MPI_Datatype) { return false; }
#endif

bool Contents::predefined() const { return names_predefined(combiner_); }

Result<Contents> Contents::of(MPI_Datatype type) {
    Contents contents;
    auto error = contents.read_envelope(type);
    if (error == MPI_SUCCESS && !contents.predefined()) error = contents.read_arguments(type);
    if (error != MPI_SUCCESS) return Status{Code::invalid_argument, "MPI does not tell how this datatype was made"};
    return contents;
}

int Contents::read_envelope(MPI_Datatype type) {
#if MPI_VERSION >= 4
    MPI_Count integers = 0, addresses = 0, counts = 0, types = 0;
    auto const error = MPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner_);
    counts_.resize(static_cast<std::size_t>(counts));
#else
    int integers = 0, addresses = 0, types = 0;
    auto const error = MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner_);
#endif
    if (predefined()) return error;
    integers_.resize(static_cast<std::size_t>(integers));
    addresses_.resize(static_cast<std::size_t>(addresses));
    types_.resize(static_cast<std::size_t>(types), MPI_DATATYPE_NULL);
    return error;
}

int Contents::read_arguments(MPI_Datatype type) {
#if MPI_VERSION >= 4
    auto const size = [](auto const& list) { return static_cast<MPI_Count>(list.size()); };
    auto const error = MPI_Type_get_contents_c(type, size(integers_), size(addresses_), size(counts_), size(types_),
                                               integers_.data(), addresses_.data(), counts_.data(), types_.data());
    if (!counts_.empty()) settle_large();
    return error;
#else
    auto const size = [](auto const& list) { return static_cast<int>(list.size()); };
    return MPI_Type_get_contents(type, size(integers_), size(addresses_), size(types_), integers_.data(),
                                 addresses_.data(), types_.data());
#endif
}

// A type made with large counts keeps sizes and displacements among the counts, and few integers beside them: merge
// the integers into the counts so that the arguments stand as for small counts.
void Contents::settle_large() {
    large_ = true;
    if (combiner_ == MPI_COMBINER_HVECTOR || combiner_ == MPI_COMBINER_HINDEXED_BLOCK) first_place_ = 2;
    if (combiner_ == MPI_COMBINER_HINDEXED || combiner_ == MPI_COMBINER_STRUCT) first_place_ = 1 + counts_[0];
    auto const before = combiner_ == MPI_COMBINER_SUBARRAY ? 1 : combiner_ == MPI_COMBINER_DARRAY ? 3 : 0;
    counts_.insert(counts_.begin(), integers_.begin(), integers_.begin() + before);
    counts_.insert(counts_.end(), integers_.begin() + before, integers_.end());
}

Contents::~Contents() {
    for (auto& type : types_) {
        if (type != MPI_DATATYPE_NULL && !is_predefined(type)) MPI_Type_free(&type);
    }
}

}  // namespace muster
