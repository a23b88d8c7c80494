#include "node/board.hpp"

#include <algorithm>
#include <array>
#include <new>

namespace muster {

namespace {

// Whose the turn is.
constexpr std::uint32_t nobodys = 0;
constexpr std::uint32_t somebodys = 1;
constexpr std::uint32_t wanted = 2;  // somebody's, and others may sleep until it ends

}  // namespace

struct alignas(64) Board::Hall {
    Bell here;
    alignas(64) Bell meetings;
    alignas(64) Bell turn;  // one of the above
};

struct alignas(64) Board::Notice {
    std::array<Size, values> numbers;
};

Size Board::size_for(int members) {
    return static_cast<Size>(sizeof(Hall) + 2 * (static_cast<std::size_t>(members) + 1) * sizeof(Notice));
}

// Zeroed memory is a valid hall: atomics of integers have no other state.
Board::Board(std::span<std::byte> memory, Member const& member)
    : member_{member},
      hall_{std::launder(reinterpret_cast<Hall*>(memory.data()))},
      notices_{std::launder(reinterpret_cast<Notice*>(memory.data() + sizeof(Hall)))} {}

Board::Notice& Board::notice(int rank, bool odd) const { return notices_[2 * rank + (odd ? 1 : 0)]; }
Board::Notice& Board::outcome(bool odd) const { return notice(member_.size, odd); }

void Board::wait_for_meeting(std::uint32_t before) {
    wait_until(member_, hall_->meetings, [&] { return hall_->meetings.load(std::memory_order_acquire) != before; });
}

template <class Work>
void Board::meet_after(Work&& work) {
    auto const before = hall_->meetings.load(std::memory_order_acquire);
    auto const count = hall_->here.fetch_add(1, std::memory_order_acq_rel) + 1;
    if (count != static_cast<std::uint32_t>(member_.size)) return wait_for_meeting(before);
    work();
    hall_->here.store(0, std::memory_order_relaxed);
    ring(hall_->meetings);
}

template <class Work>
void Board::meet_led(Work&& work) {
    auto const all = static_cast<std::uint32_t>(member_.size);
    auto const before = hall_->meetings.load(std::memory_order_acquire);
    auto const count = hall_->here.fetch_add(1, std::memory_order_acq_rel) + 1;
    if (member_.rank != 0) {
        if (count == all) wake_all(hall_->here);
        return wait_for_meeting(before);
    }
    wait_until(member_, hall_->here, [&] { return hall_->here.load(std::memory_order_acquire) == all; });
    work();
    hall_->here.store(0, std::memory_order_relaxed);
    ring(hall_->meetings);
}

void Board::take_turn() {
    auto& turn = hall_->turn;
    auto expected = nobodys;
    if (turn.compare_exchange_strong(expected, somebodys, std::memory_order_acquire)) return;
    for (Naps naps{member_}; turn.exchange(wanted, std::memory_order_acquire) != nobodys;) {
        if (!sleep_on(turn, wanted, naps.length())) naps.end();
    }
}

void Board::end_turn() {
    if (hall_->turn.exchange(nobodys, std::memory_order_release) == wanted) wake_one(hall_->turn);
}

void Board::meet() {
    meet_after([] {});
}

void Board::vote(std::span<Size const> mine, std::function<void(std::span<Size const>)> const& visit) {
    odd_ = !odd_;
    std::copy(mine.begin(), mine.end(), notice(member_.rank, odd_).numbers.begin());
    meet();
    for (int rank = 0; rank < member_.size; ++rank) {
        visit(std::span{notice(rank, odd_).numbers}.first(mine.size()));
    }
}

template <class Meet>
void Board::combine_by(std::span<Size> ballots, Combine const& into, Meet&& meet) {
    odd_ = !odd_;
    auto const numbers = [&](Notice& of) { return std::span{of.numbers}.first(ballots.size()); };
    std::copy(ballots.begin(), ballots.end(), notice(member_.rank, odd_).numbers.begin());
    auto const outcome_of_all = numbers(outcome(odd_));
    meet([&] {
        std::ranges::copy(numbers(notice(0, odd_)), outcome_of_all.begin());
        for (int rank = 1; rank < member_.size; ++rank) into(outcome_of_all, numbers(notice(rank, odd_)));
        return outcome_of_all;
    });
    std::ranges::copy(outcome_of_all, ballots.begin());
}

void Board::combine(std::span<Size> ballots, Combine const& into) {
    combine_by(ballots, into, [&](auto&& work) { meet_after(work); });
}

void Board::combine_and(std::span<Size> ballots, Combine const& into, Beyond const& beyond) {
    combine_by(ballots, into, [&](auto&& work) { meet_led([&] { beyond(work()); }); });
}

}  // namespace muster
