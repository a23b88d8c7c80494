#include "preload/native.hpp"

namespace muster::preload {

namespace {

Below& kept() {
    static Below below;
    return below;
}

}  // namespace

Below const& below() { return kept(); }
void set_below(Below const& below) { kept() = below; }

}  // namespace muster::preload
