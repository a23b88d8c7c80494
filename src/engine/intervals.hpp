// Which bytes of a stream have been dealt with.
#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "muster/extent.hpp"

namespace muster {

class Intervals {
public:
    // The parts of [begin, end) that are not in it.
    std::vector<std::pair<Size, Size>> missing(Size begin, Size end) const {
        std::vector<std::pair<Size, Size>> gaps;
        auto next = ends_.upper_bound(begin);
        if (next != ends_.begin() && std::prev(next)->second > begin) begin = std::prev(next)->second;
        for (; begin < end; ++next) {
            auto const stop = next == ends_.end() ? end : std::min(next->first, end);
            if (begin < stop) gaps.emplace_back(begin, stop);
            if (next == ends_.end()) break;
            begin = next->second;
        }
        return gaps;
    }
    void add(Size begin, Size end) {
        if (begin >= end) return;
        auto at = ends_.upper_bound(begin);
        if (at != ends_.begin() && std::prev(at)->second >= begin) begin = (--at)->first;
        while (at != ends_.end() && at->first <= end) {
            end = std::max(end, at->second);
            at = ends_.erase(at);
        }
        ends_.emplace(begin, end);
    }
    Size size() const {
        Size sum = 0;
        for (auto const& [begin, end] : ends_) sum += end - begin;
        return sum;
    }
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (auto const& [begin, end] : ends_) visit(begin, end);
    }

private:
    std::map<Size, Size> ends_;  // by beginning; none touch
};

}  // namespace muster
