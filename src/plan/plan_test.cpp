#include "plan/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace muster {
namespace {

constexpr Size KiB = 1024;
constexpr Size MiB = 1024 * KiB;
constexpr Size GiB = 1024 * MiB;

// A case to plan: small pieces of all ranks, from 0 on, without holes.
struct Case {
    Machine machine;
    Hints hints;
    FileLayout layout;
    Summary summary;
    Direction direction{Direction::write};

    bool shared_memory{false};
    bool node_memory{false};
    bool reached_by_all{true};

    Plan plan() const {
        return make_plan(
            {direction, summary, layout, &machine, &hints, shared_memory, node_memory, nullptr, false, reached_by_all});
    }
};

Case small_pieces(Machine machine, Size bytes, Size piece) {
    Case made{std::move(machine), {}, {}, {}, Direction::write};
    made.summary.high = bytes;
    made.summary.bytes = bytes;
    made.summary.pieces = bytes / piece;
    made.summary.largest = bytes / made.machine.rank_count();
    made.summary.ranks_with_data = made.machine.rank_count();
    made.summary.smallest_mean_piece = piece;
    made.summary.coded_bytes = 100 * made.machine.rank_count();
    return made;
}

std::string decision(Plan const& plan, std::string const& subject) {
    for (auto const& each : plan.decisions) {
        if (each.subject == subject) return each.choice + ": " + each.reason;
    }
    return "none";
}

// The whole of it.

TEST(Plan, a_write_on_one_node_as_text) {
    EXPECT_EQ(small_pieces(block_machine(4, 4), 10 * MiB, 8).plan().text(),
              "write, exchange: 10485760 B in 1310720 pieces of 4 ranks\n"
              "aggregators: 1 (0)\n"
              "domains: contiguous 1 by 4 KiB, window 4 MiB, range [0, 10485760)\n"
              "rounds: 3, 3 per chapter\n"
              "metadata: balanced, throttle 32\n"
              "data: balanced, throttle 32\n"
              "  route exchange: a rank's pieces have 8 B on average, less than 64 KiB\n"
              "  aggregators 1: one per node, spread over its ranks\n"
              "  layout contiguous: no stripes known, edges on multiples of 4 KiB\n"
              "  window 4 MiB: one node\n"
              "  chapters 1: extent lists of 400 B per aggregator, within 64 MiB\n"
              "  metadata kernel balanced throttle 32: each aggregator hears from 4 ranks at once\n"
              "  data kernel balanced throttle 32: in a round an aggregator hears from up to 4 of 4 ranks, 853.33 KiB "
              "each\n");
}

TEST(Plan, a_climate_read_from_stripes_as_text) {
    auto climate = small_pieces(block_machine(21600, 64), 15107393454, 11);
    climate.direction = Direction::read;
    climate.layout = {MiB, 64, 4096, "lustre"};
    climate.summary.coded_bytes = 16 * GiB;
    EXPECT_EQ(
        climate.plan().text(),
        "read, exchange: 15107393454 B in 1373399404 pieces of 21600 ranks\n"
        "aggregators: 64 (0, 320, 640, 960, 1344, 1664, 1984, 2304, 2688, 3008, 3328, 3712, 4032, 4352, 4672, "
        "5056, ...)\n"
        "domains: striped 64 by 1 MiB, window 1 MiB, range [0, 15107393454)\n"
        "rounds: 226, 56 per chapter\n"
        "metadata: balanced, throttle 32\n"
        "data: balanced, throttle 32\n"
        "  route exchange: a rank's pieces have 11 B on average, less than 16 KiB\n"
        "  aggregators 64: one for each of 64 stripes, spread over 338 nodes\n"
        "  layout striped: 64 stripes of 1 MiB (lustre)\n"
        "  window 1 MiB: one stripe\n"
        "  chapters 5: extent lists of 256 MiB per aggregator, more than 64 MiB\n"
        "  metadata kernel balanced throttle 32: each aggregator hears from 21600 ranks at once\n"
        "  data kernel balanced throttle 32: in a round an aggregator hears from up to 21600 of 21600 ranks, 48 B "
        "each\n");
}

TEST(Plan, nothing_to_do_as_text) {
    Case idle{block_machine(4, 4), {}, {}, {}, Direction::read};
    idle.hints.collective_read = Toggle::on;
    EXPECT_EQ(idle.plan().text(),
              "read, nothing: 0 B in 0 pieces of 0 ranks\n"
              "  route nothing: nobody accesses a byte\n");
}

// The route.

TEST(Plan, large_pieces_go_directly) {
    auto large = small_pieces(block_machine(4, 4), 64 * MiB, 64 * KiB);
    EXPECT_EQ(decision(large.plan(), "route"), "direct: every rank's pieces have 64 KiB or more on average");
    EXPECT_EQ(large.plan().rounds, 0);
    EXPECT_TRUE(large.plan().aggregators.empty());
    large.summary.smallest_mean_piece = 64 * KiB - 1;
    EXPECT_EQ(large.plan().route, Route::exchange);
}

TEST(Plan, few_large_pieces_go_directly_though_one_rank_has_a_small_one) {
    auto uneven = small_pieces(block_machine(4, 4), 64 * MiB, 36 * KiB);
    uneven.shared_memory = true;
    uneven.summary.pieces = 16;
    EXPECT_EQ(decision(uneven.plan(), "route"), "direct: few pieces, of 4 MiB on average");
    uneven.hints.direct_write = 8 * MiB;
    EXPECT_EQ(uneven.plan().route, Route::shared);
    uneven.hints.direct_write = 4 * MiB;
    EXPECT_EQ(uneven.plan().route, Route::direct);
    uneven.hints.direct_write = 64 * KiB;
    uneven.summary.pieces = 8 * uneven.summary.ranks_with_data + 1;
    EXPECT_EQ(uneven.plan().route, Route::shared);
}

TEST(Plan, lonely_pieces_go_directly_because_nothing_can_be_joined) {
    auto lonely = small_pieces(block_machine(4, 4), 64 * MiB, 8);
    lonely.summary.pieces = 1024;
    lonely.summary.bytes = 8 * 1024;
    EXPECT_EQ(decision(lonely.plan(), "route"), "direct: pieces lie 64 KiB apart: nothing to join");
    lonely.summary.pieces = 1025;
    EXPECT_EQ(lonely.plan().route, Route::exchange);
}

TEST(Plan, ranks_of_one_node_share_windows_where_most_of_them_is_used) {
    auto shared = small_pieces(block_machine(4, 4), 10 * MiB, 8);
    shared.shared_memory = true;
    EXPECT_EQ(shared.plan().text(),
              "write, shared: 10485760 B in 1310720 pieces of 4 ranks\n"
              "aggregators: 1 (0)\n"
              "domains: contiguous 1 by 4 KiB, window 2 MiB, range [0, 10485760)\n"
              "rounds: 5\n"
              "  route shared: a rank's pieces have 8 B on average, less than 64 KiB; all ranks are on one node\n"
              "  aggregators 1: one per node, spread over its ranks\n"
              "  layout contiguous: no stripes known, edges on multiples of 4 KiB\n"
              "  window 2 MiB: one node\n");
    shared.summary.ranks_with_data = 64;
    EXPECT_EQ(shared.plan().rounds, 3);
    shared.summary.bytes = MiB;
    EXPECT_EQ(shared.plan().route, Route::exchange);
    shared.summary.bytes = 10 * MiB;
    shared.hints.shared_memory = Toggle::off;
    EXPECT_EQ(shared.plan().route, Route::exchange);
}

TEST(Plan, many_pieces_of_one_node_are_joined_though_each_is_large) {
    auto many = small_pieces(block_machine(4, 4), 64 * MiB, 256 * KiB);
    EXPECT_EQ(many.plan().route, Route::direct);
    many.shared_memory = true;
    EXPECT_EQ(decision(many.plan(), "route"), "shared: many pieces of less than 512 KiB; all ranks are on one node");
    many.summary.pieces = 8 * many.summary.ranks_with_data;
    EXPECT_EQ(many.plan().route, Route::direct);
    many.summary.pieces = 256;
    many.summary.smallest_mean_piece = 512 * KiB;
    EXPECT_EQ(many.plan().route, Route::direct);
    many.summary.smallest_mean_piece = 256 * KiB;
    many.hints.direct_write = 128 * KiB;
    EXPECT_EQ(many.plan().route, Route::direct);
}

TEST(Plan, reads_go_directly_from_smaller_pieces_on) {
    auto medium = small_pieces(block_machine(4, 4), 64 * MiB, 16 * KiB);
    EXPECT_EQ(medium.plan().route, Route::exchange);
    medium.direction = Direction::read;
    EXPECT_EQ(medium.plan().route, Route::direct);
}

TEST(Plan, hints_settle_the_route_for_their_direction_only) {
    auto write = small_pieces(block_machine(4, 4), MiB, 8);
    write.hints.collective_read = Toggle::off;
    EXPECT_EQ(write.plan().route, Route::exchange);
    write.hints.collective_write = Toggle::off;
    EXPECT_EQ(decision(write.plan(), "route"), "direct: collective_write is off by hint");
    auto large = small_pieces(block_machine(4, 4), 64 * MiB, MiB);
    large.hints.collective_write = Toggle::on;
    EXPECT_EQ(decision(large.plan(), "route"), "exchange: collective_write is on by hint");
}

// Four ranks with a small piece each, one of them far away.
Case far_away(Offset high) {
    auto far = small_pieces(block_machine(4, 4), 256, 64);
    far.summary.high = high;
    far.hints.collective_write = Toggle::on;
    return far;
}

TEST(Plan, a_piece_so_far_away_that_rounds_are_empty_goes_directly_whatever_hints_say) {
    for (auto const high : {Size{1} << 46, Size{1} << 62, std::numeric_limits<Size>::max()}) {
        auto far = far_away(high);
        auto const rounds = std::to_string(high / (4 * MiB));
        EXPECT_EQ(decision(far.plan(), "route"),
                  "direct: collective_write is on by hint, but nearly all of " + rounds + " rounds would be empty");
        EXPECT_EQ(far.plan().decisions.size(), 1U);
        EXPECT_TRUE(far.plan().aggregators.empty());
        EXPECT_EQ(far.plan().rounds, 0);
        far.shared_memory = true;
        EXPECT_EQ(far.plan().route, Route::direct);
        far.layout = {64 * KiB, 4, 4096, "hint"};
        EXPECT_EQ(far.plan().route, Route::direct);
        far.hints.collective_write = Toggle::automatic;
        far.hints.direct_write = 0;
        EXPECT_EQ(far.plan().route, Route::direct);
    }
}

TEST(Plan, hints_are_followed_where_rounds_are_few_or_busy_or_some_rank_cannot_reach_the_file) {
    auto few = far_away(256 * GiB);
    EXPECT_EQ(few.plan().route, Route::exchange);
    EXPECT_EQ(few.plan().rounds, 65536);
    auto many = far_away(2048 * GiB);
    EXPECT_EQ(many.plan().route, Route::direct);
    many.summary.pieces = 32768;  // one for every 16 rounds
    EXPECT_EQ(many.plan().route, Route::exchange);
    auto large = far_away(2048 * GiB);
    large.summary.bytes = 128 * GiB;  // in few pieces, but not for few rounds
    EXPECT_EQ(large.plan().route, Route::exchange);
    auto apart = far_away(2048 * GiB);
    apart.reached_by_all = false;
    EXPECT_EQ(decision(apart.plan(), "route"), "exchange: collective_write is on by hint");
}

TEST(Plan, a_threshold_of_zero_never_goes_directly) {
    auto large = small_pieces(block_machine(4, 4), 64 * MiB, MiB);
    large.hints.direct_write = 0;
    EXPECT_EQ(decision(large.plan(), "route"), "exchange: direct_write is 0 by hint");
}

// The layout.

TEST(Plan, the_layout_follows_the_stripes_unless_a_hint_says_otherwise) {
    auto striped = small_pieces(block_machine(8, 4), 64 * MiB, 8);
    striped.layout = {2 * MiB, 4, 4096, "hint"};
    EXPECT_EQ(decision(striped.plan(), "layout"), "striped: 4 stripes of 2 MiB (hint)");
    EXPECT_EQ(striped.plan().aggregators, (std::vector<Rank>{0, 2, 4, 6}));
    striped.hints.layout = Layout::contiguous;
    EXPECT_EQ(decision(striped.plan(), "layout"), "contiguous: by hint, edges on multiples of 2 MiB");
    striped.hints.layout = Layout::striped;
    EXPECT_EQ(decision(striped.plan(), "layout"), "striped: 4 stripes of 2 MiB (hint), by hint");
}

TEST(Plan, one_stripe_is_no_reason_to_stripe) {
    auto single = small_pieces(block_machine(8, 4), 64 * MiB, 8);
    single.layout = {MiB, 1, 4096, "lustre"};
    EXPECT_EQ(decision(single.plan(), "layout"), "contiguous: one stripe, edges on multiples of 1 MiB");
}

TEST(Plan, stripes_asked_for_need_not_be_known) {
    auto unknown = small_pieces(block_machine(8, 4), 64 * MiB, 8);
    unknown.hints.layout = Layout::striped;
    EXPECT_EQ(decision(unknown.plan(), "layout"), "striped: by hint; the stripe size is not known and taken as 1 MiB");
    unknown.hints.stripe_size = 100;
    EXPECT_EQ(decision(unknown.plan(), "layout"), "striped: by hint, stripe 100 B");
    EXPECT_EQ(unknown.plan().domains.unit, 100);
}

TEST(Plan, blocks_have_4096_bytes_at_least) {
    auto blocks = small_pieces(block_machine(8, 4), 64 * MiB, 8);
    blocks.layout.block_size = 512;
    EXPECT_EQ(blocks.plan().domains.unit, 4096);
    blocks.layout.block_size = 64 * KiB;
    EXPECT_EQ(blocks.plan().domains.unit, 64 * KiB);
}

// The window.

std::string window(Case const& planned) { return decision(planned.plan(), "window"); }

TEST(Plan, windows_of_blocks_grow_with_the_nodes_but_not_beyond_the_data) {
    EXPECT_EQ(window(small_pieces(block_machine(8, 8), GiB, 8)), "4 MiB: one node");
    EXPECT_EQ(window(small_pieces(block_machine(8, 4), GiB, 8)), "16 MiB: several nodes");
    EXPECT_EQ(window(small_pieces(block_machine(8, 4), 10000, 8)), "8 KiB: all an aggregator has");
}

TEST(Plan, shared_windows_are_several_even_for_little) {
    auto shared = small_pieces(block_machine(4, 4), 2 * MiB, 8);
    shared.shared_memory = true;
    EXPECT_EQ(window(shared), "1 MiB: one node");
    auto large = small_pieces(block_machine(4, 4), GiB, 8);
    large.shared_memory = true;
    EXPECT_EQ(window(large), "4 MiB: one node");
}

TEST(Plan, shared_windows_to_read_are_small_unless_many_wait_for_each) {
    auto few = small_pieces(block_machine(8, 8), GiB, 8), many = small_pieces(block_machine(64, 64), GiB, 8);
    few.shared_memory = many.shared_memory = true;
    few.direction = many.direction = Direction::read;
    EXPECT_EQ(window(few), "2 MiB: one node");
    EXPECT_EQ(window(many), "4 MiB: one node");
}

TEST(Plan, windows_of_blocks_are_whole_blocks) {
    auto odd = small_pieces(block_machine(8, 8), GiB, 8);
    odd.layout.block_size = 3 * MiB;
    EXPECT_EQ(window(odd), "3 MiB: one node");
    odd.hints.window = 4 * MiB;
    EXPECT_EQ(window(odd), "6 MiB: by hint, 4 MiB in whole blocks");
    odd.hints.window = 6 * MiB;
    EXPECT_EQ(window(odd), "6 MiB: by hint, 6 MiB");
    odd.hints.window = 4 * GiB;
    EXPECT_EQ(window(odd), "1 GiB: by hint, 4 GiB, more than an aggregator has");
}

TEST(Plan, a_small_window_is_honoured) {
    auto tiny = small_pieces(block_machine(4, 4), 1000, 8);
    tiny.hints.window = 64;
    EXPECT_EQ(tiny.plan().domains.text(), "contiguous 1 by 64 B, window 64 B, range [0, 1000)");
    EXPECT_EQ(tiny.plan().rounds, 16);
    tiny.hints.layout = Layout::striped;
    EXPECT_EQ(window(tiny), "64 B: by hint, 64 B of a stripe");
    EXPECT_EQ(tiny.plan().rounds, 16);
}

TEST(Plan, windows_of_stripes_are_whole_stripes_or_parts_of_one) {
    auto striped = small_pieces(block_machine(8, 4), GiB, 8);
    striped.layout = {MiB, 4, 4096, "lustre"};
    EXPECT_EQ(window(striped), "1 MiB: one stripe");
    striped.hints.window = 5 * MiB + 1;
    EXPECT_EQ(window(striped), "5 MiB: by hint, 5 MiB in whole stripes");
    striped.hints.window = GiB;
    EXPECT_EQ(window(striped), "256 MiB: by hint, 1 GiB, more than an aggregator has");
    EXPECT_EQ(striped.plan().rounds, 1);
    striped.hints.window = 0;
    striped.layout.stripe_size = 40 * MiB;
    EXPECT_EQ(window(striped), "13.33 MiB: a part of a stripe");
    EXPECT_EQ(striped.plan().rounds, 21);
}

// Chapters.

TEST(Plan, extent_lists_that_fit_make_one_chapter) {
    auto lists = small_pieces(block_machine(4, 4), 40 * MiB, 8);
    lists.summary.coded_bytes = 64 * MiB;
    EXPECT_EQ(lists.plan().rounds_per_chapter, 10);
    lists.summary.coded_bytes += 1;
    EXPECT_EQ(lists.plan().rounds_per_chapter, 9);
    EXPECT_EQ(decision(lists.plan(), "chapters"), "2: extent lists of 64 MiB per aggregator, more than 64 MiB");
}

TEST(Plan, a_chapter_has_one_round_at_least) {
    auto lists = small_pieces(block_machine(4, 4), 40 * MiB, 8);
    lists.summary.coded_bytes = Size{1} << 60;
    lists.hints.metadata_memory = 1;
    EXPECT_EQ(lists.plan().rounds_per_chapter, 1);
    EXPECT_EQ(decision(lists.plan(), "chapters"), "10: extent lists of 1 EiB per aggregator, more than 1 B");
}

// Kernels and the rest.

TEST(Plan, kernels_and_throttles_are_chosen_for_metadata_and_data_apart) {
    auto blocks = small_pieces(block_machine(64, 16), GiB, 32 * KiB);
    blocks.hints.window = 32 * KiB;
    auto const plan = blocks.plan();
    EXPECT_EQ(plan.metadata_kernel, Kernel::balanced);
    EXPECT_EQ(plan.metadata_throttle, 32);
    EXPECT_EQ(plan.data_kernel, Kernel::ascending_sync);
    EXPECT_EQ(plan.throttle, 0);
    EXPECT_EQ(decision(plan, "data kernel"),
              "ascending-sync unthrottled: in a round an aggregator hears from up to 2 of 64 ranks, 16 KiB each");
}

TEST(Plan, hinted_kernels_take_the_hinted_throttle) {
    auto hinted = small_pieces(block_machine(4, 4), MiB, 8);
    hinted.hints.data_kernel = Kernel::spread_out;
    hinted.hints.throttle = 2;
    EXPECT_EQ(hinted.plan().data_kernel, Kernel::spread_out);
    EXPECT_EQ(hinted.plan().throttle, 2);
}

TEST(Plan, messages_inside_a_node_may_have_a_throttle_of_their_own) {
    auto hinted = small_pieces(block_machine(4, 4), MiB, 8);
    EXPECT_EQ(hinted.plan().throttle_inside, 0);
    hinted.hints.throttle_inside = 3;
    EXPECT_EQ(hinted.plan().throttle_inside, 3);
    EXPECT_EQ(decision(hinted.plan(), "throttle inside a node"), "3: by hint");
}

TEST(Plan, hints_that_cannot_be_followed_are_named) {
    auto asking = small_pieces(block_machine(4, 4), MiB, 8);
    asking.hints.aggregators = 9;
    asking.hints.local_aggregators = 2;
    EXPECT_EQ(decision(asking.plan(), "aggregators"),
              "4: 9 aggregators by hint, but there are only 4 ranks, spread over its ranks");
    EXPECT_EQ(decision(asking.plan(), "local aggregators"),
              "none: 2 by hint, but there are no nodes whose ranks share memory");
    asking.hints.local_aggregators = 0;
    EXPECT_EQ(decision(asking.plan(), "local aggregators"), "none");
}

TEST(Plan, small_messages_are_gathered_inside_the_nodes_first) {
    auto gathered = small_pieces(block_machine(16384, 64), 200 * GiB, 40);
    gathered.layout = {MiB, 64, 4096, "lustre"};
    EXPECT_EQ(gathered.plan().local_aggregators, 0);
    gathered.node_memory = true;
    auto const plan = gathered.plan();
    EXPECT_EQ(plan.local_aggregators, 1);
    EXPECT_EQ(decision(plan, "local aggregators"),
              "1 rank per node: messages of 64 B are joined inside the nodes first");
    EXPECT_NE(plan.text().find("\nlocal aggregators: 1 per node\n"), std::string::npos) << plan.text();
    EXPECT_NE(decision(plan, "data kernel").find("of 256 ranks"), std::string::npos);
}

TEST(Plan, with_few_nodes_several_ranks_of_each_gather) {
    auto gathered = small_pieces(block_machine(1024, 64), 64 * MiB, 8);
    gathered.node_memory = true;
    EXPECT_EQ(gathered.plan().local_aggregators, 8);
    gathered.hints.local_aggregators = 3;
    EXPECT_EQ(decision(gathered.plan(), "local aggregators"), "3 ranks per node: 3 by hint");
}

TEST(Plan, as_many_local_aggregators_as_ranks_is_plain_two_phase_io) {
    auto plain = small_pieces(block_machine(8, 4), 64 * MiB, 8);
    auto const expected = plain.plan();
    plain.node_memory = true;
    plain.hints.local_aggregators = 4;
    auto const plan = plain.plan();
    EXPECT_EQ(plan.local_aggregators, 0);
    EXPECT_EQ(plan.domains, expected.domains);
    EXPECT_EQ(plan.data_kernel, expected.data_kernel);
    EXPECT_EQ(decision(plan, "local aggregators"), "none: 4 by hint: every rank for itself");
}

TEST(Plan, lists_are_merged_in_chapters_where_they_would_take_too_much_memory) {
    auto gathered = small_pieces(block_machine(64, 32), 4 * GiB, 16);
    gathered.node_memory = true;
    gathered.hints.local_aggregators = 1;
    gathered.hints.metadata_memory = 256 * MiB;
    auto const plan = gathered.plan();  // 2^28 pieces, 2^27 for each local aggregator, 16 bytes taken apart
    EXPECT_EQ(plan.rounds / plan.rounds_per_chapter, 8);
}

TEST(Plan, aggregators_are_found_by_rank) {
    auto listed = small_pieces(block_machine(8, 4), MiB, 8);
    listed.hints.aggregator_list = {5, 0, 3};
    auto const plan = listed.plan();
    EXPECT_EQ(plan.aggregator_index(5), 0);
    EXPECT_EQ(plan.aggregator_index(3), 2);
    EXPECT_EQ(plan.aggregator_index(4), -1);
}

// Whatever comes in, the plan can be run.
TEST(Plan, any_case_gives_a_plan_that_can_be_run) {
    std::mt19937_64 random{9};
    auto const below = [&](Size limit) { return static_cast<Size>(random() % static_cast<std::uint64_t>(limit)); };
    for (int trial = 0; trial < 5000; ++trial) {
        auto any =
            small_pieces(block_machine(int(1 + below(40)), int(1 + below(8))), 1 + below(Size{1} << below(50)), 1);
        any.summary.low = below(Size{1} << below(55));
        any.summary.high += any.summary.low;
        any.summary.coded_bytes = below(Size{1} << below(40));
        if (below(2) == 0) any.layout = {1 + below(Size{1} << below(36)), int(1 + below(100)), 4096, "lustre"};
        any.hints.window = below(3) == 0 ? 0 : 1 + below(Size{1} << below(40));
        any.hints.layout = static_cast<Layout>(below(3));
        any.hints.aggregators = int(below(50));
        any.hints.aggregators_per_node = int(below(4));
        any.hints.metadata_memory = below(Size{1} << below(30));
        auto const plan = any.plan();
        SCOPED_TRACE(plan.text());
        ASSERT_EQ(plan.route, Route::exchange);
        ASSERT_EQ(plan.domains.count, static_cast<int>(plan.aggregators.size()));
        ASSERT_EQ(plan.domains.range, (Extent{any.summary.low, any.summary.high - any.summary.low}));
        ASSERT_GE(plan.domains.unit, 1);
        ASSERT_GE(plan.domains.window, 1);
        ASSERT_GE(plan.rounds, 1);
        ASSERT_GE(plan.rounds_per_chapter, 1);
        ASSERT_LE(plan.rounds_per_chapter, plan.rounds);
        ASSERT_LE(plan.domains.round_of(any.summary.high - 1), plan.rounds - 1);
        ASSERT_LE(plan.domains.part_size() * plan.domains.parts(), plan.domains.window);
        auto const asked = any.hints.window > 0 ? any.hints.window + plan.domains.unit - 1 : 16 * MiB;
        ASSERT_LE(plan.domains.window, asked);
    }
}

}  // namespace
}  // namespace muster
