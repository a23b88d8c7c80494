#include "core/fingerprint.hpp"

#include <cstring>

#include "core/processor.hpp"

namespace muster {

#if defined(__x86_64__)
#define MUSTER_EIGHT_AT_ONCE __attribute__((target("avx512f,avx512dq")))

struct EightLanes {
    using Eight = std::uint64_t __attribute__((vector_size(64)));

    // Adds what these have to the sums, or takes it off.
    template <bool off>
    MUSTER_EIGHT_AT_ONCE static void hash(Eight const& offsets, std::uint64_t key, Eight (&sums)[2]) {
        auto mixed = offsets ^ key;
        mixed = (mixed ^ mixed >> 32) * Fingerprint::first_factor;
        mixed ^= mixed >> 29;
        auto again = mixed * Fingerprint::second_factor;
        again ^= again >> 32;
        sums[0] += off ? -again : again;
        sums[1] += off ? -mixed : mixed;
    }

    // Gives how many it has added.
    MUSTER_EIGHT_AT_ONCE static std::size_t add(Fingerprint& to, std::span<Extent const> extents, Offset shift) {
        Eight sums[2] = {};
        std::size_t done = 0;
        for (; done + 8 <= extents.size(); done += 8) {
            Eight four, others;
            std::memcpy(&four, &extents[done], sizeof four);
            std::memcpy(&others, &extents[done + 4], sizeof others);
            auto const starts =
                __builtin_shufflevector(four, others, 0, 8, 2, 10, 4, 12, 6, 14) + static_cast<std::uint64_t>(shift);
            hash<false>(starts, to.key_, sums);
            hash<true>(starts + __builtin_shufflevector(four, others, 1, 9, 3, 11, 5, 13, 7, 15), to.key_, sums);
        }
        for (std::size_t lane = 0; lane < 2; ++lane) {
            for (int i = 0; i < 8; ++i) to.lanes_[lane] += sums[lane][i];
        }
        return done;
    }
};
#endif

void Fingerprint::add_all(std::span<Extent const> extents, Offset shift) {
#if defined(__x86_64__)
    if (multiplies_eight()) extents = extents.subspan(EightLanes::add(*this, extents, shift));
#endif
    for (auto const& extent : extents) add({extent.offset + shift, extent.length});
}

}  // namespace muster
