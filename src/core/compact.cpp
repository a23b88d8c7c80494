#include "core/compact.hpp"

#include <map>
#include <tuple>

#include "core/runs.hpp"

namespace muster {

namespace {

// A node takes as much memory as about a dozen pieces.
constexpr RunWish patterns_at_any_distance{.least_period = 4, .least_saved = 32, .equal_distances = false};
constexpr RunWish patterns_at_equal_distances{.least_period = 1, .least_saved = 32, .equal_distances = true};
constexpr RunWish groups_of_parts{.least_period = 2, .least_saved = 2, .equal_distances = true};
constexpr std::size_t least_list = 32;
constexpr std::size_t least_returns = 8;           // fewer are chance
constexpr std::size_t least_equal_neighbours = 3;  // two at some distance may be the beginning of any pattern
constexpr int most_comparisons = 16;               // of a part with others of its size

}  // namespace

// Builds the shape from parts, and knows which parts are alike so that they are stored once and repeats are seen.
class Compactor {
public:
    Shape compact(Shape const& shape);

private:
    using List = std::span<Extent const>;
    struct Part {
        Shape shape;
        Size kind;  // equal for parts that differ only in their place
    };
    using Parts = std::vector<Part>;

    Shape compact_pieces(Shape const& shape);
    Shape compact_chain(Shape const& shape);
    Shape with_repeats(List list);
    static Shape plain(List list) { return Shape::pieces({list.begin(), list.end()}); }
    Part part(Shape const& shape);
    void splice(Shape const& shape, Parts& into);
    Shape assemble(Parts parts);
    Parts join_equal_neighbours(Parts const& parts);
    Parts join_groups(Parts const& parts);

