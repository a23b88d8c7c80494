#include "core/reserve.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>

namespace muster {

// On some kernels a signal undoes what was reserved so far, and profilers send one every few milliseconds: then in steps that
// are done before the next one comes.
int reserve_blocks(int descriptor, Size size) {
    constexpr Size step = Size{256} << 10;
    auto error = posix_fallocate(descriptor, 0, size);
    if (error != EINTR) return error;
    for (Size at = 0; at < size && (error == 0 || error == EINTR);) {
        error = posix_fallocate(descriptor, at, std::min(step, size - at));
        if (error == 0) at += step;
    }
    return error;
}

}  // namespace muster
