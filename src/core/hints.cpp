#include "core/hints.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <variant>

namespace muster {

namespace {

constexpr Size any_int = std::numeric_limits<int>::max();
constexpr Size one_tebibyte = Size{1} << 40;

using Member = std::variant<Toggle Hints::*, Layout Hints::*, Placement Hints::*, RankOrder Hints::*, Kernel Hints::*,
                            int Hints::*, Size Hints::*, std::string Hints::*, std::vector<Rank> Hints::*>;

struct Range {
    Size lowest{0};
    Size highest{any_int};
};

struct Row {
    std::string_view name;
    Member member;
    std::string_view unit;  // where words are allowed, the words say it
    std::string_view meaning;
    Range range{};
};

constexpr Range sizes{0, one_tebibyte};
constexpr Range sizes_but_zero{1, one_tebibyte};
constexpr Range window_counts{1, 1024};

constexpr std::array table{
    Row{"muster_collective_write", &Hints::collective_write, "",
        "Exchange data between ranks before writing: large writes for many small messages; off stores every piece as it "
        "comes, as does on where nearly all rounds would be empty."},
    Row{"muster_collective_read", &Hints::collective_read, "",
        "Read through aggregators: large reads for many small messages; off reads every piece where it is "
        "wanted, as does on where nearly all rounds would be empty."},
    Row{"muster_aggregators", &Hints::aggregators, "ranks",
        "How many ranks touch the file: more use more of the file system, fewer write larger parts; 0 lets the plan "
        "choose."},
    Row{"muster_aggregators_per_node", &Hints::aggregators_per_node, "ranks",
        "The most aggregators on a node: more use more of its network and cores, but share its memory; 0 lets the plan "
        "choose."},
    Row{"muster_placement", &Hints::placement, "",
        "Where aggregators sit: spread evenly over each node, round-robin over the nodes, a given list; or near their data, "
        "by locality, topology (hops in the network) or memory (speed of tiers), for one more message when planning."},
    Row{"muster_aggregator_list", &Hints::aggregator_list, "ranks, as in 0,4,8",
        "The aggregators in the order of their file domains, for placement list: full control, but bound to one machine."},
    Row{"muster_machine", &Hints::machine, "a machine, as in network tree 20 x 4, or @ and a file",
        "What the machine is like: network, memory tiers, the way to the storage; overrides what is found out."},
    Row{"muster_fabric_seconds", &Hints::fabric_seconds, "seconds",
        "How long one rank of a job on several nodes may walk an InfiniBand network, once, to learn distances; 0 does not, and takes "
        "SLURM's topology.conf or equal distances."},
    Row{"muster_ranks_per_node", &Hints::ranks_per_node, "ranks",
        "Treat every so many ranks as a node, to try a layout or to split large nodes; 0 takes the nodes as MPI finds "
        "them."},
    Row{"muster_numa_nodes", &Hints::numa_nodes, "",
        "Treat every NUMA domain as a node: ranks gather in near memory first, for which they must be bound; automatic is "
        "off."},
    Row{"muster_shared_memory", &Hints::shared_memory, "",
        "Ranks of one node hand over through shared memory: several times faster than messages, which off enforces."},
    Row{"muster_local_aggregators", &Hints::local_aggregators, "ranks",
        "How many ranks of a node gather its data before it leaves: fewer send fewer messages, more share the copying; 0 "
        "lets the plan choose."},
    Row{"muster_node_memory", &Hints::node_memory, "bytes",
        "Shared memory of a node in which ranks hand over to their local aggregators: with less, a round goes in several "
        "waves."},
    Row{"muster_layout", &Hints::layout, "",
        "How the file is divided among aggregators: striped keeps each on its own storage targets, contiguous gives each "
        "one piece and fewer partners."},
    Row{"muster_stripe_size", &Hints::stripe_size, "bytes",
        "Where file domains may be cut: the file system's own unit avoids shared locks; 0 asks the file system.",
        sizes},
    Row{"muster_stripe_count", &Hints::stripe_count, "storage targets",
        "Over how many targets the file is striped: more give bandwidth, fewer give less overhead; 0 asks the file "
        "system."},
    Row{"muster_window", &Hints::window, "bytes",
        "What an aggregator stores at once: larger windows need fewer rounds and more memory; 0 lets the plan choose.",
        sizes},
    Row{"muster_windows", &Hints::windows, "windows",
        "Windows in flight per aggregator: with two or more, one is exchanged while another is stored, at the price of "
        "their memory.",
        window_counts},
    Row{"muster_tier", &Hints::tier, "a tier of the machine, as in SSD",
        "What kind of memory windows lie in: a slower one leaves the faster to the program; when it is full, the next is used."},
    Row{"muster_subfiles", &Hints::subfiles, "off, node, nodes:K, aggregator, or a number",
        "Keep a new file as pieces, one for each node, every K nodes or aggregator: no shared file to lock, but 'muster join' for "
        "other programs."},
    Row{"muster_subfile_unit", &Hints::subfile_unit, "bytes",
        "What goes to one piece before the next gets some: larger suits large windows, smaller spreads small files.",
        sizes_but_zero},
    Row{"muster_subfile_directory", &Hints::subfile_directory, "a directory, or tier, or tier:NAME",
        "Where pieces lie: a directory of the node, or of a persistent tier of the machine, is fast, but only its own ranks "
        "reach them; empty is beside the file."},
    Row{"muster_subfile_checksums", &Hints::subfile_checksums, "",
        "Checksums of the pieces when the file is closed: damage is found later, at the price of reading them once."},
    Row{"muster_metadata_kernel", &Hints::metadata_kernel, "",
        "Order of the messages that tell aggregators what comes: balanced avoids crowds at one receiver, ascending has "
        "the least overhead."},
    Row{"muster_data_kernel", &Hints::data_kernel, "",
        "Order of the messages with data: balanced avoids crowds at one receiver, ascending has the least overhead."},
    Row{"muster_rank_order", &Hints::rank_order, "",
        "How the balanced kernel deals ranks to aggregators: round-robin over the nodes spreads its load over the network, "
        "plain keeps neighbours together, list takes a given order."},
    Row{"muster_rank_list", &Hints::rank_list, "ranks, as in 0,4,1,5",
        "The ranks as they are dealt, for rank order list; those not named follow in their order."},
    Row{"muster_throttle", &Hints::throttle, "messages",
        "Messages in flight per rank: a bound keeps the network from congestion, a low one leaves it idle; 0 is no "
        "bound."},
    Row{"muster_throttle_inside", &Hints::throttle_inside, "messages",
        "Messages in flight between ranks of one node, counted apart: they do not load the network; 0 makes no "
        "difference."},
    Row{"muster_metadata_memory", &Hints::metadata_memory, "bytes",
        "Coded extent lists an aggregator holds at once: less memory means telling them in more steps.",
        sizes_but_zero},
    Row{"muster_direct_write", &Hints::direct_write, "bytes",
        "Pieces of this size and more (unless set, from 512KiB on where a node's ranks have many) are written where they "
        "are: saves the exchange, but shares file locks; 0 never does unless nearly all rounds would be empty.",
        sizes},
    Row{"muster_direct_read", &Hints::direct_read, "bytes",
        "Pieces of this size and more are read where they are wanted: saves the exchange, but asks more of the file "
        "system; 0 never does unless nearly all rounds would be empty.",
        sizes},
    Row{"muster_hole_writes", &Hints::hole_writes, "writes",
        "Separate writes for a window with holes; beyond, the window is read, changed and written as a whole, which is "
        "fewer calls but more bytes and a lock. 2147483647: never, and that is what a rank does by itself unless it is "
        "told otherwise."},
    Row{"muster_file_lock", &Hints::file_lock, "",
        "Lock what is read, changed and written back: nothing is lost that others write there through Muster, where the "
        "file system belongs to one machine; off is faster if nobody does."},
    Row{"muster_watchdog", &Hints::watchdog, "seconds",
        "Say on standard error which ranks are late after so long: helps to find a hang; 0 never does."},
    Row{"muster_faults", &Hints::faults, "faults, as in write:3:ENOSPC@2",
        "File errors to bring about on purpose, for tests of error handling only."},
};

// Values of the enumerations, in their order.
constexpr std::array<std::string_view, 3> toggles{"automatic", "on", "off"};
constexpr std::array<std::string_view, 3> layouts{"automatic", "striped", "contiguous"};
constexpr std::array<std::string_view, 7> placements{"automatic", "spread",   "round-robin", "list",
                                                     "locality",  "topology", "memory"};
constexpr std::array<std::string_view, 4> rank_orders{"automatic", "plain", "round-robin", "list"};
constexpr std::array<std::string_view, 7> kernels{"automatic", "ascending", "ascending-sync", "spread-out",
                                                  "balanced",  "pairwise",  "alltoallw"};

using Words = std::span<std::string_view const>;
Words words_of(Toggle) { return toggles; }
Words words_of(Layout) { return layouts; }
Words words_of(Placement) { return placements; }
Words words_of(RankOrder) { return rank_orders; }
Words words_of(Kernel) { return kernels; }

template <class T>
concept Enumeration = std::is_enum_v<T>;

std::string joined(Words words, std::string_view separator) {
    std::string text;
    for (auto const& word : words) text.append(text.empty() ? "" : separator).append(word);
    return text;
}

// --- values to text ---

std::string exact_size(Size bytes) {
    constexpr std::array<std::string_view, 5> units{"", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    while (bytes != 0 && bytes % 1024 == 0 && unit + 1 < units.size()) {
        bytes /= 1024;
        ++unit;
    }
    return std::to_string(bytes).append(units[unit]);
}

template <Enumeration E>
std::string to_text(E value) {
    return std::string{words_of(value)[static_cast<std::size_t>(value)]};
}
std::string to_text(int value) { return std::to_string(value); }
std::string to_text(Size value) { return exact_size(value); }
std::string to_text(std::string const& value) { return value; }
std::string to_text(std::vector<Rank> const& ranks) {
    std::string text;
    for (auto const rank : ranks) text.append(text.empty() ? "" : ",").append(std::to_string(rank));
    return text;
}

// --- text to values: nothing where it makes no sense ---

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    auto const first = text.find_first_not_of(blanks);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string lower_case(std::string_view text) {
    std::string lower{text};
    for (auto& letter : lower) {
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    }
    return lower;
}

std::optional<Size> parse_number(std::string_view text) {
    Size value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return value;
}

bool inside(Size value, Range const& range) { return range.lowest <= value && value <= range.highest; }

template <Enumeration E>
bool from_text(std::string_view text, Range const&, E& value) {
    auto const words = words_of(value);
    auto const found = std::find(words.begin(), words.end(), lower_case(trimmed(text)));
    if (found == words.end()) return false;
    value = static_cast<E>(found - words.begin());
    return true;
}

bool from_text(std::string_view text, Range const& range, int& value) {
    auto const number = parse_number(trimmed(text));
    if (!number || !inside(*number, range)) return false;
    value = static_cast<int>(*number);
    return true;
}

bool from_text(std::string_view text, Range const& range, Size& value) {
    auto const size = parse_size(text);
    if (!size || !inside(*size, range)) return false;
    value = *size;
    return true;
}

bool from_text(std::string_view text, Range const&, std::string& value) {
    value = text;
    return true;
}

bool from_text(std::string_view text, Range const& range, std::vector<Rank>& value) {
    std::vector<Rank> ranks;
    while (!text.empty()) {
        auto const comma = std::min(text.find(','), text.size());
        Rank rank = 0;
        if (!from_text(text.substr(0, comma), range, rank)) return false;
        if (std::find(ranks.begin(), ranks.end(), rank) != ranks.end()) return false;
        ranks.push_back(rank);
        if (comma + 1 == text.size()) return false;  // nothing after the last comma
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    value = std::move(ranks);
    return true;
}

// --- rows ---

bool assign(Hints& hints, Row const& row, std::string_view text) {
    return std::visit([&](auto member) { return from_text(text, row.range, hints.*member); }, row.member);
}

std::string value_of(Hints const& hints, Row const& row) {
    return std::visit([&](auto member) { return to_text(hints.*member); }, row.member);
}

struct Describe {
    Row const& row;

    template <Enumeration E>
    std::string operator()(E Hints::*) const {
        return "one of " + joined(words_of(E{}), ", ");
    }
    std::string operator()(int Hints::*) const {
        auto const limit = row.range.highest == any_int ? " or more" : " to " + std::to_string(row.range.highest);
        return "a whole number of " + std::string{row.unit} + ", " + std::to_string(row.range.lowest) + limit;
    }
    std::string operator()(Size Hints::*) const {
        return "a size such as 4194304, 64k or 4MiB, from " + exact_size(row.range.lowest) + " to " +
               exact_size(row.range.highest);
    }
    std::string operator()(std::vector<Rank> Hints::*) const { return "different ranks with commas, such as 0,4,8"; }
    std::string operator()(std::string Hints::*) const { return std::string{row.unit}; }
};

std::string allowed(Row const& row) { return std::visit(Describe{row}, row.member); }

struct Unit {
    std::string_view plain;

    template <Enumeration E>
    std::string operator()(E Hints::*) const {
        return joined(words_of(E{}), "|");
    }
    template <class Value>
    std::string operator()(Value Hints::*) const {
        return std::string{plain};
    }
};

Row const* find_row(std::string_view name) {
    auto const row = std::find_if(table.begin(), table.end(), [&](Row const& each) { return each.name == name; });
    return row == table.end() ? nullptr : &*row;
}

// --- names that do not exist ---

// Levenshtein's distance, one row of its matrix at a time.
std::size_t edits_between(std::string_view left, std::string_view right) {
    std::vector<std::size_t> edits(right.size() + 1);
    std::iota(edits.begin(), edits.end(), std::size_t{0});
    for (std::size_t i = 0; i < left.size(); ++i) {
        auto diagonal = std::exchange(edits[0], i + 1);
        for (std::size_t j = 0; j < right.size(); ++j) {
            auto const replace = diagonal + (left[i] == right[j] ? 0 : 1);
            diagonal = edits[j + 1];
            edits[j + 1] = std::min({replace, edits[j] + 1, diagonal + 1});
        }
    }
    return edits.back();
}

std::string_view nearest_name(std::string_view name) {
    auto const nearer = [&](Row const& left, Row const& right) {
        return edits_between(left.name, name) < edits_between(right.name, name);
    };
    return std::min_element(table.begin(), table.end(), nearer)->name;
}

// --- old names ---

// What an old name's value means for the new one: text for it, nothing to change, or nonsense.
struct Meaning {
    enum class Kind { value, unchanged, nonsense };
    Kind kind;
    std::string value{};
};

Meaning nonsense() { return {Meaning::Kind::nonsense}; }
Meaning unchanged() { return {Meaning::Kind::unchanged}; }
Meaning means(std::string_view value) { return {Meaning::Kind::value, std::string{value}}; }

// Zero stands for "choose" with us only.
Meaning positive(std::string_view value) {
    auto const size = parse_size(value);
    return size && *size > 0 ? means(value) : nonsense();
}

Meaning toggle(std::string_view value) {
    auto const word = lower_case(value);
    if (word == "enable" || word == "true") return means("on");
    if (word == "disable" || word == "false") return means("off");
    return word == "automatic" ? means(word) : nonsense();
}

// Data sieving: without it, a window with holes is never read, changed and written back.
Meaning sieving(std::string_view value) {
    auto const word = lower_case(value);
    if (word == "disable") return means(std::to_string(any_int));
    return word == "enable" || word == "automatic" ? unchanged() : nonsense();
}

// "*:2" is two per node, "*" one, "*:*" all; lists of host names are not understood.
Meaning per_node(std::string_view value) {
    if (value == "*") return means("1");
    if (value == "*:*") return means(std::to_string(any_int));
    return value.starts_with("*:") ? positive(value.substr(2)) : nonsense();
}

struct OldName {
    std::string_view name;
    std::string_view now;
    Meaning (*meaning)(std::string_view value);
};

constexpr std::array old_names{
    OldName{"cb_nodes", "muster_aggregators", positive},
    OldName{"cb_config_list", "muster_aggregators_per_node", per_node},
    OldName{"cb_buffer_size", "muster_window", positive},
    OldName{"striping_unit", "muster_stripe_size", positive},
    OldName{"striping_factor", "muster_stripe_count", positive},
    OldName{"collective_buffering", "muster_collective_write", toggle},
    OldName{"collective_buffering", "muster_collective_read", toggle},
    OldName{"romio_cb_write", "muster_collective_write", toggle},
    OldName{"romio_cb_read", "muster_collective_read", toggle},
    OldName{"romio_ds_write", "muster_hole_writes", sieving},
};

constexpr std::array without_effect{
    WithoutEffect{"romio_no_indep_rw", "only ranks that touch the file open it anyway"},
    WithoutEffect{"romio_ds_read", "reads of windows with holes are always joined"},
    WithoutEffect{"romio_lustre_co_ratio", "muster_aggregators says how many ranks touch the file"},
    WithoutEffect{"romio_min_fdomain_size", "file domains are cut on stripes or blocks"},
    WithoutEffect{"start_iodevice", "the file system chooses its first storage target"},
    WithoutEffect{"ind_rd_buffer_size", "there is no buffer for independent reads"},
    WithoutEffect{"ind_wr_buffer_size", "there is no buffer for independent writes"},
};

void note(HintNotes* notes, std::string_view subject, std::string_view choice, std::string reason) {
    if (notes) notes->push_back({std::string{subject}, std::string{choice}, std::move(reason)});
}

void apply_old_name(Hints& hints, OldName const& old, std::string_view value, HintNotes* notes) {
    auto const meaning = old.meaning(trimmed(value));
    auto const& row = *find_row(old.now);
    if (meaning.kind == Meaning::Kind::unchanged) {
        note(notes, old.name, "unchanged", "it asks for what is done anyway");
    } else if (meaning.kind == Meaning::Kind::nonsense || !assign(hints, row, meaning.value)) {
        note(notes, old.name, "ignored", "'" + std::string{value} + "' is not understood; see " + std::string{old.now});
    } else {
        note(notes, old.name, std::string{old.now} + "=" + value_of(hints, row), "an old name");
    }
}

// A name without our prefix that is not an old name either.
void note_stranger(std::string_view name, HintNotes* notes) {
    auto const has_name = [&](WithoutEffect const& each) { return each.name == name; };
    auto const found = std::find_if(without_effect.begin(), without_effect.end(), has_name);
    if (found == without_effect.end()) return note(notes, name, "ignored", "not a hint that Muster knows");
    note(notes, name, "no effect", std::string{found->reason});
}

// A name without our prefix: whatever it is, it is no error. `beside` are the hints given with it.
void set_foreign(Hints& hints, HintPair const& pair, HintNotes* notes, std::span<HintPair const> beside) {
    bool known = false;
    for (auto const& old : old_names) {
        if (old.name != pair.first) continue;
        known = true;
        auto const replaces = [&](HintPair const& other) { return other.first == old.now; };
        if (std::any_of(beside.begin(), beside.end(), replaces)) {
            note(notes, old.name, "ignored", std::string{old.now} + " is given as well");
        } else {
            apply_old_name(hints, old, pair.second, notes);
        }
    }
    if (!known) note_stranger(pair.first, notes);
}

bool is_ours(std::string_view name) { return name.starts_with("muster_"); }

Status set_ours(Hints& hints, std::string_view name, std::string_view value) {
    auto const* row = find_row(name);
    if (!row) {
        return {Code::invalid_hint,
                "there is no hint " + std::string{name} + "; the nearest is " + std::string{nearest_name(name)}};
    }
    if (assign(hints, *row, value)) return {};
    return {Code::invalid_hint,
            std::string{name} + " cannot be '" + std::string{value} + "': allowed is " + allowed(*row)};
}

}  // namespace

std::vector<HintInfo> hint_table() {
    std::vector<HintInfo> rows;
    for (auto const& row : table) {
        HintInfo info{row.name, std::visit(Unit{row.unit}, row.member), row.meaning, {}, value_of(Hints{}, row)};
        for (auto const& old : old_names) {
            if (old.now == row.name) info.old_names.push_back(old.name);
        }
        rows.push_back(std::move(info));
    }
    return rows;
}

std::span<WithoutEffect const> known_without_effect() { return without_effect; }

Status set_hint(Hints& hints, std::string_view name, std::string_view value, HintNotes* notes) {
    if (is_ours(name)) return set_ours(hints, name, value);
    set_foreign(hints, {std::string{name}, std::string{value}}, notes, {});
    return {};
}

Status set_hints(Hints& hints, std::span<HintPair const> pairs, HintNotes* notes) {
    auto wanted = hints;
    for (auto const& pair : pairs) {
        if (!is_ours(pair.first)) set_foreign(wanted, pair, notes, pairs);
    }
    for (auto const& [name, value] : pairs) {
        if (!is_ours(name)) continue;
        if (auto status = set_ours(wanted, name, value); !status.ok()) return status;
    }
    hints = std::move(wanted);
    return {};
}

std::vector<HintPair> list_hints(Hints const& hints) {
    std::vector<HintPair> pairs;
    for (auto const& row : table) pairs.emplace_back(row.name, value_of(hints, row));
    return pairs;
}

std::vector<HintPair> const& listed_hints(Hints const& hints) {
    struct Known {
        Hints hints;
        std::vector<HintPair> list;
    };
    thread_local std::array<Known, 2> known;  // as given, and as a file needs them
    if (known[0].hints != hints || known[0].list.empty()) std::swap(known[0], known[1]);
    if (known[0].hints != hints || known[0].list.empty()) known[0] = {hints, list_hints(hints)};
    return known[0].list;
}

std::vector<HintPair> changed_hints(std::span<HintPair const> values) {
    static auto const defaults = list_hints({});
    std::vector<HintPair> changed;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i < defaults.size() && values[i] == defaults[i]) continue;  // in the order of list_hints, as a rule
        if (std::find(defaults.begin(), defaults.end(), values[i]) == defaults.end()) changed.push_back(values[i]);
    }
    return changed;
}

namespace {

// Bytes of a unit, 0 for what is none.
Size unit_size(std::string_view unit) {
    if (unit.empty() || unit == "b") return 1;
    constexpr std::string_view letters = "kmgt";
    auto const power = letters.find(unit[0]);
    if (power == letters.npos) return 0;
    auto const rest = unit.substr(1);
    if (!rest.empty() && rest != "ib" && rest != "b") return 0;
    Size size = 1;
    for (std::size_t i = 0; i <= power; ++i) size *= rest == "b" ? 1000 : 1024;
    return size;
}

}  // namespace

Result<Size> parse_size(std::string_view text) {
    auto const size = trimmed(text);
    auto const digits = std::min(size.find_first_not_of("0123456789"), size.size());
    auto const number = parse_number(size.substr(0, digits));
    auto const unit = unit_size(lower_case(trimmed(size.substr(digits))));
    if (!number || unit == 0 || *number > std::numeric_limits<Size>::max() / unit) {
        return Status{Code::invalid_argument, "'" + std::string{text} + "' is not a size such as 4096, 64k or 4MiB"};
    }
    return *number * unit;
}

std::string format_size(Size bytes) {
    constexpr std::array<char const*, 7> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    // 1023.995 and more would print as 1024
    while ((value >= 1023.995 || value <= -1023.995) && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    // Calls format some of these each: printf would take longer than all the rest of it.
    auto const hundredths = std::llround(std::abs(value) * 100);
    auto number = (value < 0 ? "-" : "") + std::to_string(hundredths / 100);
    if (auto const rest = hundredths % 100; rest != 0) {
        number += rest < 10 ? ".0" : ".";
        number += std::to_string(rest % 10 == 0 ? rest / 10 : rest);
    }
    return number + " " + units[unit];
}

}  // namespace muster
