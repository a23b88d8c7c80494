#include "muster/report.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/hints.hpp"

#if __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>
#define HAVE_JSON_PARSER
#endif

namespace muster {
namespace {

RankReport rank_report(int rank) {
    RankReport report;
    for (std::size_t i = 0; i < report.seconds.size(); ++i)
        report.seconds[i] = 0.001 * static_cast<double>(i + 1) * rank;
    report.total_seconds = 0.25 * rank;
    report.bytes = rank * (1 << 20);
    report.pieces = rank * 10;
    report.messages_inside_node = rank;
    report.messages_between_nodes = rank * 2;
    report.bytes_inside_node = rank * 3;
    report.bytes_between_nodes = rank * 4;
    report.metadata_bytes = rank * 5;
    report.file_reads = rank * 6;
    report.file_writes = rank * 7;
    report.file_bytes_read = rank * 8;
    report.file_bytes_written = rank * 9;
    report.read_modify_writes = rank * 11;
    report.kernel_fallbacks = rank * 12;
    return report;
}

Report gathered_report() {
    Report report;
    report.operation = "write";
    report.file = "out \"1\".nc";
    report.ranks = 2;
    report.nodes = 1;
    report.aggregators = {0};
    report.rounds = 3;
    report.mine = rank_report(1);
    report.by_rank = {rank_report(1), rank_report(3)};
    for (auto const& rank : report.by_rank) report.total += rank;
    report.decisions = {{"aggregators", "1", "one per node"}};
    Hints hints;
    hints.window = 4 << 20;
    report.hints = list_hints(hints);
    return report;
}

TEST(Report, every_phase_has_its_name) {
    std::string names;
    for (int i = 0; i < phase_count; ++i) names += std::string{name_of(static_cast<Phase>(i))} + " ";
    EXPECT_EQ(names, "plan metadata pack exchange assemble file wait ");
}

TEST(Report, ranks_add_up_in_every_field) {
    auto sum = rank_report(4);
    sum += rank_report(8);
    auto const expected = rank_report(12);
    for (std::size_t i = 0; i < sum.seconds.size(); ++i) EXPECT_DOUBLE_EQ(sum.seconds[i], expected.seconds[i]);
    sum.seconds = expected.seconds;
    EXPECT_EQ(sum, expected);
}

TEST(Report, knows_the_shortest_and_the_longest_plan_of_the_calls_that_were_added) {
    RankReport sum;
    for (auto const seconds : {0.5, 0.25, 1.0}) {
        RankReport one;
        one.shortest_plan = one.longest_plan = seconds;
        sum += one;
    }
    EXPECT_EQ(sum.shortest_plan, 0.25);
    EXPECT_EQ(sum.longest_plan, 1.0);
}

TEST(Report, adds_later_calls) {
    auto report = gathered_report();
    report.flow = Flow{1, 1, 1, {{5, 7}}, {12}, {0.5}};
    auto const once = report;
    report += once;
    EXPECT_EQ(report.calls, 2);
    EXPECT_EQ(report.rounds, 6);
    EXPECT_EQ(report.flow, (Flow{1, 1, 1, {{10, 14}}, {24}, {1.0}}));
    auto other = once;
    other.flow = Flow{1, 1, 1, {{5, 7}}, {6, 6}, {0.5, 0.5}};  // another number of rounds
    report += other;
    EXPECT_EQ(report.flow.by_round, (std::vector<Size>{24}));
    EXPECT_NE(report.json().find(
                  R"("flow":{"ranks_per_row":1,"aggregators_per_column":1,"rounds_per_step":1,"bytes":[[10,14]],)"
                  R"("bytes_by_round":[24],"seconds_by_round":[1]})"),
              std::string::npos)
        << report.json();
    EXPECT_NE(Report{}.json().find(R"("flow":null)"), std::string::npos);
}

TEST(Report, is_a_screenful_of_text) {
    EXPECT_EQ(gathered_report().text(), R"(write of out "1".nc: 2 ranks on 1 node, 1 aggregator, 3 rounds
  4 MiB in 40 pieces, 0.750000 s, 5.33 MiB/s
  aggregators: 0

  seconds          min       mean        max
  plan        0.001000   0.002000   0.003000  ####
  metadata    0.002000   0.004000   0.006000  #########
  pack        0.003000   0.006000   0.009000  #############
  exchange    0.004000   0.008000   0.012000  #################
  assemble    0.005000   0.010000   0.015000  #####################
  file        0.006000   0.012000   0.018000  ##########################
  wait        0.007000   0.014000   0.021000  ##############################

  messages  4 (12 B) inside nodes, 8 (16 B) between nodes; metadata 20 B
  file      28 writes (36 B), 24 reads (32 B), 44 read-modify-writes
  kernel    alltoallw gave way to ascending-sync in 12 exchanges: the messages did not fit at once

  decisions
    aggregators: 1 (one per node)

  hints that differ from the default
    muster_window = 4MiB
)");
}

TEST(Report, says_when_it_knows_one_rank_only) {
    auto report = gathered_report();
    report.by_rank.clear();
    report.plan_reused = true;
    EXPECT_TRUE(report.text().starts_with(R"(write of out "1".nc: 2 ranks on 1 node, 1 aggregator, 3 rounds, plan reused
  this rank only: 1 MiB in 10 pieces, 0.250000 s, 4 MiB/s
  aggregators: 0

  seconds          min       mean        max
  plan        0.001000   0.001000   0.001000  ####
)"));
}

TEST(Report, shortens_long_lists_of_aggregators) {
    auto report = gathered_report();
    report.aggregators = {0, 1, 2, 3, 8, 9, 20};
    EXPECT_NE(report.text().find("aggregators: 0-3,8-9,20\n"), std::string::npos);
    report.aggregators.clear();
    for (Rank rank = 0; rank < 2000; rank += 64) report.aggregators.push_back(rank);
    EXPECT_NE(report.text().find("640,704 and 20 more\n"), std::string::npos) << report.text();
}

TEST(Report, tells_before_the_first_call_that_nothing_happened) {
    EXPECT_EQ(Report{}.text(), "nothing was read or written yet\n");
}

TEST(Report, without_any_time_still_prints) {
    Report report;
    report.operation = "read";
    EXPECT_NE(report.text().find("0 B in 0 pieces, 0.000000 s, 0 B/s"), std::string::npos);
}

TEST(Report, with_long_file_names_keeps_them) {
    Report report;
    report.operation = "read";
    report.file = std::string(3000, 'x');
    EXPECT_NE(report.text().find(report.file), std::string::npos);
}

TEST(Report, begins_its_json_with_the_documented_keys) {
    EXPECT_TRUE(gathered_report().json().starts_with(
        R"({"operation":"write","file":"out \"1\".nc","ranks":2,"nodes":1,"aggregators":[0],"rounds":3,"plan_reused":false,"calls":1,"node_of":[],"flow":null,"gathered":true,"bytes":4194304,"pieces":40,"seconds":0.75,)"));
}

#ifdef HAVE_JSON_PARSER
using nlohmann::json;

TEST(Report, says_in_json_what_it_knows) {
    auto const parsed = json::parse(gathered_report().json());
    EXPECT_EQ(parsed["file"], "out \"1\".nc");
    EXPECT_DOUBLE_EQ(parsed["bytes_per_second"].get<double>(), 4194304 / 0.75);
    EXPECT_DOUBLE_EQ(parsed["phases"]["pack"]["min"].get<double>(), 0.003);
    EXPECT_DOUBLE_EQ(parsed["phases"]["pack"]["mean"].get<double>(), 0.006);
    EXPECT_DOUBLE_EQ(parsed["phases"]["pack"]["max"].get<double>(), 0.009);
    EXPECT_EQ(parsed["phases"].size(), std::size_t{phase_count});
    EXPECT_EQ(parsed["by_rank"].size(), 2U);
    EXPECT_EQ(parsed["decisions"], json::parse(R"([{"subject":"aggregators","choice":"1","reason":"one per node"}])"));
    EXPECT_EQ(parsed["hints"]["muster_window"], "4MiB");
    EXPECT_EQ(parsed["hints"].size(), hint_table().size());
}

TEST(Report, gives_every_field_of_a_rank_in_json) {
    auto const parsed = json::parse(gathered_report().json());
    EXPECT_EQ(parsed["mine"], json::parse(R"({"phases":{"plan":0.001,"metadata":0.002,"pack":0.003,"exchange":0.004,
        "assemble":0.005,"file":0.006,"wait":0.007},"total_seconds":0.25,"bytes":1048576,"pieces":10,
        "messages_inside_node":1,"messages_between_nodes":2,"bytes_inside_node":3,"bytes_between_nodes":4,
        "metadata_bytes":5,"file_reads":6,"file_writes":7,"file_bytes_read":8,"file_bytes_written":9,
        "read_modify_writes":11,"kernel_fallbacks":12,"shortest_plan":0,"longest_plan":0})"));
    EXPECT_EQ(parsed["mine"], parsed["by_rank"][0]);
    EXPECT_EQ(parsed["total"]["read_modify_writes"], 44);
}

TEST(Report, is_valid_json_whatever_it_holds) {
    auto report = gathered_report();
    report.by_rank.clear();
    report.file = "\xff\x01\n\"\\";
    report.mine.total_seconds = std::numeric_limits<double>::infinity();
    auto const parsed = json::parse(report.json());
    EXPECT_EQ(parsed["file"], "\xef\xbf\xbd\x01\n\"\\");
    EXPECT_TRUE(parsed["total"].is_null());
    EXPECT_TRUE(parsed["mine"]["total_seconds"].is_null());
    EXPECT_TRUE(parsed["by_rank"].empty());
    EXPECT_FALSE(parsed["gathered"].get<bool>());
    EXPECT_TRUE(json::accept(Report{}.json()));
}
#endif

}  // namespace
}  // namespace muster
