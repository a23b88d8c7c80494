// Where something was last seen, by its hash: the memory of a search for repetitions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace muster {

// A small table that forgets. Each place carries the hash's low half, so that strangers are told apart without looking
// at what lies there.
class LastPlaces {
public:
    explicit LastPlaces(std::size_t things)
        : shift_{static_cast<int>(64U - bits_for(things))}, table_(std::size_t{1} << bits_for(things), 0) {}

    // The last place of this hash; from now on it is `place` (below 2^32 - 1, else nothing is remembered).
    std::optional<std::size_t> exchange(std::uint64_t hash, std::size_t place) {
        if (place >= 0xFFFFFFFF) return {};
        auto const tag = hash << 32;
        auto const last = std::exchange(table_[hash >> shift_], tag | (place + 1));
        if ((last ^ tag) >> 32 != 0 || last << 32 == 0) return {};
        return static_cast<std::size_t>((last & 0xFFFFFFFF) - 1);
    }

private:
    static unsigned bits_for(std::size_t things) {
        return std::clamp(static_cast<unsigned>(std::bit_width(things)), 8U, 19U) - 3U;
    }

    int shift_;
    std::vector<std::uint64_t> table_;
};

}  // namespace muster
