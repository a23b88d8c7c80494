// Rows: pieces of one length at equal distances.
#pragma once

#include "muster/extent.hpp"

namespace muster {

struct Rows {
    Extent first;
    Size count{0};
    Size stride{0};

    Size size() const { return count * first.length; }
};

}  // namespace muster
