#include "exchange/exchange.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

#include "exchange/exchange_testing.hpp"
#include "plan/kernels.hpp"

namespace muster {
namespace {

using namespace testing_exchange;

struct World {
    Comm comm{Comm::of(MPI_COMM_WORLD)};
    Machine machine{block_machine(comm.size, 3)};
    RankReport report;
    Courier courier{comm, machine, report};
};

constexpr Kernel all_kernels[] = {Kernel::ascending, Kernel::ascending_sync, Kernel::spread_out,
                                  Kernel::balanced,  Kernel::pairwise,       Kernel::alltoallw};

// Messages in flight one way: what the terms allow.
int bound_of(Terms const& terms) {
    if (terms.kernel == Kernel::pairwise) return 1;
    if (terms.kernel == Kernel::alltoallw || terms.throttle == 0) return std::numeric_limits<int>::max();
    return terms.throttle + terms.throttle_inside;
}

// Collective.
void check(World& world, Messages const& messages, Terms const& terms, Size room = 0) {
    for (auto const direction : {Direction::write, Direction::read}) {
        Part part{world.courier, messages, direction, terms.kernel};
        if (room > 0) part.limit_room(room);
        int worked = 0;
        exchange(world.courier, terms, part.lanes(), [&] { ++worked; });
        EXPECT_EQ(worked, 1);
        EXPECT_TRUE(part.right) << kernel_name(terms.kernel) << " " << name_of(direction);
        EXPECT_EQ(part.done, part.expected());
        if (room > 0 && terms.kernel == Kernel::alltoallw) continue;
        EXPECT_LE(part.most_flying_in, bound_of(terms)) << kernel_name(terms.kernel);
        EXPECT_LE(part.most_flying_out, bound_of(terms)) << kernel_name(terms.kernel);
    }
}

// One test for each kernel: dense, sparse and hardly any messages, short and long, throttled or not.
class Kernels : public testing::TestWithParam<Kernel> {};

TEST_P(Kernels, deliver_every_message_both_ways_within_the_throttle) {
    World world;
    unsigned seed = 1;
    for (auto const throttle : {0, 1, 2, 32}) {
        for (auto const inside : {0, 1}) {
            for (auto const percent : {100, 50, 5}) {
                check(world, random_messages(world.comm.size, {seed++, percent, 300}), {GetParam(), throttle, inside});
            }
        }
        check(world, random_messages(world.comm.size, {seed++, 60, 200'000}), {GetParam(), throttle, 0});
    }
}

TEST_P(Kernels, get_by_with_room_for_the_largest_message_only) {
    World world;
    for (unsigned seed = 100; seed < 105; ++seed) {
        auto const messages = random_messages(world.comm.size, {seed, 70, seed % 2 == 0 ? 50 : 100'000});
        for (auto const throttle : {0, 1, 2}) check(world, messages, {GetParam(), throttle, 0}, messages.largest());
    }
    auto const gives_way = GetParam() == Kernel::alltoallw && world.comm.size > 2;
    EXPECT_EQ(world.report.kernel_fallbacks > 0, gives_way);  // and the report says so
}

TEST_P(Kernels, count_what_they_send) {
    World world;
    auto const messages = random_messages(world.comm.size, {7, 80, 1000});
    Part part{world.courier, messages, Direction::write, GetParam()};
    auto const lanes = part.lanes();
    exchange(world.courier, {GetParam(), 4, 0, list_tag}, lanes, [] {});
    Size bytes = 0;
    for (Index i = 0; i < messages.aggregators.size(); ++i) {
        if (messages.aggregators[i] != world.comm.rank) bytes += messages.of(static_cast<int>(i), world.comm.rank);
    }
    auto const& report = world.report;
    EXPECT_EQ(report.messages_inside_node + report.messages_between_nodes,
              static_cast<Size>(lanes.outgoing.peers.size()));
    EXPECT_EQ(report.bytes_inside_node + report.bytes_between_nodes, bytes);
    EXPECT_EQ(report.metadata_bytes, bytes);
    EXPECT_TRUE(world.comm.size > 3 || report.bytes_between_nodes == 0);
}

// The ranks' rounds in memory that all of them see.
class Progress {
public:
    explicit Progress(Comm const& comm) {
        MPI_Win_allocate_shared(sizeof(std::atomic<int>), 1, MPI_INFO_NULL, comm.handle, &mine_, &window_);
        *mine_ = 0;
        MPI_Win_lock_all(0, window_);
        for (Rank rank = 0; rank < comm.size; ++rank) {
            MPI_Aint size = 0;
            int unit = 0;
            MPI_Win_shared_query(window_, rank, &size, &unit, &all_.emplace_back());
        }
        barrier(comm);
    }
    void close() {
        MPI_Win_unlock_all(window_);
        MPI_Win_free(&window_);
    }
    void enter_round(int round) { *mine_ = round; }
    int furthest() const {
        int round = 0;
        for (auto const* each : all_) round = std::max(round, each->load());
        return round;
    }

private:
    MPI_Win window_{MPI_WIN_NULL};
    std::atomic<int>* mine_{nullptr};
    std::vector<std::atomic<int>*> all_;
};

// A slow aggregator hears from all: they may finish a round only once it has entered that round, or a few rounds later
// where the MPI keeps plain sends for it. So what waits for it is bounded, however many rounds there are.
TEST_P(Kernels, let_nobody_run_ahead_of_a_slow_aggregator) {
    World world;
    Progress progress{world.comm};
    Messages const messages{{0}, {std::vector<Size>(static_cast<Index>(world.comm.size), 16)}};
    auto const lead = GetParam() == Kernel::ascending ? Courier::plain_in_a_row : 1;
    int furthest_ahead = 0;
    for (int round = 1; round <= 200; ++round) {
        progress.enter_round(round);
        if (world.comm.rank == 0 && round % 40 == 1) usleep(20'000);
        if (world.comm.rank == 0) furthest_ahead = std::max(furthest_ahead, progress.furthest() - round);
        Part part{world.courier, messages, Direction::write, GetParam()};
        exchange(world.courier, {GetParam(), 32, 0}, part.lanes(), [] {});
        ASSERT_TRUE(part.right);
    }
    EXPECT_LE(furthest_ahead, lead);
    progress.close();
}

// Memory that costs nothing until it is touched.
class Large {
public:
    explicit Large(std::size_t bytes) : size_{bytes} {
        memory_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    ~Large() { munmap(memory_, size_); }
    Large(Large const&) = delete;
    Large& operator=(Large const&) = delete;
    std::span<std::byte> bytes() const { return {static_cast<std::byte*>(memory_), size_}; }

private:
    std::size_t size_;
    void* memory_;
};

bool plenty_of_memory() {
    return static_cast<double>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)) > 6e9;
}

// From rank 0 to rank 1.
void send_large(World& world, Kernel kernel, std::span<std::byte> message) {
    std::size_t const marks[] = {0, (std::size_t{1} << 30) - 1, std::size_t{1} << 30, std::size_t{1} << 31,
                                 message.size() - 1};
    auto const sends = world.comm.rank == 0;
    for (auto const mark : marks) message[mark] = static_cast<std::byte>(sends ? 7 + mark % 11 : 0);
    Lane const lane{{1 - world.comm.rank}, [&](Index) { return message; }, [](Index) {}};
    exchange(world.courier, {kernel, 32, 0}, sends ? Lanes{lane, {}} : Lanes{{}, lane}, [] {});
    for (auto const mark : marks) EXPECT_EQ(message[mark], static_cast<std::byte>(7 + mark % 11)) << mark;
}

TEST(Exchange, sends_more_than_an_int_can_count_in_order_and_at_once) {
    World world;
    if (world.comm.size != 2) GTEST_SKIP() << "on two ranks only";
    Size possible = plenty_of_memory() ? 1 : 0;
    reduce_all(world.comm, {&possible, 1}, MPI_MIN);
    if (possible == 0) GTEST_SKIP() << "there is too little memory left";
    Large const large{(std::size_t{1} << 31) + 12345};
    for (auto const kernel : {Kernel::balanced, Kernel::alltoallw}) send_large(world, kernel, large.bytes());
}

std::string test_name(testing::TestParamInfo<Kernel> const& info) {
    std::string name = kernel_name(info.param);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Exchange, Kernels, testing::ValuesIn(all_kernels), test_name);

}  // namespace
}  // namespace muster
