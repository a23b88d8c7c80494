// What a call says about itself afterwards.
#include <algorithm>
#include <numeric>
#include <set>

#include "engine/testing.hpp"

#if __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>
#define HAS_JSON_PARSER 1
#endif

namespace muster {
namespace {

using namespace test;

Deal example() { return rotate({8, 40, 0, 0}); }

Size total_size(Deal const& deal) {
    return std::accumulate(deal.begin(), deal.end(), Size{0},
                           [](Size sum, auto const& one) { return sum + size_of(one); });
}

// Windows of 64 bytes in which these extents have bytes.
Size rounds_with(Extents const& extents) {
    std::set<Offset> windows;
    for (auto const& extent : extents) {
        for (auto at = extent.offset; at < extent.end(); ++at) windows.insert(at / 64);
    }
    return static_cast<Size>(windows.size());
}

std::string value_of(std::vector<HintPair> const& pairs, std::string const& name) {
    for (auto const& [known, value] : pairs) {
        if (known == name) return value;
    }
    return "missing";
}

// By messages to one aggregator.
Hints one_aggregator(int ranks_per_node) {
    auto hints = all_aggregate();
    hints.ranks_per_node = ranks_per_node;
    hints.aggregators = 1;
    return hints;
}

TEST(Reports, are_empty_before_the_first_call) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create};
    EXPECT_EQ(file->report().operation, "");
    EXPECT_EQ(file->report().mine.bytes, 0);
}

TEST(Reports, name_the_call_and_count_the_bytes_of_all_ranks) {
    SharedPath path;
    auto const deal = example();
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        OpenFile file{path.get(), Mode::create, hints};
        EXPECT_OK(write_marks(*file, deal));
        auto const report = file->gather_report();
        EXPECT_EQ(report.operation, "write");
        EXPECT_EQ(report.file, path.get());
        EXPECT_EQ(report.ranks, ranks());
        EXPECT_EQ(report.mine.bytes, size_of(mine(deal)));
        EXPECT_EQ(report.mine.pieces, ranks() == 1 ? 1 : 40);
        EXPECT_EQ(report.total.bytes, total_size(deal));
        EXPECT_EQ(report.total.file_bytes_written, total_size(deal));
        EXPECT_GE(report.total.file_writes, 1);
        EXPECT_FALSE(report.plan_reused);
        ASSERT_EQ(report.by_rank.size(), static_cast<std::size_t>(ranks()));
        EXPECT_EQ(report.by_rank[static_cast<std::size_t>(rank())], report.mine);
        std::string memory(static_cast<std::size_t>(size_of(mine(deal))), '#');
        EXPECT_OK(read_pieces(*file, mine(deal), memory));
        EXPECT_EQ(file->report().operation, "read");
        EXPECT_EQ(file->gather_report().total.file_bytes_read, total_size(deal));
        EXPECT_EQ(file->gather_report().total.file_bytes_written, 0);
    }
}

Size sum_of(std::vector<Size> const& values) { return std::accumulate(values.begin(), values.end(), Size{0}); }

// What everybody handed over, and when.
void expect_flow(Report const& report, Size bytes) {
    Size handed = 0;
    for (auto const& row : report.flow.bytes) handed += sum_of(row);
    EXPECT_EQ(handed, bytes);
    EXPECT_EQ(sum_of(report.flow.by_round), bytes);
    EXPECT_EQ(report.flow.bytes.size(), static_cast<std::size_t>(ranks()));
    EXPECT_EQ(report.flow.bytes.front().size(), report.aggregators.size());
    ASSERT_EQ(report.flow.seconds_by_round.size(), report.flow.by_round.size());
    EXPECT_GT(*std::max_element(report.flow.seconds_by_round.begin(), report.flow.seconds_by_round.end()), 0);
}

