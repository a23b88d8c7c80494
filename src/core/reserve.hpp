// Blocks of a file that are there before they are used.
#pragma once

#include "muster/extent.hpp"

namespace muster {

// Every block of the first `size` bytes, now: a full file system is an error now, and never a signal later. 0, or the error.
int reserve_blocks(int descriptor, Size size);

}  // namespace muster
