#include "preload/trial.hpp"

#include <algorithm>
#include <bit>

namespace muster::preload {

namespace {

int class_of_size(Size bytes) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes))); }
bool is_large(int size_class) { return size_class >= class_of_size(Trial::large); }

}  // namespace

bool Trial::to_mpi() {
    if (straight_ > 0) {
        --straight_;
        return true;
    }
    return !decided_ && own_calls_ == calls;
}

// Where sizes change all the time, only larger ones are worth another look.
bool Trial::is_new_size(int size_class) const {
    return size_class > size_class_ || (size_class < size_class_ && changes_ < most_changes);
}

void Trial::begin_anew(int size_class) {
    auto const changes = changes_ + 1;
    *this = {};
    changes_ = changes;
    size_class_ = size_class;
    no_longer_early();
    decided_ = is_large(size_class);
}

void Trial::try_again() {
    decided_ = mpi_is_faster_ = false;
    own_calls_ = mpi_calls_ = 0;
    own_seconds_ = mpi_seconds_ = never;
    own_since_ = 0;
    lengthen_pause();
}

void Trial::took(Summary const& summary, double seconds) {
    auto const size_class = class_of_size(summary.largest);
    if (is_new_size(size_class)) {  // the first of its kind may have had things to prepare, and does not count
        begin_anew(size_class);
    } else if (!decided_) {
        ++own_calls_;
        own_seconds_ = std::min(own_seconds_, seconds);
    } else if (mpi_is_faster_) {
        lengthen_pause();
        straight_ = pause_;
    } else if (!is_large(size_class_) && ++own_since_ == pause_) {
        try_again();
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
