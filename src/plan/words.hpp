// Small pieces of text for reasons and reports.
#pragma once

#include <string>

#include "muster/extent.hpp"

namespace muster {

// "1 rank", "4 ranks".
inline std::string counted(Size count, char const* thing) {
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

}  // namespace muster
