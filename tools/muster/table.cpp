#include "table.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace muster::tool {

namespace {

constexpr std::size_t gap = 2;

std::vector<std::size_t> column_widths(std::vector<Row> const& rows) {
    std::vector<std::size_t> widths;
    for (auto const& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    return widths;
}

// Lines of at most `width` characters, broken at spaces.
std::vector<std::string> wrap(std::string text, std::size_t width) {
    std::vector<std::string> lines;
    while (text.size() > width) {
        auto const space = text.rfind(' ', width);
        if (space == std::string::npos || space == 0) break;
        lines.push_back(text.substr(0, space));
        text.erase(0, space + 1);
    }
    lines.push_back(std::move(text));
    return lines;
}

std::string row_text(Row const& row, std::vector<std::size_t> const& widths, std::size_t width) {
    std::string line;
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
        line += row[i] + std::string(widths[i] - row[i].size() + gap, ' ');
    }
    auto const indent = line.size();
    auto const room = std::max<std::size_t>(width > indent ? width - indent : 0, 30);
    std::string text;
    for (auto const& part : wrap(row.empty() ? "" : row.back(), room)) {
        text += (text.empty() ? line : std::string(indent, ' ')) + part;
        text.erase(text.find_last_not_of(' ') + 1);
        text += "\n";
    }
    return text;
}

}  // namespace

std::string table_text(std::vector<Row> const& rows, std::size_t width) {
    auto const widths = column_widths(rows);
    std::string text;
    for (auto const& row : rows) text += row_text(row, widths, width);
    return text;
}

std::size_t terminal_width() {
    winsize size{};
    if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 1000;
    return size.ws_col;
}

std::string with_commas(long long number) {
    auto text = std::to_string(number);
    for (auto i = static_cast<long long>(text.size()) - 3; i > (number < 0 ? 1 : 0); i -= 3) {
        text.insert(static_cast<std::size_t>(i), ",");
    }
    return text;
}

}  // namespace muster::tool
