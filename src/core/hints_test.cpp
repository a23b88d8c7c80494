#include "core/hints.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

namespace muster {
namespace {

// Another value than the default, for every row.
Hints all_different() {
    Hints hints;
    hints.collective_write = Toggle::on;
    hints.collective_read = Toggle::off;
    hints.aggregators = 7;
    hints.aggregators_per_node = 3;
    hints.placement = Placement::round_robin;
    hints.aggregator_list = {5, 0, 17};
    hints.machine = "network mesh 4";
    hints.fabric_seconds = 3;
    hints.ranks_per_node = 4;
    hints.numa_nodes = Toggle::on;
    hints.shared_memory = Toggle::off;
    hints.local_aggregators = 2;
    hints.node_memory = 1000003;
    hints.layout = Layout::contiguous;
    hints.stripe_size = 1000001;
    hints.stripe_count = 64;
    hints.window = Size{1} << 40;
    hints.windows = 5;
    hints.tier = "HBM";
    hints.subfiles = "node";
    hints.subfile_unit = 77;
    hints.subfile_directory = "/local";
    hints.subfile_checksums = Toggle::off;
    hints.metadata_kernel = Kernel::alltoallw;
    hints.data_kernel = Kernel::spread_out;
    hints.rank_order = RankOrder::plain;
    hints.rank_list = {3, 1, 2};
    hints.throttle = 0;
    hints.throttle_inside = 2;
    hints.metadata_memory = 1;
    hints.direct_write = 0;
    hints.direct_read = 3 << 20;
    hints.hole_writes = std::numeric_limits<int>::max();
    hints.file_lock = Toggle::automatic;
    hints.watchdog = 60;
    hints.faults = " write:3:ENOSPC@2, read:1:EIO ";
    return hints;
}

// How many fields Hints has: the most initialisers it takes.
struct Anything {
    template <class T>
    operator T() const;
};
template <class T, class... Fields>
constexpr std::size_t field_count() {
    if constexpr (requires { T{Fields{}..., Anything{}}; }) {
        return field_count<T, Fields..., Anything>();
    } else {
        return sizeof...(Fields);
    }
}

std::string value_of(Hints const& hints, std::string_view name) {
    for (auto const& [each, value] : list_hints(hints)) {
        if (each == name) return value;
    }
    return "no such hint";
}

std::string after(std::string_view name, std::string_view value, std::string_view asked) {
    Hints hints;
    EXPECT_TRUE(set_hint(hints, name, value).ok());
    return value_of(hints, asked);
}

std::string failure(std::string_view name, std::string_view value) {
    Hints hints;
    auto const status = set_hint(hints, name, value);
    EXPECT_EQ(status.code(), Code::invalid_hint) << name << " = " << value;
    EXPECT_EQ(hints, Hints{});
    return status.message();
}

Decision only_note(std::string_view name, std::string_view value) {
    Hints hints;
    HintNotes notes;
    EXPECT_TRUE(set_hint(hints, name, value, &notes).ok());
    EXPECT_EQ(notes.size(), 1U);
    return notes.empty() ? Decision{} : notes[0];
}

TEST(Hints, every_field_has_a_row) { EXPECT_EQ(hint_table().size(), field_count<Hints>()); }

TEST(Hints, every_row_has_its_own_name_and_says_what_it_means) {
    std::set<std::string_view> names;
    for (auto const& row : hint_table()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_TRUE(row.name.starts_with("muster_")) << row.name;
        EXPECT_FALSE(row.unit.empty()) << row.name;
        EXPECT_TRUE(row.meaning.ends_with(".")) << row.name;
        EXPECT_EQ(row.default_value, value_of({}, row.name));
    }
}

TEST(Hints, a_list_of_all_hints_is_read_back_without_loss) {
    for (auto const& hints : {Hints{}, all_different()}) {
        auto read = hints == Hints{} ? all_different() : Hints{};
        ASSERT_TRUE(set_hints(read, list_hints(hints)).ok());
        EXPECT_EQ(read, hints);
    }
}

TEST(Hints, every_row_sets_a_field_of_its_own) {
    auto const values = list_hints(all_different());
    auto const defaults = list_hints({});
    for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_NE(values[i], defaults[i]) << "all_different lacks " << values[i].first;
        Hints hints;
        ASSERT_TRUE(set_hint(hints, values[i].first, values[i].second).ok());
        auto expected = defaults;
        expected[i] = values[i];
        EXPECT_EQ(list_hints(hints), expected);
    }
}

TEST(Hints, every_word_of_an_enumeration_is_read_back) {
    for (auto const& row : hint_table()) {
        if (row.unit.find('|') == row.unit.npos) continue;
        std::set<std::string> words;
        for (std::size_t start = 0; start < row.unit.size();) {
            auto const end = std::min(row.unit.find('|', start), row.unit.size());
            words.insert(row.unit.substr(start, end - start));
            start = end + 1;
        }
        for (auto const& word : words) EXPECT_EQ(after(row.name, word, row.name), word);
    }
}

TEST(Hints, words_mean_their_enumerators) {
    Hints hints;
    std::vector<HintPair> const pairs{{"muster_collective_write", "off"},
                                      {"muster_layout", "striped"},
                                      {"muster_placement", "round-robin"},
                                      {"muster_data_kernel", "balanced"},
                                      {"muster_metadata_kernel", "Ascending-Sync"}};
    ASSERT_TRUE(set_hints(hints, pairs).ok());
    EXPECT_EQ(hints.collective_write, Toggle::off);
    EXPECT_EQ(hints.layout, Layout::striped);
    EXPECT_EQ(hints.placement, Placement::round_robin);
    EXPECT_EQ(hints.data_kernel, Kernel::balanced);
    EXPECT_EQ(hints.metadata_kernel, Kernel::ascending_sync);
}

TEST(Hints, sizes_have_units) {
    EXPECT_EQ(after("muster_window", "16M", "muster_window"), "16MiB");
    EXPECT_EQ(after("muster_window", " 4 MiB ", "muster_window"), "4MiB");
    EXPECT_EQ(after("muster_stripe_size", "1000", "muster_stripe_size"), "1000");
    EXPECT_EQ(after("muster_stripe_size", "1MB", "muster_stripe_size"), "1000000");
}

TEST(Hints, a_bad_value_of_ours_is_refused_with_what_is_allowed) {
    EXPECT_EQ(failure("muster_layout", "stripy"),
              "muster_layout cannot be 'stripy': allowed is one of automatic, striped, contiguous");
    EXPECT_EQ(failure("muster_windows", "0"),
              "muster_windows cannot be '0': allowed is a whole number of windows, 1 to 1024");
    EXPECT_EQ(failure("muster_aggregators", "-1"),
              "muster_aggregators cannot be '-1': allowed is a whole number of ranks, 0 or more");
    EXPECT_EQ(failure("muster_window", "4x"),
              "muster_window cannot be '4x': allowed is a size such as 4194304, 64k or 4MiB, from 0 to 1TiB");
}

TEST(Hints, numbers_out_of_range_are_refused) {
    for (auto const* value : {"", "4294967296", "99999999999999999999", "1.5", "2 2", "0x10", "+1"}) {
        failure("muster_aggregators", value);
    }
    for (auto const* value : {"2TiB", "1E", "-1", "16777216T"}) failure("muster_window", value);
    failure("muster_metadata_memory", "0");
}

TEST(Hints, a_list_of_ranks_has_different_ranks) {
    EXPECT_EQ(after("muster_aggregator_list", "8, 0,4", "muster_aggregator_list"), "8,0,4");
    EXPECT_EQ(after("muster_aggregator_list", "", "muster_aggregator_list"), "");
    for (auto const* value : {"1,", ",1", "1,,2", "1,-2", "1,2,1", "one", "1 2"})
        failure("muster_aggregator_list", value);
}

TEST(Hints, an_unknown_name_of_ours_is_refused_with_the_nearest_one) {
    EXPECT_EQ(failure("muster_windw", "4M"), "there is no hint muster_windw; the nearest is muster_window");
    EXPECT_EQ(failure("muster_cb_read", "on"), "there is no hint muster_cb_read; the nearest is muster_direct_read");
    EXPECT_EQ(failure("muster_agregators", "1"),
              "there is no hint muster_agregators; the nearest is muster_aggregators");
}

TEST(Hints, one_bad_hint_of_many_leaves_all_as_they_were) {
    Hints hints;
    std::vector<HintPair> const pairs{{"cb_nodes", "4"}, {"muster_window", "4M"}, {"muster_throttle", "many"}};
    EXPECT_EQ(set_hints(hints, pairs).code(), Code::invalid_hint);
    EXPECT_EQ(hints, Hints{});
}

TEST(Hints, old_names_are_understood) {
    EXPECT_EQ(after("cb_nodes", "4", "muster_aggregators"), "4");
    EXPECT_EQ(after("cb_buffer_size", "16777216", "muster_window"), "16MiB");
    EXPECT_EQ(after("striping_unit", "1048576", "muster_stripe_size"), "1MiB");
    EXPECT_EQ(after("striping_factor", "8", "muster_stripe_count"), "8");
    EXPECT_EQ(after("romio_cb_write", "disable", "muster_collective_write"), "off");
    EXPECT_EQ(after("romio_cb_read", "ENABLE", "muster_collective_read"), "on");
    EXPECT_EQ(after("collective_buffering", "false", "muster_collective_read"), "off");
    EXPECT_EQ(after("collective_buffering", "false", "muster_collective_write"), "off");
    EXPECT_EQ(after("romio_ds_write", "disable", "muster_hole_writes"), "2147483647");
    EXPECT_EQ(after("romio_ds_write", "enable", "muster_hole_writes"), "512");
    EXPECT_EQ(after("cb_config_list", "*:2", "muster_aggregators_per_node"), "2");
    EXPECT_EQ(after("cb_config_list", "*", "muster_aggregators_per_node"), "1");
    EXPECT_EQ(after("cb_config_list", "*:*", "muster_aggregators_per_node"), "2147483647");
}

TEST(Hints, the_table_lists_the_old_names) {
    auto const rows = hint_table();
    auto const row =
        std::find_if(rows.begin(), rows.end(), [](auto const& each) { return each.name == "muster_window"; });
    ASSERT_NE(row, rows.end());
    EXPECT_EQ(row->old_names, std::vector<std::string_view>{"cb_buffer_size"});
}

TEST(Hints, a_bad_value_of_an_old_name_is_ignored_with_a_note) {
    std::vector<HintPair> const bad{
        {"cb_nodes", "0"},           {"cb_nodes", "many"},          {"cb_buffer_size", "-1"},
        {"romio_cb_write", "maybe"}, {"romio_ds_write", "perhaps"}, {"cb_config_list", "node7:2"},
        {"cb_config_list", "*:0"},   {"striping_factor", "4k0"},    {"cb_buffer_size", "2T"}};
    for (auto const& [name, value] : bad) {
        Hints hints;
        HintNotes notes;
        EXPECT_TRUE(set_hint(hints, name, value, &notes).ok());
        EXPECT_EQ(hints, Hints{}) << name << " = " << value;
        ASSERT_EQ(notes.size(), 1U);
        EXPECT_EQ(notes[0].choice, "ignored");
        EXPECT_NE(notes[0].reason.find("'" + value + "' is not understood"), std::string::npos);
    }
}

TEST(Hints, notes_tell_what_became_of_a_name_that_is_not_ours) {
    EXPECT_EQ(only_note("cb_nodes", "4"), (Decision{"cb_nodes", "muster_aggregators=4", "an old name"}));
    EXPECT_EQ(only_note("romio_ds_write", "automatic"),
              (Decision{"romio_ds_write", "unchanged", "it asks for what is done anyway"}));
    EXPECT_EQ(only_note("my_own", "x"), (Decision{"my_own", "ignored", "not a hint that Muster knows"}));
}

TEST(Hints, names_without_effect_are_accepted_with_a_reason) {
    EXPECT_EQ(known_without_effect().size(), 7U);
    for (auto const& [name, reason] : known_without_effect()) {
        EXPECT_EQ(only_note(name, "1"), (Decision{std::string{name}, "no effect", std::string{reason}}));
    }
}

TEST(Hints, a_new_name_counts_more_than_an_old_one_in_any_order) {
    std::vector<HintPair> pairs{{"muster_aggregators", "8"}, {"cb_nodes", "4"}};
    for (int turn = 0; turn < 2; ++turn) {
        Hints hints;
        HintNotes notes;
        ASSERT_TRUE(set_hints(hints, pairs, &notes).ok());
        EXPECT_EQ(hints.aggregators, 8);
        EXPECT_EQ(notes, (HintNotes{{"cb_nodes", "ignored", "muster_aggregators is given as well"}}));
        std::swap(pairs[0], pairs[1]);
    }
}

TEST(Hints, only_changed_hints_are_told) {
    Hints hints;
    EXPECT_TRUE(changed_hints(list_hints(hints)).empty());
    hints.window = 4 << 20;
    EXPECT_EQ(changed_hints(list_hints(hints)), (std::vector<HintPair>{{"muster_window", "4MiB"}}));
}

TEST(Sizes, are_read_with_binary_and_decimal_units) {
    std::vector<std::pair<char const*, Size>> const cases{{"0", 0},
                                                          {"4096", 4096},
                                                          {"17 B", 17},
                                                          {"1k", 1024},
                                                          {"1KiB", 1024},
                                                          {"1kB", 1000},
                                                          {"16M", 16 << 20},
                                                          {"4 MiB", 4 << 20},
                                                          {"3MB", 3000000},
                                                          {"2g", Size{2} << 30},
                                                          {"1GB", 1000000000},
                                                          {"1T", Size{1} << 40},
                                                          {"9223372036854775807", std::numeric_limits<Size>::max()}};
    for (auto const& [text, bytes] : cases) {
        auto const size = parse_size(text);
        ASSERT_TRUE(size.ok()) << text;
        EXPECT_EQ(*size, bytes) << text;
    }
}

TEST(Sizes, that_make_no_sense_are_refused) {
    for (auto const* text :
         {"", "k", "-1", "1.5G", "4x", "4MiBs", "4 M iB", "9223372036854775808", "8388608T", "1 2"}) {
        EXPECT_EQ(parse_size(text).status().code(), Code::invalid_argument) << text;
    }
}

TEST(Sizes, are_printed_for_people) {
    EXPECT_EQ(format_size(0), "0 B");
    EXPECT_EQ(format_size(17), "17 B");
    EXPECT_EQ(format_size(1023), "1023 B");
    EXPECT_EQ(format_size(1024), "1 KiB");
    EXPECT_EQ(format_size(4 << 20), "4 MiB");
    EXPECT_EQ(format_size((4 << 20) - 1), "4 MiB");
    EXPECT_EQ(format_size((1 << 20) - 1), "1 MiB");
    EXPECT_EQ(format_size(Size{3} << 29), "1.5 GiB");
    EXPECT_EQ(format_size(100 << 10), "100 KiB");
    EXPECT_EQ(format_size(1034), "1.01 KiB");
    EXPECT_EQ(format_size(1127), "1.1 KiB");
    EXPECT_EQ(format_size(-1280), "-1.25 KiB");
    EXPECT_EQ(format_size(std::numeric_limits<Size>::max()), "8 EiB");
}

}  // namespace
}  // namespace muster
