#include "plan/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "machine/machine.hpp"

namespace muster {
namespace {

using Index = std::size_t;

// The published example: 8 ranks, of which the first four receive.
Pattern example(Kernel kernel, int throttle) {
    return {kernel, 8, {0, 1, 2, 3}, block_machine(8, 4).ranks_round_robin(), throttle, Direction::write};
}

std::vector<Schedule> schedules_of(Pattern const& pattern) {
    std::vector<Schedule> schedules;
    for (Rank rank = 0; rank < pattern.ranks; ++rank) schedules.push_back(schedule_of(pattern, rank));
    return schedules;
}

std::string text_of(Pattern const& pattern) {
    std::string text;
    for (auto const& schedule : schedules_of(pattern)) text += schedule.text() + "\n";
    return text;
}

TEST(Schedule, balanced_receivers_start_with_different_senders) {
    auto const schedules = schedules_of(example(Kernel::balanced, 2));
    std::vector<Rank> first;
    for (Rank rank = 0; rank < 4; ++rank) first.push_back(schedules[Index(rank)].steps[0].receive_from[0]);
    EXPECT_EQ(first, (std::vector<Rank>{0, 1, 2, 3}));
}

TEST(Schedule, balanced_senders_start_with_the_receiver_of_their_group_and_walk_downwards) {
    EXPECT_EQ(text_of(example(Kernel::balanced, 2)),
              "receive 0 4 send 0; receive 1 5 send 3; receive 2 6 send 2; receive 3 7 send 1;\n"
              "receive 1 5 send 1; receive 2 6 send 0; receive 3 7 send 3; receive 0 4 send 2;\n"
              "receive 2 6 send 2; receive 3 7 send 1; receive 0 4 send 0; receive 1 5 send 3;\n"
              "receive 3 7 send 3; receive 0 4 send 2; receive 1 5 send 1; receive 2 6 send 0;\n"
              "send 0; send 3; send 2; send 1;\n"
              "send 1; send 0; send 3; send 2;\n"
              "send 2; send 1; send 0; send 3;\n"
              "send 3; send 2; send 1; send 0;\n");
}

TEST(Schedule, all_ranks_above_send_to_the_highest_receiver_first_when_spread_out) {
    auto const schedules = schedules_of(example(Kernel::spread_out, 0));
    std::vector<Rank> first;
    for (auto const& schedule : schedules) first.push_back(schedule.steps[0].send_to[0]);
    EXPECT_EQ(first, (std::vector<Rank>{0, 1, 2, 3, 3, 3, 3, 3}));
    EXPECT_EQ(schedules[3].text(), "receive 3 4 5 6 7 0 1 2 send 3 2 1 0;");
}

TEST(Schedule, the_throttle_cuts_the_receives_into_steps) {
    EXPECT_EQ(schedule_of(example(Kernel::spread_out, 5), 3).text(), "receive 3 4 5 6 7 send 3 2 1 0; receive 0 1 2;");
}

TEST(Schedule, ascending_takes_the_ranks_in_order) {
    EXPECT_EQ(schedule_of(example(Kernel::ascending, 0), 2).text(), "receive 0 1 2 3 4 5 6 7 send 0 1 2 3;");
    EXPECT_EQ(schedule_of(example(Kernel::ascending, 3), 2).text(),
              "receive 0 1 2 send 0 1 2 3; receive 3 4 5; receive 6 7;");
    EXPECT_EQ(schedule_of(example(Kernel::ascending, 3), 4).text(), "send 0 1 2 3;");
    EXPECT_EQ(text_of(example(Kernel::ascending_sync, 3)), text_of(example(Kernel::ascending, 3)));
}

TEST(Schedule, pairwise_partners_exchange_one_by_one) {
    EXPECT_EQ(text_of({Kernel::pairwise, 4, {0, 2}, {}, 0, Direction::write}),
              "receive 0 send 0; receive 1; receive 2 send 2; receive 3;\n"
              "send 0; send 2;\n"
              "receive 2 send 2; receive 3; receive 0 send 0; receive 1;\n"
              "send 2; send 0;\n");
    EXPECT_EQ(text_of({Kernel::pairwise, 3, {1}, {}, 0, Direction::write}),
              "send 1;\n"
              "receive 1 send 1; receive 0; receive 2;\n"
              "send 1;\n");
}

TEST(Schedule, a_read_goes_the_other_way_round) {
    auto pattern = example(Kernel::balanced, 3);
    auto const writing = schedules_of(pattern);
    pattern.direction = Direction::read;
    auto const reading = schedules_of(pattern);
    for (Index rank = 0; rank < 8; ++rank) {
        ASSERT_EQ(reading[rank].steps.size(), writing[rank].steps.size());
        for (Index i = 0; i < reading[rank].steps.size(); ++i) {
            EXPECT_EQ(reading[rank].steps[i].receive_from, writing[rank].steps[i].send_to);
            EXPECT_EQ(reading[rank].steps[i].send_to, writing[rank].steps[i].receive_from);
        }
    }
}

TEST(Schedule, what_the_library_orders_itself_has_no_steps) {
    EXPECT_TRUE(schedule_of(example(Kernel::alltoallw, 4), 0).steps.empty());
    EXPECT_TRUE(schedule_of(example(Kernel::automatic, 4), 0).steps.empty());
}

// Runs schedules: a rank starts all messages of a step and goes on when all are done; a message is done when both sides
// have started it.
class Execution {
public:
    explicit Execution(std::vector<Schedule> const& schedules)
        : schedules_{schedules},
          next_(schedules.size(), 0),
          open_(schedules.size(), 0),
          started_(schedules.size() * schedules.size(), false) {}

