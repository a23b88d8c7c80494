#include "core/merge.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace muster {

namespace {

using List = std::span<Extent const>;

bool starts_before(Extent const& left, Extent const& right) { return left.offset < right.offset; }
bool is_empty(Extent const& extent) { return extent.length <= 0; }

// Joins what touches or overlaps, in place; returns how many are left. Without branches, because whether two extents
// touch is often as good as random.
std::size_t join(std::span<Extent> ascending) {
    if (ascending.empty()) return 0;
    std::size_t last = 0;
    auto start = ascending[0].offset;
    auto end = ascending[0].end();
    for (auto const& next : ascending) {
        auto const apart = next.offset > end;
        last += apart ? 1 : 0;
        start = apart ? next.offset : start;
        end = std::max(end, next.end());
        ascending[last] = {start, end - start};
    }
    return last + 1;
}

// As std::merge, without a branch that cannot be predicted.
Extent* merge_pair(List left, List right, Extent* out) {
    auto const* a = left.data();
    auto const* b = right.data();
    auto const* const a_end = a + left.size();
    auto const* const b_end = b + right.size();
    while (a != a_end && b != b_end) {
        auto const from_right = b->offset < a->offset;
        auto const* const source = from_right ? b : a;
        *out++ = *source;
        b += from_right ? 1 : 0;
        a += from_right ? 0 : 1;
    }
    return std::copy(b, b_end, std::copy(a, a_end, out));
}

// Lists that lie one behind the other, and room for as many extents again.
struct Level {
    std::vector<Extent> extents;
    std::vector<std::size_t> starts;
    std::vector<Extent> room;
    bool joins_well{true};  // the last pair became half as long: go on looking

    List list(std::size_t index) const {
        auto const end = index + 1 < starts.size() ? starts[index + 1] : extents.size();
        return List{extents}.subspan(starts[index], end - starts[index]);
    }
};

// Merges list `index` with the next and appends the outcome at `position` of the room; returns its end.
std::size_t merge_into_room(Level& level, std::size_t index, std::size_t position) {
    auto const right = index + 1 < level.starts.size() ? level.list(index + 1) : List{};
    auto* const begin = level.room.data() + position;
    auto* const end = merge_pair(level.list(index), right, begin);
    std::span<Extent> const both{begin, end};
    if (!level.joins_well) return position + both.size();
    auto const left = join(both);
    level.joins_well = left * 2 <= both.size();
    return position + left;
}

void merge_pairs(Level& level) {
    std::vector<std::size_t> starts;
    std::size_t position = 0;
    level.room.resize(level.extents.size());
    for (std::size_t i = 0; i < level.starts.size(); i += 2) {
        starts.push_back(position);
        position = merge_into_room(level, i, position);
    }
    level.room.resize(position);
    level.extents.swap(level.room);
    level.starts = std::move(starts);
}

}  // namespace

std::vector<Extent> cover(std::vector<Extent> extents) {
    std::erase_if(extents, is_empty);
    if (!std::is_sorted(extents.begin(), extents.end(), starts_before)) {
        std::sort(extents.begin(), extents.end(), starts_before);
    }
    extents.resize(join(extents));
    return extents;
}

void CoverBuilder::add(std::span<Extent const> ascending) {
    auto const start = extents_.size();
    std::remove_copy_if(ascending.begin(), ascending.end(), std::back_inserter(extents_), is_empty);
    if (extents_.size() == start) return;
    if (start == 0 || starts_before(extents_[start], extents_[start - 1])) starts_.push_back(start);
}

std::vector<Extent> CoverBuilder::take() {
    Level level{std::exchange(extents_, {}), std::exchange(starts_, {}), {}};
    while (level.starts.size() > 1) merge_pairs(level);
    level.extents.resize(join(level.extents));
    return std::move(level.extents);
}

}  // namespace muster