TEST(Reports, tell_who_handed_how_much_to_whom_and_how_long_the_rounds_took) {
    SharedPath path;
    auto const deal = example();
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        OpenFile file{path.get(), Mode::create, hints};
        EXPECT_OK(write_marks(*file, deal));
        auto const written = file->gather_report();
        auto const route = find_decision(written, "route")->choice;
        EXPECT_EQ(written.node_of.size(), static_cast<std::size_t>(ranks()));
        std::string memory(static_cast<std::size_t>(size_of(mine(deal))), '#');
        EXPECT_OK(read_pieces(*file, mine(deal), memory));
        auto const read = file->gather_report();
        if (route != "shared" && route != "exchange") continue;
        expect_flow(written, total_size(deal));
        expect_flow(read, total_size(deal));
    }
}

TEST(Reports, count_messages_between_nodes) {
    SharedPath path;
    auto const deal = example();
    OpenFile file{path.get(), Mode::create, one_aggregator(1)};
    EXPECT_OK(write_marks(*file, deal));
    auto const report = file->gather_report();
    EXPECT_EQ(report.nodes, ranks());
    EXPECT_EQ(report.aggregators, std::vector<Rank>{0});
    EXPECT_EQ(report.total.messages_inside_node, 0);
    EXPECT_EQ(report.total.bytes_inside_node, 0);
    auto const others = total_size(deal) - size_of(deal.front());  // what has to get to rank 0
    EXPECT_EQ(report.total.bytes_between_nodes, others + report.total.metadata_bytes);
    EXPECT_EQ(report.by_rank.front().messages_between_nodes, 0);
    EXPECT_EQ(report.by_rank.back().messages_between_nodes,
              ranks() > 1 ? rounds_with(deal.back()) + 1 : 0);  // and a list
}

TEST(Reports, tell_messages_inside_artificial_nodes_from_those_between) {
    if (ranks() < 3) GTEST_SKIP() << "needs three ranks";
    SharedPath path;
    auto const deal = example();
    OpenFile file{path.get(), Mode::create, one_aggregator(2)};
    EXPECT_OK(write_marks(*file, deal));
    auto const report = file->gather_report();
    EXPECT_EQ(report.nodes, (ranks() + 1) / 2);
    EXPECT_EQ(report.by_rank[1].messages_between_nodes, 0);  // beside the aggregator
    EXPECT_GT(report.by_rank[1].messages_inside_node, 0);
    EXPECT_EQ(report.total.bytes_inside_node + report.total.bytes_between_nodes,
              total_size(deal) - size_of(deal.front()) + report.total.metadata_bytes);
    EXPECT_GT(report.total.bytes_between_nodes, 0);
}

TEST(Reports, have_the_rounds_of_the_plan_and_say_when_it_was_used_again) {
    SharedPath path;
    auto const deal = example();
    auto const bytes = marks(rank(), mine(deal));
    Segment const segment{bytes.data(), static_cast<Size>(bytes.size())};
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        OpenFile file{path.get(), Mode::create, hints};
        auto plan = file->plan_write(Pieces{mine(deal), {&segment, 1}});
        ASSERT_TRUE(plan.ok()) << plan.status().text();
        EXPECT_OK(plan->write(bytes.data()));
        EXPECT_FALSE(file->report().plan_reused);
        auto const rounds = "rounds: " + std::to_string(file->report().rounds);
        auto const told = plan->text().find(rounds) != std::string::npos;
        EXPECT_EQ(told, file->report().rounds > 0) << plan->text();
        EXPECT_OK(plan->write(bytes.data(), 10000));
        EXPECT_TRUE(file->report().plan_reused);
        auto const kept = hints.metadata_memory >= Hints{}.metadata_memory;  // lists in chapters are told each time
        auto const told_again = file->gather_report().total.metadata_bytes;
        EXPECT_TRUE(told_again == 0 || !kept) << told_again;
        EXPECT_OK(write_marks(*file, deal));
        EXPECT_FALSE(file->report().plan_reused);
    }
}

TEST(Reports, have_as_many_rounds_as_windows_are_needed) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, one_aggregator(1)};
    for (Size const size : {1, 63, 64, 65, 640, 641}) {
        auto const bytes = marks(rank(), {{0, size}});
        EXPECT_OK(file->write_at_all(0, bytes.data(), is_last() ? size : 0, MPI_BYTE));
        EXPECT_EQ(file->report().rounds, (size + 63) / 64);
        EXPECT_EQ(file->report().decisions.empty(), false);
    }
    EXPECT_OK(file->write_at_all(0, nullptr, 0, MPI_BYTE));
    EXPECT_EQ(file->report().rounds, 0);
}

