// The node's shared structures, used by threads as ranks would: the memory is the same for all.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <numeric>
#include <random>
#include <thread>

#include "node/board.hpp"
#include "node/marks.hpp"
#include "node/shared_memory.hpp"
#include "node/slots.hpp"

namespace muster {
namespace {

constexpr Size page = 4096;

// Zeroed, aligned to a page.
class Memory {
public:
    explicit Memory(Size size) : bytes_(static_cast<std::size_t>(size + page)) {}
    std::span<std::byte> span() {
        auto const start = reinterpret_cast<std::uintptr_t>(bytes_.data());
        auto const skip = (page - start % page) % page;
        return std::span{bytes_}.subspan(skip, bytes_.size() - page);
    }

private:
    std::vector<std::byte> bytes_;
};

template <class Body>
void as_members(int count, Body body) {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < count; ++rank) threads.emplace_back([=] { body(Member{rank, count, false, nullptr}); });
    for (auto& thread : threads) thread.join();
}

// --- shared memory ---

TEST(SharedMemory, is_seen_by_another_process_and_has_no_name_afterwards) {
    auto made = SharedMemory::create(3 * page);
    ASSERT_TRUE(made.ok());
    auto const child = fork();
    if (child == 0) {
        auto attached = SharedMemory::attach(made->name(), 3 * page);
        if (attached) attached->bytes()[5000] = std::byte{42};
        _exit(attached ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(made->bytes()[5000], std::byte{42});
    EXPECT_EQ(made->bytes()[0], std::byte{0});
    made->remove_name();
    EXPECT_FALSE(SharedMemory::attach(made->name(), 3 * page).ok());
}

TEST(SharedMemory, names_differ) {
    auto const one = SharedMemory::create(page);
    auto const two = SharedMemory::create(page);
    ASSERT_TRUE(one.ok() && two.ok());
    EXPECT_NE(one->name(), two->name());
}

TEST(SharedMemory, that_cannot_be_had_is_an_error) {
    auto const made = SharedMemory::create(Size{1} << 50);
    ASSERT_FALSE(made.ok());
    EXPECT_NE(made.status().system_error(), 0);
}

// Interrupts this process again and again, as profilers do.
class Interruptions {
public:
    explicit Interruptions(int microseconds) {
        struct sigaction action {};
        action.sa_handler = [](int) {};
        sigaction(SIGALRM, &action, &before_);
        itimerval const often{{0, microseconds}, {0, microseconds}};
        setitimer(ITIMER_REAL, &often, nullptr);
    }
    ~Interruptions() {
        itimerval const never{};
        setitimer(ITIMER_REAL, &never, nullptr);
        sigaction(SIGALRM, &before_, nullptr);
    }
    Interruptions(Interruptions const&) = delete;
    Interruptions& operator=(Interruptions const&) = delete;

private:
    struct sigaction before_ {};
};

TEST(SharedMemory, is_to_be_had_by_a_process_that_is_interrupted_often) {
    Interruptions const often{1000};
    auto const made = SharedMemory::create(Size{64} << 20);
    EXPECT_TRUE(made.ok()) << made.status().text();
}

// --- the board ---

TEST(Board, everybody_sees_everybodys_votes_again_and_again) {
    constexpr int members = 5;
    Memory memory{Board::size_for(members)};
    std::atomic<int> wrong{0};
    as_members(members, [&](Member member) {
        Board board{memory.span(), member};
        for (Size turn = 0; turn < 2000; ++turn) {
            std::array<Size, 2> const mine{turn, turn * member.rank};
            Size sum = 0;
            board.vote(mine, [&](std::span<Size const> theirs) {
                if (theirs[0] != turn) ++wrong;
                sum += theirs[1];
            });
            if (sum != turn * 10) ++wrong;
        }
    });
    EXPECT_EQ(wrong, 0);
}

TEST(Board, everybody_gets_what_all_votes_come_to_again_and_again) {
    constexpr int members = 5;
    Memory memory{Board::size_for(members)};
    std::atomic<int> wrong{0};
    as_members(members, [&](Member member) {
        Board board{memory.span(), member};
        for (Size turn = 0; turn < 2000; ++turn) {
            std::array<Size, 3> ballots{turn * (member.rank - 2), turn + member.rank, member.rank};
            board.combine(ballots, [](std::span<Size> outcome, std::span<Size const> theirs) {
                outcome[0] = std::max(outcome[0], theirs[0]);
                outcome[1] += theirs[1];
                outcome[2] = outcome[2] * 10 + theirs[2];
            });
            if (ballots != std::array<Size, 3>{turn * 2, turn * 5 + 10, 1234}) ++wrong;
        }
    });
    EXPECT_EQ(wrong, 0);
}

TEST(Board, the_first_member_may_take_the_outcome_elsewhere_before_anybody_sees_it) {
    constexpr int members = 5;
    Memory memory{Board::size_for(members)};
    std::atomic<int> wrong{0};
    as_members(members, [&](Member member) {
        Board board{memory.span(), member};
        for (Size turn = 0; turn < 2000; ++turn) {
            auto elsewhere = false;
            std::array<Size, 2> ballots{turn + member.rank, 1};
            auto const into = [](std::span<Size> outcome, std::span<Size const> theirs) {
                outcome[0] = std::max(outcome[0], theirs[0]);
                outcome[1] += theirs[1];
            };
            board.combine_and(ballots, into, [&](std::span<Size> outcome) {
                elsewhere = true;
                outcome[1] *= 100;
            });
            auto const right = ballots == std::array<Size, 2>{turn + members - 1, members * 100};
            if (!right || elsewhere != (member.rank == 0)) ++wrong;
            if (turn % 3 == 0) board.meet();  // both kinds of meetings, by turns
        }
    });
    EXPECT_EQ(wrong, 0);
}

TEST(Board, nobody_leaves_a_meeting_before_all_have_come) {
    constexpr int members = 4;
    Memory memory{Board::size_for(members)};
    std::atomic<int> come{0};
    std::atomic<int> early{0};
    as_members(members, [&](Member member) {
        Board board{memory.span(), member};
        for (int turn = 1; turn <= 500; ++turn) {
            ++come;
            board.meet();
            if (come < turn * members) ++early;
            board.meet();
        }
    });
    EXPECT_EQ(early, 0);
}

TEST(Board, gives_the_turn_to_one_member_at_a_time) {
    constexpr int members = 6;
    constexpr int rounds = 2000;
    Memory memory{Board::size_for(members)};
    std::atomic<int> inside{0};
    std::atomic<int> together{0};
    int done = 0;  // by whoever has the turn
    as_members(members, [&](Member member) {
        Board board{memory.span(), member};
        for (int round = 0; round < rounds; ++round) {
            Turn const turn{&board};
            if (++inside != 1) ++together;
            ++done;
            if (round % 50 == 0) give_way();
            --inside;
        }
    });
    EXPECT_EQ(together, 0);
    EXPECT_EQ(done, members * rounds);
}

TEST(Board, pokes_while_another_member_has_the_turn) {
    static std::atomic<int> pokes;
    pokes = 0;
    Memory memory{Board::size_for(2)};
    Board first{memory.span(), {0, 2, false, nullptr}};
    Board second{memory.span(), {1, 2, false, [](long) { return ++pokes < 0; }, 1000}};
    first.take_turn();
    std::thread other{[&] { Turn const turn{&second}; }};
    while (pokes < 3) give_way();
    first.end_turn();
    other.join();
    Turn const again{&first};
}

TEST(Waiting, pokes_while_nothing_happens) {
    static std::atomic<int> pokes;
    pokes = 0;
    Bell bell{0};
    Member const member{0, 2, false, [](long) { return ++pokes < 0; }};
    wait_until(member, bell, [] { return pokes >= 3; });
    EXPECT_GE(pokes, 3);
}

bool is_long_ago(std::chrono::steady_clock::time_point start) {
    return std::chrono::steady_clock::now() - start > std::chrono::seconds{2};
}

TEST(Waiting, pokes_while_signals_come_often) {
    static std::atomic<int> pokes;
    pokes = 0;
    Interruptions const often{500};
    Bell bell{0};
    Member const member{0, 2, false, [](long) { return ++pokes < 0; }, 50'000};
    auto const start = std::chrono::steady_clock::now();
    wait_until(member, bell, [&] { return pokes >= 3 || is_long_ago(start); });
    EXPECT_GE(pokes, 3);
}

// The turn ends when it has poked, or not for long.
TEST(Board, whoever_waits_for_a_turn_pokes_while_signals_come_often) {
    static std::atomic<int> pokes;
    pokes = 0;
    Interruptions const often{500};
    Memory memory{Board::size_for(2)};
    Board first{memory.span(), {0, 2, false, nullptr}};
    Board second{memory.span(), {1, 2, false, [](long) { return ++pokes < 0; }, 50'000}};
    first.take_turn();
    auto const start = std::chrono::steady_clock::now();
    std::thread other{[&] {
        while (pokes < 3 && !is_long_ago(start)) std::this_thread::sleep_for(std::chrono::milliseconds{10});
        first.end_turn();
    }};
    second.take_turn();
    EXPECT_GE(pokes, 3);
    other.join();
    second.end_turn();
}

TEST(Waiting, naps_get_longer_until_a_poke_moves_something) {
    Member member{0, 2, false, [](long) { return false; }, 1000};
    Naps naps{member};
    std::vector<int> lengths;
    for (int i = 0; i < 7; ++i, naps.end()) lengths.push_back(naps.length());
    EXPECT_EQ(lengths, (std::vector<int>{1000, 2000, 4000, 8000, 8000, 8000, 8000}));
    member.poke = [](long) { return true; };
    naps.end();
    EXPECT_EQ(naps.length(), 1000);
}

TEST(Waiting, naps_may_be_longer_where_many_wait) {
    Member const member{0, 2, false, nullptr, 10'000};
    Naps naps{member};
    for (int i = 0; i < 3; ++i) naps.end();
    EXPECT_EQ(naps.length(), 20'000);
}

TEST(Waiting, tells_the_poke_how_long_it_has_slept) {
    static std::vector<long> told;
    Member const member{0, 2, false,
                        [](long slept) {
                            told.push_back(slept);
                            return false;
                        },
                        1000};
    Naps naps{member};
    for (int i = 0; i < 3; ++i) naps.end();
    EXPECT_EQ(told, (std::vector<long>{1000, 3000, 7000}));
}

// --- slots ---

TEST(Slots, many_fill_and_one_empties_in_turn) {
    constexpr int members = 4;
    constexpr Size windows = 300;
    Slots::Layout const layout{3, 64, 16};
    Memory memory{Slots::size_for(layout)};
    std::vector<int> sums(windows);
    as_members(members, [&](Member member) {
        Slots slots{memory.span(), layout, member};
        for (Size use = 0; use < 2; ++use) {
            for (Size window = 0, stored = 0; window < windows / 2 || (member.rank == 0 && stored < windows / 2);) {
                if (member.rank == 0 && stored < window) {
                    slots.wait_full(stored);
                    auto const bytes = slots.bytes(stored);
                    for (int i = 0; i < members; ++i) {
                        sums[static_cast<std::size_t>(use * windows / 2 + stored)] +=
                            static_cast<int>(bytes[static_cast<std::size_t>(i)]);
                    }
                    slots.empty(stored++, 1);
                    continue;
                }
                slots.wait_free(window);
                slots.bytes(window)[static_cast<std::size_t>(member.rank)] =
                    static_cast<std::byte>(window % 50 + member.rank);
                slots.fill(window++, members);
            }
            slots.finish(windows / 2);
        }
    });
    for (Size window = 0; window < windows; ++window) {
        EXPECT_EQ(sums[static_cast<std::size_t>(window)], window % (windows / 2) % 50 * members + 6)
            << "window " << window;
    }
}

TEST(Slots, a_skipped_window_makes_room_for_the_next) {
    Slots::Layout const layout{2, 64, 4};
    Memory memory{Slots::size_for(layout)};
    Slots slots{memory.span(), layout, {0, 1, false, nullptr}};
    for (Size window = 0; window < 10; ++window) {
        ASSERT_TRUE(slots.is_free(window));
        if (window % 3 == 0) {
            slots.skip(window);
            continue;
        }
        slots.fill(window, 1);
        ASSERT_TRUE(slots.is_full(window));
        slots.empty(window, 1);
    }
}

TEST(Slots, windows_and_marks_do_not_overlap) {
    Slots::Layout const layout{3, 5000, 8};
    Memory memory{Slots::size_for(layout)};
    Slots slots{memory.span(), layout, {0, 1, false, nullptr}};
    for (Size window = 0; window < 3; ++window) {
        auto const bytes = slots.bytes(window);
        std::fill(bytes.begin(), bytes.end(), std::byte{0xFF});
        slots.tally(window).members = 7;
    }
    for (Size window = 0; window < 3; ++window) {
        auto const marks = slots.marks(window);
        EXPECT_EQ(std::accumulate(marks.begin(), marks.end(), std::uint64_t{0}), 0U);
        EXPECT_TRUE(slots.is_free(window));
    }
    auto const end = reinterpret_cast<std::byte*>(slots.marks(2).data() + slots.marks(2).size());
    EXPECT_LE(end, memory.span().data() + memory.span().size());
}

TEST(Slots, tallies_begin_at_zero_though_somebody_still_reads_the_last_ones) {
    Slots::Layout const layout{3, 64, 8};
    Memory memory{Slots::size_for(layout)};
    Slots first{memory.span(), layout, {0, 2, false, nullptr}};
    Slots slow{memory.span(), layout, {1, 2, false, nullptr}};
    for (std::uint32_t use = 1; use <= 5; ++use) {
        EXPECT_EQ(first.tally(7).members, 0U);
        first.tally(7).members = use;
        first.turn_tallies(8);
        EXPECT_EQ(slow.tally(7).members, use);
        slow.turn_tallies(8);
    }
}

// --- marks ---

TEST(Marks, tell_which_bytes_were_marked) {
    std::mt19937 dice{5};
    for (int round = 0; round < 300; ++round) {
        Size const bytes = 1 + static_cast<Size>(dice() % 1000);
        std::vector<std::uint64_t> marks(static_cast<std::size_t>((bytes + 63) / 64));
        std::vector<bool> naive(static_cast<std::size_t>(bytes));
        for (int i = 0; i < 20; ++i) {
            auto const from = static_cast<Size>(dice()) % bytes;
            auto const length = static_cast<Size>(dice() % 100) % (bytes - from + 1);
            mark(marks, from, length);
            std::fill_n(naive.begin() + from, length, true);
        }
        auto const low = static_cast<Size>(dice()) % bytes;
        auto const high = low + static_cast<Size>(dice()) % (bytes - low + 1);
        std::vector<bool> found(static_cast<std::size_t>(bytes));
        Offset last = -1;
        for (auto const& extent : marked_extents(marks, low, high, 10'000)) {
            EXPECT_GT(extent.offset, last) << "extents touch or are out of order";
            last = extent.end();
            std::fill_n(found.begin() + low + extent.offset - 10'000, extent.length, true);
        }
        for (auto at = low; at < high; ++at) {
            ASSERT_EQ(found[static_cast<std::size_t>(at)], naive[static_cast<std::size_t>(at)]) << "byte " << at;
        }
    }
}

}  // namespace
}  // namespace muster
