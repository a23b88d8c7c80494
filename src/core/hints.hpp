// The table of hints: names, units, meanings; reading and printing them.
#pragma once

#include <span>

#include "muster/hints.hpp"

namespace muster {

// One row of the table, for listings.
struct HintInfo {
    std::string_view name;         // "muster_window"; the environment has MUSTER_WINDOW
    std::string_view unit;         // "bytes", "ranks", "automatic|on|off", ...
    std::string_view meaning;
    std::vector<std::string_view> old_names;  // "cb_buffer_size"
    std::string default_value;
};
std::vector<HintInfo> hint_table();

// Sets one hint. Old names are understood; a name that is not ours is ignored (ok), a muster_ name that does not exist,
// or a value that makes no sense, is invalid_hint with a sentence that says what is allowed.
Status set_hint(Hints& hints, std::string_view name, std::string_view value);
Status set_hints(Hints& hints, std::span<HintPair const> pairs);
// All hints as they are now, in the table's order; and back. Used to make hints equal on all ranks.
std::vector<HintPair> list_hints(Hints const& hints);

// "4MiB", "16M", "1k", "4096" -> bytes (powers of two for k, M, G, T with or without "iB"; kB, MB, GB are powers of ten).
Result<Size> parse_size(std::string_view text);
std::string format_size(Size bytes);  // "4 MiB", "1.5 GiB", "17 B"

}  // namespace muster
