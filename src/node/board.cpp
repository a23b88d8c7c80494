#include "node/board.hpp"

#include <algorithm>
#include <array>
#include <new>

namespace muster {

struct alignas(64) Board::Hall {
    std::atomic<std::uint32_t> here;
    alignas(64) Bell meetings;
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

template <class Work>
void Board::meet_after(Work&& work) {
    auto const before = hall_->meetings.load(std::memory_order_acquire);
    auto const count = hall_->here.fetch_add(1, std::memory_order_acq_rel) + 1;
    if (count == static_cast<std::uint32_t>(member_.size)) {
        work();
        hall_->here.store(0, std::memory_order_relaxed);
        ring(hall_->meetings);
        return;
    }
    auto const met = [&] { return hall_->meetings.load(std::memory_order_acquire) != before; };
    for (auto left = member_.yields; left > 0 && !met(); --left) give_way();
    if (!met()) wait_until(member_, hall_->meetings, met);
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

void Board::combine(std::span<Size> ballots, Combine const& into) {
    odd_ = !odd_;
    auto const numbers = [&](Notice& of) { return std::span{of.numbers}.first(ballots.size()); };
    std::copy(ballots.begin(), ballots.end(), notice(member_.rank, odd_).numbers.begin());
    auto const outcome_of_all = numbers(outcome(odd_));
    meet_after([&] {
        std::ranges::copy(numbers(notice(0, odd_)), outcome_of_all.begin());
        for (int rank = 1; rank < member_.size; ++rank) into(outcome_of_all, numbers(notice(rank, odd_)));
    });
    std::ranges::copy(outcome_of_all, ballots.begin());
}

}  // namespace muster
