// WorkloadOptions of workloads: a table says what there is, text says what is wanted.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster {

enum class OptionKind {
    number,   // at least `least`; "512", "16M", "1MiB"
    real,     // at least `least`
    word,     // one of `choices`
    numbers,  // "1,323,63", or empty
    text,
};

struct OptionInfo {
    std::string_view name;  // "grid", given as --grid
    OptionKind kind{OptionKind::number};
    std::string_view default_value;
    std::string_view meaning;
    Size least{1};
    std::vector<std::string_view> choices{};
};

using OptionPair = std::pair<std::string, std::string>;

// Values that have been checked against the table; asking for a name that is not in it is a mistake in the program.
class WorkloadOptions {
public:
    static Result<WorkloadOptions> read(std::span<OptionInfo const> table, std::span<OptionPair const> given);

    Size number(std::string_view name) const;
    double real(std::string_view name) const;
    std::vector<Size> numbers(std::string_view name) const;
    std::string const& text(std::string_view name) const;

private:
    std::map<std::string, std::string, std::less<>> values_;
};

// "a,b,c" -> a, b, c; nothing for an empty text.
std::vector<std::string> split_list(std::string_view text, char separator);

}  // namespace muster
