#include "core/runs.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace muster {

RunFinder::RunFinder(std::span<Extent const> items, RunWish wish) : items_{items}, wish_{wish}, last_{items.size()} {}

std::vector<Run> RunFinder::find() {
    auto const patience = 2 * items_.size() + 64;
    while (at_ + window <= items_.size() && wasted_ < patience) {
        auto const earlier = last_.exchange(hash(at_), at_);
        if (!earlier || !try_run(*earlier)) ++at_;
    }
    return std::move(runs_);
}

std::uint64_t RunFinder::hash(std::size_t at) const {
    auto const* item = items_.data() + at;
    auto const word = [](Size value) { return static_cast<std::uint64_t>(value); };
    auto sum = word(item[1].offset - item[0].offset) * 0x9E3779B97F4A7C15U;
    sum += word(item[2].offset - item[1].offset) * 0xC2B2AE3D27D4EB4FU;
    sum += word(item[0].length + 3 * item[1].length + 9 * item[2].length) * 0x165667B19E3779F9U;
    return sum ^ sum >> 29;
}

bool RunFinder::try_run(std::size_t earlier) {
    ++returns_;
    return earlier >= free_ ? try_new(earlier) : try_known(earlier);
}

// How many items from `right` are those from `left`, moved.
std::size_t RunFinder::alike(std::size_t left, std::size_t right, std::size_t limit) const {
    limit = std::min(limit, items_.size() - right);
    if (limit == 0) return 0;
    auto const apart = items_[right].offset - items_[left].offset;
    std::size_t count = 0;
    while (count < limit && items_[left + count].length == items_[right + count].length &&
           items_[right + count].offset - items_[left + count].offset == apart) {
        ++count;
    }
    comparisons_ += count + 1;
    return count;
}

std::size_t RunFinder::extend_back(std::size_t begin, std::size_t period) const {
    auto const apart = items_[begin + period].offset - items_[begin].offset;
    while (begin > free_ && items_[begin - 1].length == items_[begin - 1 + period].length &&
           items_[begin - 1 + period].offset - items_[begin - 1].offset == apart) {
        --begin;
    }
    return begin;
}

// How often the pattern stands at `begin` and behind.
std::size_t RunFinder::copies(std::size_t pattern, std::size_t begin, std::size_t period) const {
    if (wish_.equal_distances) return 1 + alike(begin, begin + period, items_.size()) / period;
    std::size_t count = begin == pattern ? 1 : 0;  // it is like itself
    begin += count * period;
    while (begin < items_.size() && alike(pattern, begin, period) == period) {
        ++count;
        begin += period;
    }
    return count;
}

// A pattern from `earlier`, or somewhat before, up to here?
bool RunFinder::try_new(std::size_t earlier) {
    auto const period = at_ - earlier;
    if (period < wish_.least_period) return false;
    if (alike(earlier, at_, window) < window) return false;
    auto const begin = extend_back(earlier, period);
    auto const count = copies(begin, begin, period);
    if (count < 2 || (count - 1) * period < wish_.least_saved) {
        wasted_ += earlier - begin + alike(begin, begin + period, period);
        return false;
    }
    add({begin, begin, period, count});
    return true;
}

// A pattern of an earlier run, once more?
bool RunFinder::try_known(std::size_t earlier) {
    if (wish_.equal_distances || runs_.empty()) return false;
    auto const after = std::upper_bound(runs_.begin(), runs_.end(), earlier,
                                        [](std::size_t at, Run const& run) { return at < run.begin; });
    if (after == runs_.begin()) return false;
    auto const& run = *(after - 1);
    auto const into = earlier - run.begin;
    if (into >= run.period || at_ - free_ < into) return false;
    auto const count = copies(run.pattern, at_ - into, run.period);
    if (count == 0) {
        wasted_ += alike(run.pattern, at_ - into, run.period);
        return false;
    }
    add({run.pattern, at_ - into, run.period, count});
    return true;
}

void RunFinder::add(Run const& run) {
    runs_.push_back(run);
    free_ = at_ = run.end();
}

}  // namespace muster