    // Whether everybody gets to the end.
    bool run() {
        for (Index rank = 0; rank < schedules_.size(); ++rank) ready_.push_back(rank);
        while (!ready_.empty()) {
            auto const rank = ready_.back();
            ready_.pop_back();
            if (next_[rank] < schedules_[rank].steps.size()) start(rank, schedules_[rank].steps[next_[rank]++]);
        }
        for (Index rank = 0; rank < schedules_.size(); ++rank) {
            if (open_[rank] > 0 || next_[rank] < schedules_[rank].steps.size()) return false;
        }
        return true;
    }

private:
    void start(Index rank, Step const& step) {
        open_[rank] = step.receive_from.size() + step.send_to.size();
        for (auto const peer : step.receive_from) meet(Index(peer), rank);
        for (auto const peer : step.send_to) meet(rank, Index(peer));
    }

    void meet(Index sender, Index receiver) {
        auto const slot = sender * schedules_.size() + receiver;
        if (!started_[slot]) {
            started_[slot] = true;
            return;
        }
        for (auto const side : {sender, receiver}) {
            if (--open_[side] == 0) ready_.push_back(side);
        }
    }

    std::vector<Schedule> const& schedules_;
    std::vector<Index> next_;
    std::vector<Index> open_;
    std::vector<Index> ready_;
    std::vector<bool> started_;  // by sender and receiver: one side has; the other side completes it
};

TEST(Schedule, the_execution_of_the_test_notices_a_deadlock) {
    std::vector<Schedule> circle{{{{{}, {1}}, {{1}, {}}}}, {{{{}, {0}}, {{0}, {}}}}};
    EXPECT_FALSE(Execution{circle}.run());
    std::vector<Schedule> pair{{{{{1}, {1}}}}, {{{{}, {0}}, {{0}, {}}}}};
    EXPECT_TRUE(Execution{pair}.run());
}

using Pairs = std::vector<std::pair<Rank, Rank>>;  // sender, receiver

Pairs sorted(Pairs pairs) {
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

void expect_each_pair_once(Pattern const& pattern, std::vector<Schedule> const& schedules) {
    Pairs expected;
    for (auto const aggregator : pattern.aggregators) {
        for (Rank rank = 0; rank < pattern.ranks; ++rank) {
            auto const write = pattern.direction == Direction::write;
            expected.push_back(write ? std::pair{rank, aggregator} : std::pair{aggregator, rank});
        }
    }
    Pairs sent;
    Pairs received;
    for (Rank rank = 0; rank < pattern.ranks; ++rank) {
        for (auto const& step : schedules[Index(rank)].steps) {
            for (auto const peer : step.send_to) sent.push_back({rank, peer});
            for (auto const peer : step.receive_from) received.push_back({peer, rank});
        }
    }
    EXPECT_EQ(sorted(sent), sorted(expected));
    EXPECT_EQ(sorted(received), sorted(expected));
}

void expect_throttled(Pattern const& pattern, std::vector<Schedule> const& schedules) {
    if (pattern.throttle == 0) return;
    auto const throttle = static_cast<Index>(pattern.throttle);
    auto const ascending = pattern.kernel == Kernel::ascending;
    Index most_at_aggregator = 0;
    Index most_at_rank = 0;
    for (auto const& schedule : schedules) {
        for (auto const& step : schedule.steps) {
            auto const write = pattern.direction == Direction::write;
            most_at_aggregator = std::max(most_at_aggregator, (write ? step.receive_from : step.send_to).size());
            most_at_rank = std::max(most_at_rank, (write ? step.send_to : step.receive_from).size());
        }
    }
    EXPECT_LE(most_at_aggregator, throttle);
    EXPECT_LE(most_at_rank, ascending ? pattern.aggregators.size() : throttle);
}

void check(Pattern const& pattern) {
    auto const schedules = schedules_of(pattern);
    expect_each_pair_once(pattern, schedules);
    expect_throttled(pattern, schedules);
    EXPECT_TRUE(Execution{schedules}.run());
}

// ascending_sync has the order of ascending.
constexpr Kernel kernels[] = {Kernel::ascending, Kernel::spread_out, Kernel::balanced, Kernel::pairwise};

void check_kernels_and_throttles(Pattern pattern) {
    for (auto const kernel : kernels) {
        for (auto const throttle : {1, 2, 3, 5, 8, 32, 0}) {
            pattern.kernel = kernel;
            pattern.throttle = throttle;
            SCOPED_TRACE(testing::Message() << "kernel " << static_cast<int>(kernel) << " ranks " << pattern.ranks
                                            << " aggregators " << pattern.aggregators.size() << " throttle " << throttle
                                            << " " << name_of(pattern.direction));
            check(pattern);
        }
    }
}

TEST(Schedule, all_messages_pass_once_throttled_and_without_deadlock) {
    std::mt19937 random{5};
    for (int ranks = 1; ranks < 24; ++ranks) {
        for (int count = 1; count <= ranks && !testing::Test::HasFailure(); ++count) {
            std::vector<Rank> order(static_cast<Index>(ranks));
            std::iota(order.begin(), order.end(), 0);
            std::shuffle(order.begin(), order.end(), random);
            std::vector<Rank> const aggregators(order.begin(), order.begin() + count);
            std::shuffle(order.begin(), order.end(), random);
            check_kernels_and_throttles({{}, ranks, aggregators, order, 0, Direction::write});
            if (ranks < 12) check_kernels_and_throttles({{}, ranks, aggregators, {}, 0, Direction::read});
        }
    }
}

// Ranks often have nothing for an aggregator; both sides then leave that message out.
TEST(Schedule, messages_may_be_left_out) {
    std::mt19937 random{6};
    for (auto const kernel : kernels) {
        for (int trial = 0; trial < 50; ++trial) {
            std::set<std::pair<Rank, Rank>> absent;
            for (int i = 0; i < 60; ++i) absent.insert({Rank(random() % 13), Rank(random() % 13)});
            auto schedules = schedules_of({kernel, 13, {9, 0, 4, 5, 12}, {}, 2, Direction::write});
            for (Rank rank = 0; rank < 13; ++rank) {
                for (auto& step : schedules[Index(rank)].steps) {
                    std::erase_if(step.send_to, [&](Rank peer) { return absent.contains({rank, peer}); });
                    std::erase_if(step.receive_from, [&](Rank peer) { return absent.contains({peer, rank}); });
                }
                std::erase(schedules[Index(rank)].steps, Step{});
            }
            EXPECT_TRUE(Execution{schedules}.run()) << static_cast<int>(kernel);
        }
    }
}

}  // namespace
}  // namespace muster
