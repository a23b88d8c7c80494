// The extents that several ranks have together, merged and joined, with the place of each in the bytes that are sent on: where
// a rank of a group finds out where its pieces go.
#pragma once

#include <algorithm>
#include <span>

#include "muster/extent.hpp"

namespace muster {

// An extent, and how many bytes come before it. The next one's position tells its length.
struct MergedExtent {
    Offset offset{0};
    Size position{0};
};

// Lies in memory that somebody else owns.
class MergedList {
public:
    MergedList() = default;  // nothing
    // With an entry behind the last that has the end of the last extent and the number of all bytes.
    explicit MergedList(std::span<MergedExtent const> entries) : entries_{entries} {}

    Size extents() const { return entries_.empty() ? 0 : static_cast<Size>(entries_.size()) - 1; }
    // Bytes that lie before `offset` in the file.
    Size position_of(Offset offset) const {
        if (extents() == 0 || offset <= entries_.front().offset) return 0;
        auto const* entry = last_at(offset);
        if (entry == &entries_.back()) return entry->position;
        return std::min(entry->position + (offset - entry->offset), entry[1].position);
    }
    Size bytes_in(Extent part) const {
        return part.length <= 0 ? 0 : position_of(part.end()) - position_of(part.offset);
    }

    // Finds the positions of ascending offsets that are in the list.
    class Walk {
    public:
        Walk(MergedList const& list, Offset first) : entry_{list.last_at(first)}, last_{&list.entries_.back()} {}
        Size position_of(Offset offset) {
            if (entry_[1].offset <= offset) leap(offset);
            return entry_->position + (offset - entry_->offset);
        }

    private:
        // Those of all neighbours lie between: in longer and longer steps, then back by halves.
        void leap(Offset offset) {
            std::ptrdiff_t step = 1;
            while (step < last_ - entry_ && entry_[step].offset <= offset) step *= 2;
            auto const* const from = entry_ + step / 2;
            auto const* const to = entry_ + std::min(step, last_ - entry_);
            entry_ = std::upper_bound(from, to, offset,
                                      [](Offset at, MergedExtent const& entry) { return at < entry.offset; }) -
                     1;
        }

        MergedExtent const* entry_;
        MergedExtent const* last_;  // behind the last extent
    };

private:
    // The last entry that starts at or before `offset`.
    MergedExtent const* last_at(Offset offset) const {
        auto const behind = std::upper_bound(entries_.begin(), entries_.end(), offset,
                                             [](Offset at, MergedExtent const& entry) { return at < entry.offset; });
        return behind == entries_.begin() ? entries_.data() : &*(behind - 1);
    }

    std::span<MergedExtent const> entries_;
};

}  // namespace muster
