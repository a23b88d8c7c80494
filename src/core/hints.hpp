// The table of hints: names, units, meanings; reading and printing them.
#pragma once

#include <span>

#include "muster/hints.hpp"
#include "muster/report.hpp"

namespace muster {

// One row of the table, for listings.
struct HintInfo {
    std::string_view name;  // "muster_window"; the environment has MUSTER_WINDOW
    std::string unit;       // "bytes", "ranks", "automatic|on|off", ...
    std::string_view meaning;
    std::vector<std::string_view> old_names;  // "cb_buffer_size"
    std::string default_value;
};
std::vector<HintInfo> hint_table();

// A name that other libraries follow and Muster accepts without doing anything, and why.
struct WithoutEffect {
    std::string_view name;
    std::string_view reason;
};
std::span<WithoutEffect const> known_without_effect();

// What became of hints that were not taken as they stand: {"cb_nodes", "muster_aggregators=4", "an old name"},
// {"cb_nodes", "ignored", "..."}. A null pointer where nobody wants to know.
using HintNotes = std::vector<Decision>;

// Sets one hint. Old names are understood, and as MPI wants it for hints, a bad value of theirs is ignored, as is a name
// that is not ours; notes tell. A muster_ name that does not exist, or a value of one that makes no sense, is
// invalid_hint with a sentence that says what is allowed.
Status set_hint(Hints& hints, std::string_view name, std::string_view value, HintNotes* notes = nullptr);
// All or, if one is invalid, none. Where an old and a new name say the same thing, the new one counts in any order.
Status set_hints(Hints& hints, std::span<HintPair const> pairs, HintNotes* notes = nullptr);
// All hints as they are now, in the table's order; set_hints takes them back without loss.
// Used to make hints equal on all ranks.
std::vector<HintPair> list_hints(Hints const& hints);
// The same, remembered by the thread for the hints that it asked for last; until it asks for others.
std::vector<HintPair> const& listed_hints(Hints const& hints);
// Those of `values` (as list_hints gives them) that are not the default.
std::vector<HintPair> changed_hints(std::span<HintPair const> values);

// "4MiB", "16M", "1k", "4096" -> bytes (powers of two for k, M, G, T with or without "iB"; kB, MB, GB are powers of ten).
Result<Size> parse_size(std::string_view text);
MUSTER_API std::string format_size(Size bytes);  // "4 MiB", "1.5 GiB", "17 B"

}  // namespace muster
