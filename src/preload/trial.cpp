#include "preload/trial.hpp"

#include <algorithm>
#include <bit>

namespace muster::preload {

bool Trial::to_mpi() {
    if (straight_ > 0) {
        --straight_;
        return true;
    }
    return !decided_ && own_calls_ == calls;
}

void Trial::took(Summary const& summary, double seconds) {
    auto const size_class = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(summary.largest)));
    if (size_class != size_class_) {  // the first of its kind may have had things to prepare, and does not count
        *this = {};
        size_class_ = size_class;
        decided_ = summary.largest >= large;
    } else if (!decided_) {
        ++own_calls_;
        own_seconds_ = std::min(own_seconds_, seconds);
    } else if (mpi_is_faster_) {
        pause_ = std::min(2 * pause_, longest_pause);
        straight_ = pause_;
    }
}

bool Trial::mpi_took(double seconds) {
    if (decided_) return false;
    mpi_seconds_ = std::min(mpi_seconds_, seconds);
    return ++mpi_calls_ == calls;
}

void Trial::decide(double own_seconds, double mpi_seconds) {
    decided_ = true;
    mpi_is_faster_ = mpi_seconds < own_seconds;
    straight_ = mpi_is_faster_ ? pause_ : 0;
}

}  // namespace muster::preload