TEST(Reports, have_phases_that_add_up_to_no_more_than_the_whole) {
    SharedPath path;
    auto const deal = example();
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        OpenFile file{path.get(), Mode::create, hints};
        EXPECT_OK(write_marks(*file, deal));
        auto const& numbers = file->report().mine;
        auto const all = std::accumulate(numbers.seconds.begin(), numbers.seconds.end(), 0.0);
        auto const of_file = numbers.seconds[static_cast<std::size_t>(Phase::file)];  // may overlap with the others
        EXPECT_GT(numbers.total_seconds, 0);
        EXPECT_LE(all - of_file, numbers.total_seconds * 1.001);
        for (auto const seconds : numbers.seconds) EXPECT_GE(seconds, 0);
    }
}

TEST(Reports, say_which_hints_are_in_effect) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, one_aggregator(1)};
    EXPECT_OK(write_marks(*file, example()));
    EXPECT_EQ(value_of(file->report().hints, "muster_window"), "64");
    EXPECT_EQ(value_of(file->report().hints, "muster_aggregators"), "1");
    EXPECT_EQ(file->report().hints, file->effective_hints());
    std::string text;
    for (auto const& [name, value] : file->effective_hints()) text += name + "=" + value + "\n";
    EXPECT_EQ(text, of_first_rank(text));
}

TEST(Reports, name_hints_that_could_not_be_followed) {
    SharedPath path;
    auto hints = all_aggregate();
    hints.aggregators = ranks() + 5;
    OpenFile file{path.get(), Mode::create, hints};
    EXPECT_OK(write_marks(*file, example()));
    auto const* const decision = find_decision(file->report(), "aggregators");
    ASSERT_NE(decision, nullptr);
    EXPECT_EQ(decision->choice, std::to_string(ranks()));
    EXPECT_NE(decision->reason.find("only " + std::to_string(ranks())), std::string::npos) << decision->reason;
}

TEST(Reports, name_hints_of_an_info_that_mean_nothing_here) {
    SharedPath path;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_nodes", "1");
    MPI_Info_set(info, "fancy_other_library_hint", "on");
    auto file = File::open(MPI_COMM_WORLD, path.get(), Mode::create, all_aggregate(), info);
    MPI_Info_free(&info);
    ASSERT_TRUE(file.ok()) << file.status().text();
    EXPECT_OK(write_marks(*file, example()));
    EXPECT_EQ(file->report().aggregators.size(), 1u);
    EXPECT_NE(find_decision(file->report(), "cb_nodes"), nullptr);
    EXPECT_NE(find_decision(file->report(), "fancy_other_library_hint"), nullptr);
    EXPECT_OK(file->close());
}

#ifdef HAS_JSON_PARSER
TEST(Reports, are_json_that_others_can_parse) {
    SharedPath path;
    auto const deal = example();
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    EXPECT_OK(write_marks(*file, deal));
    auto const one = nlohmann::json::parse(file->report().json());
    auto const all = nlohmann::json::parse(file->gather_report().json());
    EXPECT_EQ(one["operation"], "write");
    EXPECT_EQ(one["gathered"], false);
    EXPECT_EQ(one["bytes"], size_of(mine(deal)));
    EXPECT_TRUE(one["total"].is_null());
    EXPECT_EQ(all["gathered"], true);
    EXPECT_EQ(all["bytes"], total_size(deal));
    EXPECT_EQ(all["by_rank"].size(), static_cast<std::size_t>(ranks()));
    EXPECT_EQ(all["aggregators"].size(), static_cast<std::size_t>(ranks()));
    EXPECT_EQ(all["hints"]["muster_window"], "64");
    EXPECT_EQ(all["rounds"], file->report().rounds);
}
#endif

}  // namespace
}  // namespace muster
