// The metadata exchange, also where a rank has no memory for it.
#include "exchange/lists.hpp"

#include <gtest/gtest.h>

#include "core/coding.hpp"
#include "core/poor_memory_testing.hpp"

namespace muster {
namespace {

constexpr Size pieces = 20000;

Comm world() { return Comm::of(MPI_COMM_WORLD); }

// Pieces that no pattern describes, so that their list is long.
Stream irregular(Comm const& comm) {
    std::vector<Extent> extents;
    for (Size i = 0; i < pieces; ++i)
        extents.push_back({(i * comm.size + comm.rank) * 64 + i * i % 31, 1 + i * i % 29});
    return Stream::whole(Shape::pieces(std::move(extents)));
}

struct Outcome {
    Result<std::vector<Contributor>> lists;
    bool aggregates{false};
};

// Collective. One aggregator: the last rank. Ranks for which `poor` holds have no memory for long lists.
Outcome exchange_with(bool poor, bool coded) {
    auto const comm = world();
    auto const machine = block_machine(comm.size, 1);
    auto const stream = irregular(comm);
    Hints hints;
    hints.collective_write = Toggle::on;
    hints.aggregator_list = {comm.size - 1};
    Size const bytes = 64 * pieces * comm.size;
    Summary const summary{0, bytes, bytes, pieces * comm.size, bytes, comm.size, 1, 5 * pieces * comm.size};
    auto const plan = make_plan({Direction::write, summary, {}, &machine, &hints});
    auto const list = coded ? make_list(stream) : OwnList{stream, {}};
    RankReport numbers;
    Courier courier{comm, machine, numbers};
    testing::Refusal const refusal{poor ? 8192 : testing::nothing_refused};
    return {exchange_lists(courier, plan, list, {0, plan.rounds}), plan.aggregator_index(comm.rank) >= 0};
}

TEST(Lists, come_whole_whoever_codes_them) {
    for (auto const coded : {true, false}) {
        auto const [lists, aggregates] = exchange_with(false, coded);
        ASSERT_TRUE(lists.ok()) << lists.status().text();
        EXPECT_EQ(static_cast<int>(lists->size()), aggregates ? world().size : 0);
        for (auto const& contributor : *lists) EXPECT_EQ(contributor.stream.piece_count(), pieces);
    }
}

TEST(Lists, a_sender_without_memory_fails_alone_and_nobody_waits_for_it) {
    auto const poor = world().rank == 0;
    auto const [lists, aggregates] = exchange_with(poor, false);
    EXPECT_EQ(lists.status().code(), poor ? Code::out_of_memory : Code::ok);
    if (lists) {
        EXPECT_TRUE(lists->empty());
    }
}

TEST(Lists, an_aggregator_without_memory_fails_alone_and_nobody_waits_for_it) {
    auto const poor = world().rank == world().size - 1;
    auto const [lists, aggregates] = exchange_with(poor, true);
    EXPECT_EQ(lists.status().code(), poor ? Code::out_of_memory : Code::ok);
    EXPECT_EQ(poor, aggregates);
}

}  // namespace
}  // namespace muster
