#include "mpi/info.hpp"

#include <array>

namespace muster {

std::vector<HintPair> pairs_of(MPI_Info info) {
    std::vector<HintPair> pairs;
    if (info == MPI_INFO_NULL) return pairs;
    int count = 0;
    MPI_Info_get_nkeys(info, &count);
    for (int i = 0; i < count; ++i) {
        std::array<char, MPI_MAX_INFO_KEY + 1> key{};
        std::array<char, MPI_MAX_INFO_VAL + 1> value{};
        int found = 0;
        MPI_Info_get_nthkey(info, i, key.data());
        MPI_Info_get(info, key.data(), MPI_MAX_INFO_VAL, value.data(), &found);
        if (found != 0) pairs.emplace_back(key.data(), value.data());
    }
    return pairs;
}

}  // namespace muster
