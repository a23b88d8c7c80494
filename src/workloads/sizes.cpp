#include "workloads/sizes.hpp"

#include <cmath>

namespace muster {

namespace {

Size largest_factor(Size count, double limit) {
    auto factor = static_cast<Size>(std::llround(limit));
    while (factor > 1 && count % factor != 0) --factor;
    return std::max<Size>(factor, 1);
}

}  // namespace

Result<Size> product(std::initializer_list<Size> factors, std::string const& what) {
    Size result = 1;
    for (auto const factor : factors) {
        if (__builtin_mul_overflow(result, factor, &result)) {
            return Status{Code::invalid_argument, what + " would have more than 2^63 bytes; make it smaller"};
        }
    }
    return result;
}

std::array<Size, 3> three_factors(Size count) {
    std::array<Size, 3> best{count, 1, 1};
    auto const limit = static_cast<Size>(std::llround(std::cbrt(static_cast<double>(count))));
    for (Size third = 1; third <= limit; ++third) {
        if (count % third != 0) continue;
        auto const rest = count / third;
        auto const second = largest_factor(rest, std::sqrt(static_cast<double>(rest)));
        if (rest / second < best[0] || (rest / second == best[0] && second < best[1]))
            best = {rest / second, second, third};
    }
    return best;
}

}  // namespace muster