    using Likeness = std::tuple<Size, Size, Size>;
    std::multimap<Likeness, Part> kinds_;  // one part of each kind
};

Shape Compactor::compact(Shape const& shape) {
    switch (shape.node_->kind) {
        case Shape::Kind::strip: return shape;
        case Shape::Kind::pieces: return compact_pieces(shape);
        case Shape::Kind::chain: return compact_chain(shape);
        case Shape::Kind::repeat: break;
    }
    auto const& node = *shape.node_;
    return Shape::repeat(part(compact(node.children[0].shape)).shape, node.count, node.stride).shifted(shape.shift_);
}

// First the patterns that return anywhere, then, in those and between them, the ones at equal distances.
Shape Compactor::compact_pieces(Shape const& shape) {
    List const list{shape.node_->list};
    if (list.size() < least_list) return shape;
    RunFinder finder{list, patterns_at_any_distance};
    auto const runs = finder.find();
    if (runs.empty()) {
        auto const found = finder.returns() < least_returns ? Shape{} : with_repeats(list);
        return found.empty() ? shape : found.shifted(shape.shift_);
    }
    Parts parts;
    std::map<std::size_t, Part> patterns;
    std::size_t done = 0;
    auto const add_between = [&](std::size_t end) {
        if (end == done) return;
        auto const rest = list.subspan(done, end - done);
        auto const found = with_repeats(rest);
        splice(found.empty() ? plain(rest) : found, parts);
    };
    for (auto const& run : runs) {
        add_between(run.begin);
        if (run.pattern == run.begin) {
            auto const pattern = list.subspan(run.begin, run.period);
            auto const found = with_repeats(pattern);
            patterns.emplace(run.begin, part(found.empty() ? plain(pattern) : found));
        }
        auto const& [pattern, kind] = patterns.at(run.pattern);
        for (auto at = run.begin; at < run.end(); at += run.period) {
            parts.push_back({pattern.shifted(list[at].offset - list[run.pattern].offset), kind});
        }
        done = run.end();
    }
    add_between(list.size());
    return assemble(std::move(parts)).shifted(shape.shift_);
}

// Nothing when there are none.
Shape Compactor::with_repeats(List list) {
    if (list.size() < least_list) return {};
    auto const runs = RunFinder{list, patterns_at_equal_distances}.find();
    if (runs.empty()) return {};
    std::vector<Shape> parts;
    std::size_t done = 0;
    for (auto const& run : runs) {
        parts.push_back(plain(list.subspan(done, run.begin - done)));
        auto const stride = list[run.begin + run.period].offset - list[run.begin].offset;
        parts.push_back(
            Shape::repeat(plain(list.subspan(run.begin, run.period)), static_cast<Size>(run.count), stride));
        done = run.end();
    }
    parts.push_back(plain(list.subspan(done)));
    return Shape::chain(std::move(parts));
}

Shape Compactor::compact_chain(Shape const& shape) {
    Parts parts;
    for (auto const& child : shape.node_->children) splice(compact(child.shape).shifted(shape.shift_), parts);
    return assemble(std::move(parts));
}

// The parts of chains within chains, one after the other.
void Compactor::splice(Shape const& shape, Parts& into) {
    if (shape.node_->kind != Shape::Kind::chain) return into.push_back(part(shape));
    for (auto const& child : shape.node_->children) splice(child.shape.shifted(shape.shift_), into);
}

// The part for a shape; the same node for all that are alike.
Compactor::Part Compactor::part(Shape const& shape) {
    Likeness const likeness{shape.size(), shape.piece_count(), shape.high() - shape.low()};
    auto const [first, last] = kinds_.equal_range(likeness);
    auto left = most_comparisons;
    for (auto known = first; known != last && left > 0; ++known, --left) {
        auto const moved = known->second.shape.shifted(shape.low() - known->second.shape.low());
        if (moved == shape) return {moved, known->second.kind};
    }
    return kinds_.emplace(likeness, Part{shape, static_cast<Size>(kinds_.size()) + 1})->second;
}

Shape Compactor::assemble(Parts parts) {
    for (auto before = parts.size() + 1; parts.size() < before;) {
        before = parts.size();
        parts = join_groups(join_equal_neighbours(parts));
    }
    std::vector<Shape> shapes;
    shapes.reserve(parts.size());
    for (auto& each : parts) shapes.push_back(std::move(each.shape));
    return Shape::chain(std::move(shapes));
}

Compactor::Parts Compactor::join_equal_neighbours(Parts const& parts) {
    auto const distance = [&](std::size_t at) { return parts[at + 1].shape.low() - parts[at].shape.low(); };
    Parts joined;
    for (std::size_t at = 0, end = 0; at < parts.size(); at = end) {
        end = at + 1;
        while (end < parts.size() && parts[end].kind == parts[at].kind && distance(end - 1) == distance(at)) ++end;
        if (end - at < least_equal_neighbours && end - at < parts.size()) end = at + 1;
        if (end - at == 1) {
            joined.push_back(parts[at]);
        } else {
            joined.push_back(part(Shape::repeat(parts[at].shape, static_cast<Size>(end - at), distance(at))));
        }
    }
    return joined;
}

Compactor::Parts Compactor::join_groups(Parts const& parts) {
    std::vector<Extent> items;
    items.reserve(parts.size());
    for (auto const& [shape, kind] : parts) items.push_back({shape.low(), kind});
    Parts joined;
    std::size_t done = 0;
    for (auto const& run : RunFinder{items, groups_of_parts}.find()) {
        for (; done < run.begin; ++done) joined.push_back(parts[done]);
        std::vector<Shape> group;
        for (auto at = run.begin; at < run.begin + run.period; ++at) group.push_back(parts[at].shape);
        auto const stride = items[run.begin + run.period].offset - items[run.begin].offset;
        joined.push_back(part(Shape::repeat(Shape::chain(std::move(group)), static_cast<Size>(run.count), stride)));
        done = run.end();
    }
    joined.insert(joined.end(), parts.begin() + static_cast<std::ptrdiff_t>(done), parts.end());
    return joined;
}

Shape compact(Shape const& shape) { return Compactor{}.compact(shape); }

}  // namespace muster
