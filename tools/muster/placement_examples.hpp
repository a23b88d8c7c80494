// The worked examples of the two papers on placement, computed here.
#pragma once

namespace muster::tool {

void print_placement_examples();

}  // namespace muster::tool
