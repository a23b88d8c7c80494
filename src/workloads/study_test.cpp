#include "workloads/study.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>

#include "core/coding.hpp"
#include "workloads/registry.hpp"
#include "workloads/senders.hpp"
#include "workloads/traffic.hpp"

namespace muster {
namespace {

Workload make(char const* name, int ranks, std::vector<OptionPair> const& options = {}) {
    auto workload = make_workload(name, ranks, options);
    EXPECT_TRUE(workload.ok()) << workload.status().text();
    return workload.ok() ? *workload : Workload{};
}

struct Setting {
    Layout layout{Layout::striped};
    int aggregators{1};
    Size window{1};
    int local_aggregators{0};
    CallMode mode{CallMode::multi};
    int ranks_per_node{64};
};

Study study_of(Workload const& workload, Setting const& setting) {
    auto const machine = block_machine(workload.ranks, setting.ranks_per_node);
    StudyInput input;
    input.workload = &workload;
    input.machine = &machine;
    input.hints.layout = setting.layout;
    input.hints.aggregators = setting.aggregators;
    input.hints.window = setting.window;
    input.hints.collective_write = Toggle::on;
    if (setting.layout == Layout::striped) input.layout = {setting.window, setting.aggregators, 4096, "test"};
    input.mode = setting.mode;
    input.local_aggregators = setting.local_aggregators;
    auto const result = study(input);
    EXPECT_TRUE(result.ok()) << result.status().text();
    return result.ok() ? *result : Study{};
}

constexpr Size MiB = Size{1} << 20;

// --- the papers' numbers ---

TEST(Btio, has_the_papers_requests_before_and_after_the_node_step) {
    struct Line {
        int ranks;
        Size before;
        Size after;
    };
    for (auto const& line : {Line{1024, 335'544'320, 84'377'600}, Line{4096, 671'088'640, 43'171'840},
                             Line{16384, 1'342'177'280, 23'552'000}}) {
        auto const workload = make("btio", line.ranks);
        Size before = 0;
        Size after = 0;
        for (auto const& sender : make_senders(block_machine(line.ranks, 64), 256)) {
            for (auto const rank : sender.members) before += workload.file_of(rank).piece_count();
            after += SenderParts{workload, sender, true}.all_pieces();
        }
        EXPECT_EQ(before, line.before);
        EXPECT_EQ(after, line.after);
        EXPECT_EQ(workload.bytes(), Size{200} << 30);
    }
}

// When some, but not all neighbours in a row of cells are gathered: one split per plane where they wrap round.
TEST(Btio, follows_the_formula_at_small_sizes) {
    for (Size const side : {4, 8}) {
        for (Size group = 1; group < side; group *= 2) {
            constexpr Size grid = 16;
            auto const ranks = side * side;
            auto const workload = make("btio", static_cast<int>(ranks), {{"grid", "16"}, {"variables", "3"}});
            auto const result = study_of(workload, {Layout::striped, 2, 4096, static_cast<int>(ranks / group)});
            auto const splits = ranks / group * (group - 1) * (grid / side);
            EXPECT_EQ(result.requests, 3 * grid * grid * side);
            EXPECT_EQ(result.requests_after_node_step, 3 * (grid * grid * side / group + splits));
        }
    }
}

TEST(S3d, has_the_papers_requests) {
    auto const workload = make("s3d", 16384);
    Size requests = 0;
    for (Rank rank = 0; rank < workload.ranks; ++rank) requests += workload.file_of(rank).piece_count();
    EXPECT_EQ(requests, 327'680'000);
    EXPECT_EQ(workload.bytes(), Size{800} * 800 * 800 * 16 * 8);
}

TEST(Flash, has_24_requests_per_rank) {
    auto const result = study_of(make("flash", 4096), {Layout::striped, 64, MiB});
    EXPECT_EQ(result.requests, 24 * 4096);
    EXPECT_EQ(result.bytes, Size{24} * 80 * 512 * 8 * 4096);
    EXPECT_LE(result.senders_per_round_max, 5);
}

TEST(Hacc, has_38_bytes_per_particle) {
    for (auto const* arrangement : {"aos", "soa"}) {
        auto const workload = make("hacc", 4, {{"particles", "1000"}, {"arrangement", arrangement}});
        EXPECT_EQ(workload.bytes(), 4 * 1000 * 38);
        EXPECT_EQ(workload.file_of(2).piece_count(), 1);
    }
}

TEST(E3smF, has_the_real_maps_requests_with_single_columns) {
    auto const only = [](char const* d1, char const* d2, char const* d3) {
        auto const workload = make("e3sm-f", 16, {{"ne", "4"}, {"run", "1"}, {"d1", d1}, {"d2", d2}, {"d3", d3}});
        return study_of(workload, {Layout::striped, 4, MiB}).requests;
    };
    EXPECT_EQ(only("1", "0", "0"), 47);
    EXPECT_EQ(only("0", "1", "0"), 866);
    EXPECT_EQ(only("0", "0", "1"), 62'352);
}

TEST(E3smF, has_the_papers_requests_and_bytes_at_full_size) {
    auto const workload = make("e3sm-f", 21600);
    Size requests = 0;
    Size bytes = 0;
    for (Rank rank = 0; rank < workload.ranks; ++rank) {
        auto const stream = workload.file_of(rank);
        requests += stream.piece_count();
        bytes += stream.size();
    }
    EXPECT_NEAR(static_cast<double>(requests), 1.36e9, 0.1e9);
    EXPECT_EQ(bytes, Size{777'602} * 4 * (1 + 323 + 63 * 72));
    EXPECT_NEAR(static_cast<double>(bytes) / static_cast<double>(1 << 30), 14.08, 0.005);
}

// With the sizes that the model's files have: 85.6 GB, and 1,276 rounds on 64 stripes of 1 MiB.
TEST(E3smG, has_the_papers_bytes_and_rounds) {
    auto const workload = make("e3sm-g", 1, {{"integer-bytes", "4"}});
    EXPECT_EQ(workload.variables.size(), 41u);
    EXPECT_EQ(workload.bytes(), 85'567'987'596);
    Domains const domains{Layout::striped, {0, workload.bytes()}, 64, MiB, MiB};
    EXPECT_EQ(domains.rounds(), 1276);
}

// 176 to 180 million requests, 18,821 to 21,110 on each of 9,600 ranks, say the papers and the maps.
TEST(E3smG, has_nearly_the_papers_requests_on_every_rank) {
    auto const workload = make("e3sm-g", 9600);
    Size all = 0;
    Size least = std::numeric_limits<Size>::max();
    Size most = 0;
    for (Rank rank = 0; rank < workload.ranks; ++rank) {
        auto const requests = workload.file_of(rank).piece_count();
        all += requests;
        least = std::min(least, requests);
        most = std::max(most, requests);
    }
    EXPECT_NEAR(static_cast<double>(all), 180e6, 0.03 * 180e6);
    EXPECT_NEAR(static_cast<double>(least), 18821, 0.05 * 18821);
    EXPECT_NEAR(static_cast<double>(most), 21110, 0.05 * 21110);
    std::printf("e3sm-g on 9,600 ranks: %lld requests, %lld to %lld per rank\n", static_cast<long long>(all),
                static_cast<long long>(least), static_cast<long long>(most));
}

struct RoundsLine {
    Setting setting;
    Size independent;
    Size multi;
};

class ManyDatasets : public testing::TestWithParam<RoundsLine> {};

TEST_P(ManyDatasets, take_the_papers_rounds) {
    auto setting = GetParam().setting;
    auto const workload =
        make("noncontig", 512, {{"datasets", "400"}, {"dataset-bytes", "105125000"}, {"block-side", "64"}});
    setting.mode = CallMode::multi;
    EXPECT_EQ(study_of(workload, setting).rounds, GetParam().multi);
    setting.mode = CallMode::independent;
    EXPECT_EQ(study_of(workload, setting).rounds, GetParam().independent);
}

INSTANTIATE_TEST_SUITE_P(Table, ManyDatasets,
                         testing::Values(RoundsLine{{Layout::striped, 64, MiB, 8}, 800, 627},
                                         RoundsLine{{Layout::striped, 128, MiB, 8}, 400, 314},
                                         RoundsLine{{Layout::striped, 64, 16 * MiB, 8}, 400, 40},
                                         RoundsLine{{Layout::striped, 128, 16 * MiB, 8}, 400, 20},
                                         RoundsLine{{Layout::contiguous, 98, 16 * MiB, 8}, 400, 26},
                                         RoundsLine{{Layout::contiguous, 98, 256 * MiB, 8}, 400, 2},
                                         RoundsLine{{Layout::contiguous, 391, 16 * MiB, 8}, 400, 7},
                                         RoundsLine{{Layout::contiguous, 391, 256 * MiB, 8}, 400, 1}));

// --- senders and traffic, against counting byte by byte ---

TEST(Senders, are_groups_of_neighbours_on_a_node) {
    auto const senders = make_senders(block_machine(10, 5), 4);
    ASSERT_EQ(senders.size(), 4u);
    EXPECT_EQ(senders[0].members, (std::vector<Rank>{0, 1, 2}));
    EXPECT_EQ(senders[1].members, (std::vector<Rank>{3, 4}));
    EXPECT_EQ(senders[2].rank, 5);
    EXPECT_EQ(senders[3].rank, 8);
}

TEST(Senders, are_at_least_one_per_node) {
    EXPECT_EQ(make_senders(block_machine(12, 4), 1).size(), 3u);
    EXPECT_EQ(make_senders(block_machine(12, 4), 100).size(), 12u);
    EXPECT_EQ(make_senders(block_machine(12, 4), 0).size(), 12u);
}

struct Counted {
    Size messages{0};
    Size inside{0};
    Size between{0};
    Size most_senders{0};
};

Counted count_bytes_one_by_one(Workload const& workload, Plan const& plan, Machine const& machine) {
    std::set<std::tuple<Rank, int, Size>> messages;
    std::map<std::pair<int, Size>, Size> senders;
    Counted counted;
    for (Rank rank = 0; rank < workload.ranks; ++rank) {
        workload.file_of(rank).for_each([&](Offset offset, Size length) {
            for (Size i = 0; i < length; ++i) {
                auto const domain = plan.domains.owner_of(offset + i);
                auto const round = plan.domains.round_of(offset + i);
                auto const aggregator = plan.aggregators[static_cast<std::size_t>(domain)];
                auto const fresh = messages.insert({rank, domain, round}).second;
                if (fresh) counted.most_senders = std::max(counted.most_senders, ++senders[{domain, round}]);
                if (aggregator == rank) continue;
                if (fresh) ++counted.messages;
                auto const same = machine.node_of[static_cast<std::size_t>(rank)] ==
                                  machine.node_of[static_cast<std::size_t>(aggregator)];
                ++(same ? counted.inside : counted.between);
            }
        });
    }
    return counted;
}

class TrafficOf : public testing::TestWithParam<Setting> {};

TEST_P(TrafficOf, equals_what_counting_byte_by_byte_finds) {
    auto const& setting = GetParam();
    for (auto const& workload :
         {make("btio", 9, {{"grid", "6"}, {"variables", "2"}}), make("strided", 8, {{"block", "7"}, {"blocks", "40"}}),
          make("contiguous", 5, {{"block", "1000"}}), make("strided", 3, {{"block", "1"}, {"blocks", "3000"}}),
          make("hacc", 4, {{"particles", "50"}})}) {
        auto const machine = block_machine(workload.ranks, setting.ranks_per_node);
        auto const result = study_of(workload, setting);
        auto const expected = count_bytes_one_by_one(workload, result.plan, machine);
        EXPECT_EQ(result.messages, expected.messages);
        EXPECT_EQ(result.bytes_inside_nodes, expected.inside);
        EXPECT_EQ(result.bytes_between_nodes, expected.between);
        EXPECT_EQ(result.senders_per_round_max, expected.most_senders);
        EXPECT_GT(result.memory_per_rank_max, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Settings, TrafficOf,
                         testing::Values(Setting{Layout::striped, 2, 512, 0, CallMode::multi, 2},
                                         Setting{Layout::striped, 3, 100, 0, CallMode::multi, 4},
                                         Setting{Layout::contiguous, 2, 256, 0, CallMode::multi, 2},
                                         Setting{Layout::contiguous, 3, 100000, 0, CallMode::multi, 3}));

TEST(Study, counts_several_stripes_of_a_window_as_one_message) {
    auto const workload = make("strided", 4, {{"block", "10"}, {"blocks", "64"}});
    auto const machine = block_machine(4, 2);
    StudyInput input;
    input.workload = &workload;
    input.machine = &machine;
    input.hints.layout = Layout::striped;
    input.hints.aggregators = 2;
    input.hints.window = 256;
    input.hints.collective_write = Toggle::on;
    input.layout = {64, 2, 4096, "test"};
    auto const result = study(input);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->plan.domains.parts(), 4);
    EXPECT_EQ(result->messages, count_bytes_one_by_one(workload, result->plan, machine).messages);
}

TEST(Study, with_every_rank_its_own_local_aggregator_is_plain_two_phase) {
    auto const workload = make("s3d", 12, {{"grid", "6"}});
    auto const plain = study_of(workload, {Layout::striped, 4, 1024, 0, CallMode::multi, 4});
    auto const all_local = study_of(workload, {Layout::striped, 4, 1024, 12, CallMode::multi, 4});
    EXPECT_EQ(plain.messages, all_local.messages);
    EXPECT_EQ(plain.bytes_between_nodes, all_local.bytes_between_nodes);
    EXPECT_EQ(plain.requests, all_local.requests_after_node_step);
    EXPECT_EQ(plain.rounds, all_local.rounds);
}

TEST(Study, of_a_node_step_moves_each_byte_inside_a_node_at_most_twice) {
    auto const workload = make("strided", 16, {{"block", "8"}, {"blocks", "100"}});
    auto const result = study_of(workload, {Layout::contiguous, 4, 4096, 4, CallMode::multi, 4});
    EXPECT_EQ(result.local_aggregators, 4);
    EXPECT_EQ(result.requests, 1600);
    EXPECT_EQ(result.requests_after_node_step, 400);
    EXPECT_EQ(result.bytes_inside_nodes, result.bytes * 3 / 4);
    EXPECT_EQ(result.bytes_between_nodes, result.bytes * 3 / 4);
}

TEST(Study, samples_senders_when_there_is_too_much_to_walk_through) {
    auto const workload = make("strided", 64, {{"block", "64"}, {"blocks", "256"}});
    auto const machine = block_machine(64, 8);
    StudyInput input;
    input.workload = &workload;
    input.machine = &machine;
    input.hints.aggregators = 8;
    auto const exact = study(input);
    input.most_steps = 3000;
    auto const sampled = study(input);
    ASSERT_TRUE(exact.ok() && sampled.ok());
    EXPECT_TRUE(exact->exact);
    EXPECT_FALSE(sampled->exact);
    EXPECT_NEAR(static_cast<double>(sampled->messages), static_cast<double>(exact->messages),
                0.2 * static_cast<double>(exact->messages));
    EXPECT_EQ(sampled->requests, exact->requests);
}

TEST(Study, codes_the_lists_of_all_ranks_or_says_that_it_did_not) {
    auto const workload = make("e3sm-g", 24, {{"cells", "4000"}, {"edges", "0"}, {"vertices", "0"}, {"levels", "2"}});
    auto const machine = block_machine(24, 8);
    StudyInput input;
    input.workload = &workload;
    input.machine = &machine;
    auto const exact = study(input);
    input.most_coded = 100'000;
    auto const sampled = study(input);
    ASSERT_TRUE(exact.ok() && sampled.ok());
    Size bytes = 0;
    for (Rank rank = 0; rank < 24; ++rank) bytes += static_cast<Size>(encode(workload.file_of(rank)).size());
    EXPECT_TRUE(exact->extent_lists_exact);
    EXPECT_EQ(exact->extent_list_bytes, bytes);
    EXPECT_FALSE(sampled->extent_lists_exact);
    EXPECT_NEAR(static_cast<double>(sampled->extent_list_bytes), static_cast<double>(bytes),
                0.2 * static_cast<double>(bytes));
}

TEST(Study, refuses_windows_without_number) {
    auto const workload = make("contiguous", 4, {{"block", "1GiB"}});
    auto const machine = block_machine(4, 2);
    StudyInput input;
    input.workload = &workload;
    input.machine = &machine;
    input.hints.window = 1;
    input.hints.collective_write = Toggle::on;
    EXPECT_EQ(study(input).status().code(), Code::invalid_argument);
}

TEST(Study, tells_its_progress) {
    auto const workload = make("strided", 8);
    auto const machine = block_machine(8, 4);
    std::vector<double> told;
    StudyInput input;
    input.workload = &workload;
    input.machine = &machine;
    input.progress = [&](double done) { told.push_back(done); };
    ASSERT_TRUE(study(input).ok());
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(told.back(), 1);
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
}

}  // namespace
}  // namespace muster
