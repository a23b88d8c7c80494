// Tables on the terminal.
#pragma once

#include <string>
#include <vector>

namespace muster::tool {

using Row = std::vector<std::string>;

// Columns side by side, each as wide as its widest cell; the last one is wrapped to the width of the terminal.
std::string table_text(std::vector<Row> const& rows, std::size_t width);
std::size_t terminal_width();  // of standard output; very wide where that is no terminal

std::string with_commas(long long number);  // 1,342,177,280

}  // namespace muster::tool
