#include "workloads/senders.hpp"

#include <algorithm>
#include <span>

#include "core/merge.hpp"
#include "plan/local_aggregators.hpp"

namespace muster {

namespace {

void add_groups(std::vector<Sender>& senders, std::vector<Rank> const& ranks, int count) {
    auto const most = static_cast<int>(ranks.size());
    for (auto const& group : local_groups(most, std::clamp(count, 1, most))) {
        std::vector<Rank> const members(ranks.begin() + group.first, ranks.begin() + group.end);
        senders.push_back({members.front(), members});
    }
}

// In one step for members that lie one behind the other, else by merging.
Shape merge_shapes(std::vector<Shape> const& shapes) {
    CoverBuilder builder;
    std::vector<Extent> pieces;
    for (auto const& shape : shapes) {
        pieces.clear();
        shape.for_each([&](Offset offset, Size length) { pieces.push_back({offset, length}); });
        builder.add(pieces);
    }
    return Shape::pieces(builder.take());
}

}  // namespace

std::vector<Sender> make_senders(Machine const& machine, int local_aggregators) {
    std::vector<Sender> senders;
    if (local_aggregators == 0) {
        for (Rank rank = 0; rank < machine.rank_count(); ++rank) senders.push_back({rank, {rank}});
        return senders;
    }
    auto const nodes = machine.ranks_by_node();
    auto const count = static_cast<int>(nodes.size());
    for (int i = 0; i < count; ++i) {
        auto const share = local_aggregators / count + (i < local_aggregators % count ? 1 : 0);
        add_groups(senders, nodes[static_cast<std::size_t>(i)], share);
    }
    return senders;
}

SenderParts::SenderParts(Workload const& workload, Sender const& sender, bool merge)
    : workload_{workload}, sender_{sender}, merge_{merge} {
    for (int i = 0; i < workload.pattern_count(); ++i) {
        patterns_.push_back(merged([&](Rank rank) { return workload.pattern(rank, i); }));
    }
}

Shape SenderParts::merged(std::function<Shape(Rank)> const& part) const {
    if (!merge_) return part(sender_.rank);
    std::vector<Shape> shapes;
    for (auto const rank : sender_.members) shapes.push_back(part(rank));
    return merge_shapes(shapes);
}

Shape SenderParts::variable(int index) const {
    auto const& variable = workload_.variables[static_cast<std::size_t>(index)];
    return variable.place(of(variable));
}

Shape SenderParts::all() const {
    return workload_.interleaved ? merged(workload_.all_variables) : workload_.one_call(patterns_);
}

// Each copy has the pattern's pieces; where the end of one touches the beginning of the next, two are one.
Size SenderParts::joined_pieces(std::span<Variable const> variables) const {
    Size count = 0;
    Offset last_end = -1;
    for (auto const& variable : variables) {
        auto const& pattern = of(variable);
        if (pattern.empty()) continue;
        auto const copies_touch = merge_ && pattern.high() == pattern.low() + variable.copy_stride;
        auto const touches_last = merge_ && last_end == variable.base + pattern.low();
        count += variable.copies * pattern.piece_count();
        count -= (copies_touch ? variable.copies - 1 : 0) + (touches_last ? 1 : 0);
        last_end = variable.base + (variable.copies - 1) * variable.copy_stride + pattern.high();
    }
    return count;
}

Size SenderParts::variable_pieces(int index) const {
    return joined_pieces(std::span{workload_.variables}.subspan(static_cast<std::size_t>(index), 1));
}

Size SenderParts::all_pieces() const {
    return workload_.interleaved ? all().piece_count() : joined_pieces(workload_.variables);
}

}  // namespace muster
