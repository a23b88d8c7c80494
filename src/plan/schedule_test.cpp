#include "plan/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include "machine/machine.hpp"

namespace muster {
namespace {

using Index = std::size_t;

// The published example: 8 ranks, of which the first four receive.
Pattern example(Kernel kernel) { return {kernel, 8, {0, 1, 2, 3}, block_machine(8, 4).ranks_round_robin()}; }

TEST(Schedule, balanced_senders_start_with_the_receiver_of_their_group_and_walk_downwards) {
    EXPECT_EQ(Schedule{example(Kernel::balanced)}.text(),
              "to 0 3 2 1, from 0 4 1 5 2 6 3 7\n"
              "to 1 0 3 2, from 1 5 2 6 3 7 0 4\n"
              "to 2 1 0 3, from 2 6 3 7 0 4 1 5\n"
              "to 3 2 1 0, from 3 7 0 4 1 5 2 6\n"
              "to 0 3 2 1\n"
              "to 1 0 3 2\n"
              "to 2 1 0 3\n"
              "to 3 2 1 0\n");
}

TEST(Schedule, all_ranks_above_send_to_the_highest_receiver_first_when_spread_out) {
    EXPECT_EQ(Schedule{example(Kernel::spread_out)}.text(),
              "to 0 3 2 1, from 0 1 2 3 4 5 6 7\n"
              "to 1 0 3 2, from 1 2 3 4 5 6 7 0\n"
              "to 2 1 0 3, from 2 3 4 5 6 7 0 1\n"
              "to 3 2 1 0, from 3 4 5 6 7 0 1 2\n"
              "to 3 2 1 0\n"
              "to 3 2 1 0\n"
              "to 3 2 1 0\n"
              "to 3 2 1 0\n");
}

TEST(Schedule, ascending_takes_the_ranks_in_order) {
    Schedule const schedule{example(Kernel::ascending)};
    EXPECT_EQ(schedule.ranks_of(2), (std::vector<Rank>{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(schedule.aggregators_of(6), (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(schedule.text(), Schedule{example(Kernel::ascending_sync)}.text());
}

TEST(Schedule, pairwise_partners_exchange_one_by_one) {
    EXPECT_EQ(Schedule({Kernel::pairwise, 4, {0, 2}, {}}).text(),
              "to 0 2, from 0 1 2 3\n"
              "to 0 2\n"
              "to 2 0, from 2 3 0 1\n"
              "to 2 0\n");
    EXPECT_EQ(Schedule({Kernel::pairwise, 3, {1}, {}}).text(), "to 1\nto 1, from 1 0 2\nto 1\n");
}

// A rank list of one's own: here backwards.
TEST(Schedule, balanced_follows_any_rank_list) {
    EXPECT_EQ(Schedule({Kernel::balanced, 4, {0, 1}, {3, 2, 1, 0}}).text(),
              "to 1 0, from 3 2 1 0\n"
              "to 1 0, from 1 0 3 2\n"
              "to 0 1\n"
              "to 0 1\n");
}

// Messages under way between ranks and aggregators. Each end starts its messages in its order, as many as the throttle
// and an aggregator's room allow; a message is done when both ends have started it.
class Execution {
public:
    using Bytes = std::function<int(int aggregator, Rank rank)>;  // 0: no message

    Execution(
        Pattern const& pattern, int throttle, Bytes bytes = [](int, Rank) { return 1; }, int room = 1 << 30)
        : ranks_{pattern.ranks}, throttle_{throttle}, room_{room}, bytes_{std::move(bytes)} {
        Schedule const schedule{pattern};
        for (Rank rank = 0; rank < ranks_; ++rank) {
            ends_.emplace_back();
            for (auto const aggregator : schedule.aggregators_of(rank)) add(aggregator, rank);
        }
        for (int aggregator = 0; aggregator < static_cast<int>(pattern.aggregators.size()); ++aggregator) {
            ends_.emplace_back();
            for (auto const rank : schedule.ranks_of(aggregator)) add(aggregator, rank);
        }
        started_.resize(Index(ranks_) * pattern.aggregators.size());
    }

    // Whether all messages get through.
    bool run() {
        for (Index end = 0; end < ends_.size(); ++end) ready_.push_back(end);
        while (!ready_.empty()) {
            auto const end = ready_.back();
            ready_.pop_back();
            while (may_start(end)) start(end);
        }
        return std::all_of(ends_.begin(), ends_.end(),
                           [](End const& end) { return end.flying == 0 && end.next == end.messages.size(); });
    }
    int most_flying() const { return most_flying_; }
    // Gives an end the opposite order.
    void turn_round(Index end) { std::reverse(ends_[end].messages.begin(), ends_[end].messages.end()); }

private:
    struct End {
        std::vector<Index> messages;  // aggregator * ranks + rank
        Index next{0};
        int flying{0};
        int bytes{0};  // under way
    };

    void add(int aggregator, Rank rank) {
        if (bytes_(aggregator, rank) > 0)
            ends_.back().messages.push_back(Index(aggregator) * Index(ranks_) + Index(rank));
    }
    int bytes_of(Index message) const {
        return bytes_(static_cast<int>(message / Index(ranks_)), static_cast<Rank>(message % Index(ranks_)));
    }
    bool may_start(Index index) const {
        auto const& end = ends_[index];
        if (end.next == end.messages.size() || (throttle_ > 0 && end.flying == throttle_)) return false;
        return index < Index(ranks_) || end.bytes + bytes_of(end.messages[end.next]) <= room_;
    }
    void start(Index index) {
        auto& end = ends_[index];
        auto const message = end.messages[end.next++];
        most_flying_ = std::max(most_flying_, ++end.flying);
        end.bytes += bytes_of(message);
        if (++started_[message] == 2) finish(message);
    }
    void finish(Index message) {
        for (auto const index : {message % Index(ranks_), Index(ranks_) + message / Index(ranks_)}) {
            --ends_[index].flying;
            ends_[index].bytes -= bytes_of(message);
            ready_.push_back(index);
        }
    }

    int ranks_;
    int throttle_;
    int room_;
    Bytes bytes_;
    std::vector<End> ends_;  // of the ranks, then of the aggregators
    std::vector<int> started_;
    std::vector<Index> ready_;
    int most_flying_{0};
};

// ascending_sync has the order of ascending.
constexpr Kernel kernels[] = {Kernel::ascending, Kernel::spread_out, Kernel::balanced, Kernel::pairwise};

std::vector<Rank> shuffled(int count, std::mt19937& random) {
    std::vector<Rank> ranks(static_cast<Index>(count));
    std::iota(ranks.begin(), ranks.end(), 0);
    std::shuffle(ranks.begin(), ranks.end(), random);
    return ranks;
}

// Any aggregators, any rank list.
Pattern random_pattern(int ranks, int aggregators, std::mt19937& random) {
    auto servers = shuffled(ranks, random);
    servers.resize(static_cast<Index>(aggregators));
    return {{}, ranks, std::move(servers), shuffled(ranks, random)};
}

std::string described(Pattern const& pattern, int throttle) {
    return "kernel " + std::to_string(static_cast<int>(pattern.kernel)) + ", throttle " + std::to_string(throttle) +
           ", " + std::to_string(pattern.aggregators.size()) + " aggregators\n" + Schedule{pattern}.text();
}

TEST(Schedule, each_aggregator_hears_from_each_rank_once) {
    std::mt19937 random{4};
    for (int ranks = 1; ranks < 40; ++ranks) {
        for (auto const kernel : kernels) {
            auto pattern = random_pattern(ranks, (ranks + 2) / 3, random);
            pattern.kernel = kernel;
            for (int i = 0; i < static_cast<int>(pattern.aggregators.size()); ++i) {
                auto order = Schedule{pattern}.ranks_of(i);
                std::sort(order.begin(), order.end());
                std::vector<Rank> all(static_cast<Index>(ranks));
                std::iota(all.begin(), all.end(), 0);
                ASSERT_EQ(order, all) << described(pattern, 0);
            }
        }
    }
}

TEST(Schedule, all_messages_get_through_throttled_on_any_number_of_ranks) {
    std::mt19937 random{5};
    for (int ranks = 1; ranks < 40; ++ranks) {
        for (int count = 1; count <= ranks; ++count) {
            auto pattern = random_pattern(ranks, count, random);
            for (auto const kernel : kernels) {
                pattern.kernel = kernel;
                for (auto const throttle : {1, 3, 32, 0}) {
                    Execution execution{pattern, throttle};
                    ASSERT_TRUE(execution.run()) << described(pattern, throttle);
                    ASSERT_LE(execution.most_flying(), throttle > 0 ? throttle : ranks) << described(pattern, throttle);
                }
            }
        }
    }
}

// Ranks often have nothing for an aggregator, and an aggregator's room is bounded: what does not fit waits.
TEST(Schedule, messages_may_be_absent_and_may_have_to_wait_for_room) {
    std::mt19937 random{6};
    for (int trial = 0; trial < 3000; ++trial) {
        auto const ranks = 1 + static_cast<int>(random() % 20);
        auto pattern = random_pattern(ranks, 1 + static_cast<int>(random() % static_cast<unsigned>(ranks)), random);
        pattern.kernel = kernels[random() % 4];
        std::vector<int> bytes(Index(ranks) * pattern.aggregators.size());
        for (auto& each : bytes) each = std::max(0, static_cast<int>(random() % 20) - 9);
        auto const throttle = static_cast<int>(random() % 4);
        auto const look_up = [&](int aggregator, Rank rank) {
            return bytes[Index(aggregator) * Index(ranks) + Index(rank)];
        };
        Execution execution{pattern, throttle, look_up, 10};
        ASSERT_TRUE(execution.run()) << described(pattern, throttle);
    }
}

TEST(Schedule, the_execution_notices_a_circle) {
    Execution execution{{Kernel::ascending, 2, {0, 1}, {}}, 1};
    execution.turn_round(0);  // rank 0 serves aggregator 1 first
    execution.turn_round(3);  // aggregator 1 hears from rank 1 first
    EXPECT_FALSE(execution.run());
}

// The model of the paper: one message at a time each way; a transfer takes 1 with a deviation sigma. How long the
// aggregators wait for senders that are still busy with others.
struct Delays {
    double at_first{0};  // aggregator of index 0
    double finish{0};    // when the last message has arrived
};

Delays simulate(Pattern const& pattern, double sigma, std::mt19937& random) {
    Schedule const schedule{pattern};
    std::normal_distribution<double> duration{1, sigma};
    std::vector<std::tuple<int, int, Rank>> messages;
    for (int i = 0; i < static_cast<int>(pattern.aggregators.size()); ++i) {
        for (Rank rank = 0; rank < pattern.ranks; ++rank) messages.emplace_back(schedule.position(i, rank), i, rank);
    }
    std::sort(messages.begin(), messages.end());
    std::vector<double> sender_free(Index(pattern.ranks)), receiver_free(pattern.aggregators.size());
    Delays delays;
    for (auto const& [position, aggregator, rank] : messages) {
        auto& sender = sender_free[Index(rank)];
        auto& receiver = receiver_free[Index(aggregator)];
        if (aggregator == 0) delays.at_first += std::max(0.0, sender - receiver);
        sender = receiver = std::max(sender, receiver) + std::max(0.0, duration(random));
        delays.finish = std::max(delays.finish, receiver);
    }
    return delays;
}

Delays mean_delays(Kernel kernel, int ranks, double sigma) {
    std::mt19937 random{8};
    constexpr int trials = 50;
    Delays mean;
    for (int i = 0; i < trials; ++i) {
        auto const one = simulate({kernel, ranks, {0, 1, 2, 3}, {}}, sigma, random);
        mean.at_first += one.at_first / trials;
        mean.finish += one.finish / trials;
    }
    return mean;
}

TEST(Schedule, stragglers_delay_spread_out_receivers_but_not_balanced_ones) {
    for (auto const ranks : {32, 64, 256}) {
        constexpr double sigma = 1.0 / 8;
        auto const bound =
            (ranks - 1) * sigma / std::sqrt(2 * M_PI);  // of the paper, which takes delays as independent
        auto const spread_out = mean_delays(Kernel::spread_out, ranks, sigma);
        auto const balanced = mean_delays(Kernel::balanced, ranks, sigma);
        EXPECT_GT(spread_out.at_first, 2 * sigma) << ranks;
        EXPECT_LT(spread_out.at_first, bound) << ranks;
        EXPECT_LT(balanced.at_first, spread_out.at_first / 20) << ranks;
        EXPECT_LE(balanced.finish, spread_out.finish) << ranks;
    }
}

}  // namespace
}  // namespace muster
