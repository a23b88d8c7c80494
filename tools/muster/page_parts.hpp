// The files in page/, as they are.
#pragma once

#include <string_view>

namespace muster::tool {

std::string_view page_frame();
std::string_view page_style();
std::string_view page_code();
std::string_view page_chart();

}  // namespace muster::tool
