#include "plan/domains.hpp"

#include <algorithm>
#include <limits>

#include "core/hints.hpp"

namespace muster {

namespace {

__extension__ using Wide = __int128;

Size divide_up(Size value, Size by) { return value / by + (value % by != 0 ? 1 : 0); }

// a * b / c, where only the product may be too large for a Size.
Size scaled(Size a, Size b, Size c) { return static_cast<Size>(static_cast<Wide>(a) * b / c); }

// The stripes of the accessed range and how rounds cut them. A row is `count` stripes, one for each aggregator.
class Stripes {
public:
    explicit Stripes(Domains const& domains)
        : domains_{domains},
          first_{domains.range.offset / domains.unit},
          last_{(domains.range.end() - 1) / domains.unit},
          rounds_per_stripe_{domains.window < domains.unit ? divide_up(domains.unit, domains.window) : 1} {}

    Size rounds() const {
        auto const alone = (last_ - first_) % domains_.count == 0;  // the last stripe in its row
        auto const last_slice = alone ? slice_of(domains_.range.end() - 1) : rounds_per_stripe_ - 1;
        return round_in(row_of(last_), last_slice) + 1;
    }

    Size round_of(Offset offset) const { return round_in(row_of(offset / domains_.unit), slice_of(offset)); }

    Extent part(int domain, Size round, int part) const {
        round += skipped();
        auto const row = round / rounds_per_stripe_ * domains_.parts() + part;
        auto const stripe = first_ + column_of(domain) + row * domains_.count;
        if (stripe > last_) return {domains_.range.end(), 0};
        return slice(stripe, round % rounds_per_stripe_);
    }

private:
    Size row_of(Size stripe) const { return (stripe - first_) / domains_.count; }
    Size slice_of(Offset offset) const {
        return rounds_per_stripe_ == 1 ? 0 : offset % domains_.unit / domains_.window;
    }
    Size column_of(int domain) const {
        auto const column = domain - first_ % domains_.count;
        return column < 0 ? column + domains_.count : column;
    }
    // Rounds left out at the beginning: the first stripe is alone in its row, and nobody accesses its first slices.
    Size skipped() const {
        auto const alone = first_ == last_ || domains_.count == 1;
        return alone ? slice_of(domains_.range.offset) : 0;
    }
    Size round_in(Size row, Size slice) const {
        return row / domains_.parts() * rounds_per_stripe_ + slice - skipped();
    }

    // What one round serves of a stripe, clipped to the range. Ends are found without passing the largest offset.
    Extent slice(Size stripe, Size index) const {
        auto const start = stripe * domains_.unit;
        auto const stop = stripe == last_ ? domains_.range.end() : start + domains_.unit;
        auto const from = rounds_per_stripe_ == 1 ? start : start + index * domains_.window;
        auto const begin = std::clamp(from, domains_.range.offset, stop);
        auto const end = rounds_per_stripe_ == 1 || stop - from <= domains_.window ? stop : from + domains_.window;
        return {begin, std::max<Size>(end - begin, 0)};
    }

    Domains const& domains_;
    Size first_;
    Size last_;
    Size rounds_per_stripe_;
};

// The edge before domain `index`: an even share of the range, inner ones moved to the nearest multiple of the unit.
Offset edge(Domains const& domains, int index) {
    auto const& range = domains.range;
    if (index == 0) return range.offset;
    if (index == domains.count) return range.end();
    auto const even = range.offset + scaled(range.length, index, domains.count);
    auto const below = even - even % domains.unit;
    if (even - below < divide_up(domains.unit, 2)) return std::max(below, range.offset);
    return range.end() - below <= domains.unit ? range.end() : below + domains.unit;
}

// The last domain whose edge is not behind the offset. An edge is moved up to `below` or less exactly when its even
// share lies before `limit`, which the even split answers by a division.
int contiguous_owner(Domains const& domains, Offset offset) {
    auto const below = offset - offset % domains.unit;
    auto const limit = below - domains.range.offset + divide_up(domains.unit, 2);
    if (limit <= 0) return 0;
    auto const index = (static_cast<Wide>(limit) * domains.count - 1) / domains.range.length;
    return static_cast<int>(std::min<Wide>(index, domains.count - 1));
}

}  // namespace

Size Domains::rounds() const {
    if (range.length == 0) return 0;
    return layout == Layout::striped ? Stripes{*this}.rounds() : divide_up(largest_domain(), window);
}

int Domains::parts() const {
    if (layout != Layout::striped) return 1;
    return static_cast<int>(std::clamp<Size>(window / unit, 1, std::numeric_limits<int>::max()));
}

Size Domains::part_size() const { return layout == Layout::striped ? std::min(unit, window) : window; }

Extent Domains::part(int index, Size round, int part_index) const {
    if (range.length == 0) return {range.offset, 0};
    if (layout == Layout::striped) return Stripes{*this}.part(index, round, part_index);
    auto const mine = domain(index);
    if (round > mine.length / window) return {mine.end(), 0};
    auto const skip = round * window;
    return {mine.offset + skip, std::min(window, mine.length - skip)};
}

int Domains::owner_of(Offset offset) const {
    if (layout == Layout::striped) return static_cast<int>(offset / unit % count);
    return contiguous_owner(*this, offset);
}

Size Domains::round_of(Offset offset) const {
    if (layout == Layout::striped) return Stripes{*this}.round_of(offset);
    return (offset - edge(*this, contiguous_owner(*this, offset))) / window;
}

Extent Domains::domain(int index) const {
    auto const begin = edge(*this, index);
    return {begin, edge(*this, index + 1) - begin};
}

Size Domains::largest_domain() const {
    Size largest = 0;
    for (int i = 0; i < count; ++i) largest = std::max(largest, domain(i).length);
    return largest;
}

std::string Domains::text() const {
    auto const kind = layout == Layout::striped ? "striped " : "contiguous ";
    return kind + std::to_string(count) + " by " + format_size(unit) + ", window " + format_size(window) + ", range [" +
           std::to_string(range.offset) + ", " + std::to_string(range.end()) + ")";
}

}  // namespace muster
