#include "core/fold.hpp"

#include <algorithm>
#include <optional>

namespace muster {

namespace {

using List = std::span<Extent const>;

constexpr std::size_t least_list = 2048;   // pieces; they take as much as a core's first cache
constexpr std::size_t least_pattern = 32;  // pieces: to come to a repeat's child takes as long as some of these
constexpr std::size_t probe = 8;           // pieces that are alike by chance hardly ever

// Pieces [begin, begin + period * count) are copies of the first `period` of them, each as far from the one before.
struct Fold {
    std::size_t begin{0}, period{0}, count{0};

    std::size_t size() const { return period * count; }
};

struct Folder {
    List list;

    // Whether the piece at `at` returns a period later, moved by `stride`.
    bool returns(std::size_t at, std::size_t period, Size stride) const {
        return list[at + period].length == list[at].length && list[at + period].offset - list[at].offset == stride;
    }
    bool probe_returns(std::size_t at, std::size_t period) const {
        auto const stride = list[at + period].offset - list[at].offset;
        for (std::size_t i = 0; i < probe; ++i) {
            if (!returns(at + i, period, stride)) return false;
        }
        return true;
    }
    // After how many pieces those from `at` on return; 0: not soon enough to matter.
    std::size_t find_period(std::size_t at) const {
        auto const most = std::min(list.size() / 4, list.size() - at - probe);
        for (std::size_t period = 1; period <= most; ++period) {
            if (probe_returns(at, period)) return period;
        }
        return 0;
    }
    // As far as the pattern found in the middle reaches.
    Fold find() const {
        auto const middle = list.size() / 2;
        auto const period = find_period(middle);
        if (period < least_pattern) return {};
        auto const stride = list[middle + period].offset - list[middle].offset;
        auto begin = middle, end = middle;
        while (begin > 0 && returns(begin - 1, period, stride)) --begin;
        while (end + period < list.size() && returns(end, period, stride)) ++end;
        return {begin, period, (end - begin) / period + 1};
    }
};

// Takes the list of a shape that is nothing else.
struct ListOf {
    Shape const& shape;
    std::optional<List>& found;
    Offset& shift;

    void operator()(Offset, Size) const {}
    void list(List pieces, Offset by) const {
        if (static_cast<Size>(pieces.size()) != shape.piece_count()) return;
        found = pieces;
        shift = by;
    }
};

Shape plain(List list) { return Shape::pieces({list.begin(), list.end()}); }

}  // namespace

Shape folded(Shape const& shape) {
    if (shape.depth() > 0) return shape;
    std::optional<List> found;
    Offset shift = 0;
    shape.for_each(ListOf{shape, found, shift});
    if (!found || found->size() < least_list) return shape;
    auto const fold = Folder{*found}.find();
    if (fold.size() < found->size() / 2) return shape;
    auto const pattern = found->subspan(fold.begin, fold.period);
    auto const stride = (*found)[fold.begin + fold.period].offset - pattern.front().offset;
    return Shape::chain({plain(found->first(fold.begin)),
                         Shape::repeat(plain(pattern), static_cast<Size>(fold.count), stride),
                         plain(found->subspan(fold.begin + fold.size()))})
        .shifted(shift);
}

}  // namespace muster
