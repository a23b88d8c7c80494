#include "core/shape.hpp"

#include <limits>
#include <tuple>

namespace muster {

namespace {

std::string number(Size value) { return std::to_string(value); }

}  // namespace

Shape::Shape() {
    static auto const nothing = std::make_shared<Node const>();
    node_ = nothing;
}

Shape Shape::block(Offset offset, Size length) { return strip({offset, length}, 1, length); }

Shape Shape::strip(Extent first, Size count, Size stride) {
    if (first.length <= 0 || count <= 0) return {};
    if (stride == first.length) {
        first.length *= count;
        count = 1;
    }
    auto node = std::make_shared<Node>();
    node->first = first;
    node->count = count;
    node->stride = count == 1 ? first.length : stride;
    node->size = first.length * count;
    node->piece_count = count;
    auto const last = first.offset + (count - 1) * node->stride;
    node->low = std::min(first.offset, last);
    node->high = std::max(first.offset, last) + first.length;
    node->ordered = node->stride >= first.length;
    return {std::move(node), 0};
}

namespace {

// Equal lengths at equal distances?
bool regular(std::vector<Extent> const& list) {
    auto const stride = list[1].offset - list[0].offset;
    for (std::size_t i = 1; i < list.size(); ++i) {
        if (list[i].length != list[0].length || list[i].offset - list[i - 1].offset != stride) return false;
    }
    return true;
}

}  // namespace

Shape Shape::pieces(std::vector<Extent> list) {
    ListFacts facts;
    std::vector<Size> marks;
    std::size_t kept = 0;
    for (auto const piece : list) {
        if (piece.length <= 0) continue;
        auto const before = facts.size;
        if (facts.take(piece)) {
            if (kept % mark_every == 0) marks.push_back(before);
            list[kept++] = piece;
        } else {
            list[kept - 1].length += piece.length;
        }
    }
    list.resize(kept);
    return of_list(std::move(list), std::move(marks), facts);
}

Shape Shape::of_list(std::vector<Extent> list, std::vector<Size> marks, ListFacts const& facts) {
    if (list.empty()) return {};
    auto const count = static_cast<Size>(list.size());
    if (count == 1) return block(list[0].offset, list[0].length);
    if (regular(list)) return strip(list[0], count, list[1].offset - list[0].offset);
    auto node = std::make_shared<Node>();
    node->kind = Kind::pieces;
    node->piece_count = count;
    node->ordered = facts.ordered;
    node->size = facts.size;
    node->low = list.front().offset;
    node->high = list.back().end();
    for (auto const& piece : facts.ordered ? std::span<Extent const>{} : std::span<Extent const>{list}) {
        node->low = std::min(node->low, piece.offset);
        node->high = std::max(node->high, piece.end());
    }
    node->marks = std::move(marks);
    node->list = std::move(list);
    return {std::move(node), 0};
}

bool Shape::is_block() const { return node_->kind == Kind::strip && node_->count == 1; }

Shape Shape::repeat(Shape const& child, Size count, Size stride) {
    if (count <= 0 || child.empty()) return {};
    if (count == 1) return child;
    auto const& inner = *child.node_;
    if (child.is_block()) return strip(inner.first, count, stride).shifted(child.shift_);
    if (inner.kind == Kind::strip && stride == inner.count * inner.stride) {
        return strip(inner.first, count * inner.count, inner.stride).shifted(child.shift_);
    }
    auto node = std::make_shared<Node>();
    node->kind = Kind::repeat;
    node->depth = inner.depth + 1;
    node->count = count;
    node->stride = stride;
    node->size = count * inner.size;
    node->piece_count = count * inner.piece_count;
    auto const reach = (count - 1) * stride;
    node->low = child.low() + std::min<Offset>(0, reach);
    node->high = child.high() + std::max<Offset>(0, reach);
    node->ordered = inner.ordered && stride >= inner.high - inner.low;
    node->children.push_back({child, 0, 0});
    return {std::move(node), 0};
}

Shape Shape::chain(std::vector<Shape> children) {
    std::erase_if(children, [](Shape const& child) { return child.empty(); });
    if (children.empty()) return {};
    if (children.size() == 1) return children.front();
    if (std::all_of(children.begin(), children.end(), [](Shape const& child) { return child.is_block(); })) {
        std::vector<Extent> list;
        list.reserve(children.size());
        for (auto const& child : children) list.push_back({child.low(), child.size()});
        return pieces(std::move(list));
    }
    auto node = std::make_shared<Node>();
    node->kind = Kind::chain;
    node->low = children.front().low();
    node->high = children.front().high();
    for (auto& child : children) {
        auto const follows = node->children.empty() || child.low() >= node->children.back().shape.high();
        node->ordered = node->ordered && child.ordered() && follows;
        node->depth = std::max(node->depth, child.depth() + 1);
        node->low = std::min(node->low, child.low());
        node->high = std::max(node->high, child.high());
        auto const pieces_before = std::exchange(node->piece_count, node->piece_count + child.piece_count());
        auto const start = std::exchange(node->size, node->size + child.size());
        node->children.push_back({std::move(child), start, pieces_before});
    }
    return {std::move(node), 0};
}

Shape Shape::shifted(Offset by) const { return empty() ? *this : Shape{node_, shift_ + by}; }

Size Shape::size() const { return node_->size; }
Size Shape::piece_count() const { return node_->piece_count; }
Offset Shape::low() const { return node_->low + shift_; }
Offset Shape::high() const { return node_->high + shift_; }
int Shape::depth() const { return node_->depth; }
bool Shape::ordered() const { return node_->ordered; }

std::pair<Size, Size> Shape::locate_piece(Node const& node, Size position) {
    auto const mark = std::upper_bound(node.marks.begin(), node.marks.end(), position) - 1;
    auto index = static_cast<Size>(mark - node.marks.begin()) * mark_every;
    auto into = position - *mark;
    while (index + 1 < node.piece_count && into >= node.list[static_cast<std::size_t>(index)].length) {
        into -= node.list[static_cast<std::size_t>(index)].length;
        ++index;
    }
    return {index, into};
}

Size Shape::child_at(Node const& node, Size position) {
    if (node.kind == Kind::repeat) return position / node.children[0].shape.size();
    auto const after = std::upper_bound(node.children.begin(), node.children.end(), position,
                                        [](Size value, Child const& child) { return value < child.start; });
    return static_cast<Size>(after - node.children.begin()) - 1;
}

Size Shape::position_of(Offset offset) const {
    assert(ordered());
    if (offset <= low()) return 0;
    if (offset >= high()) return size();
    return position_in(*node_, offset - shift_);
}

Size Shape::position_in(Node const& node, Offset offset) {
    if (offset <= node.low) return 0;
    if (offset >= node.high) return node.size;
    switch (node.kind) {
        case Kind::strip: {
            auto const index = (offset - node.first.offset) / node.stride;
            auto const into = offset - node.first.offset - index * node.stride;
            return index * node.first.length + std::min(into, node.first.length);
        }
        case Kind::pieces: {
            auto const after = std::upper_bound(node.list.begin(), node.list.end(), offset,
                                                [](Offset value, Extent const& piece) { return value < piece.offset; });
            auto const index = static_cast<Size>(after - node.list.begin()) - 1;
            auto const mark = index / mark_every;
            auto position = node.marks[static_cast<std::size_t>(mark)];
            for (auto i = mark * mark_every; i < index; ++i) position += node.list[static_cast<std::size_t>(i)].length;
            auto const& piece = node.list[static_cast<std::size_t>(index)];
            return position + std::min(offset - piece.offset, piece.length);
        }
        case Kind::repeat: {
            auto const& child = node.children[0].shape;
            auto const index = std::min((offset - node.low) / node.stride, node.count - 1);
            return index * child.size() + position_in(*child.node_, offset - child.shift_ - index * node.stride);
        }
        case Kind::chain: {
            auto const after = std::upper_bound(node.children.begin(), node.children.end(), offset,
                                                [](Offset value, Child const& c) { return value < c.shape.low(); });
            auto const& child = *(after - 1);
            return child.start + position_in(*child.shape.node_, offset - child.shape.shift_);
        }
    }
    return 0;
}

Size Shape::pieces_between(Size begin, Size end) const { return begin < end ? pieces_in(*node_, begin, end) : 0; }

Size Shape::pieces_in(Node const& node, Size begin, Size end) {
    if (begin <= 0 && end >= node.size) return node.piece_count;
    if (node.kind == Kind::strip) return (end - 1) / node.first.length - begin / node.first.length + 1;
    if (node.kind == Kind::pieces) return locate_piece(node, end - 1).first - locate_piece(node, begin).first + 1;
    auto const pieces_before = [&](Size index, Size position) {  // in the children up to this position of this child
        auto const child = placed(node, index);
        auto const skipped = node.kind == Kind::repeat ? index * child.shape.piece_count()
                                                       : node.children[static_cast<std::size_t>(index)].first_piece;
        return skipped + child.shape.pieces_between(0, position - child.start);
    };
    auto const first = child_at(node, begin);
    auto const last = child_at(node, end - 1);
    auto const [child, start, shift] = placed(node, first);
    if (first == last) return child.pieces_between(begin - start, end - start);
    auto const head = child.pieces_between(begin - start, child.size());
    return head + pieces_before(last, end) - pieces_before(first, start + child.size());
}

Shape Shape::between(Size begin, Size end) const {
    if (begin >= end) return {};
    if (end - begin == size()) return *this;
    if (is_block()) return block(low() + begin, end - begin);
    auto const& node = *node_;
    if (node.kind == Kind::strip) return copies_between(block(node.first.offset, node.first.length), begin, end);
    if (node.kind == Kind::repeat) return copies_between(node.children[0].shape, begin, end);
    if (node.kind == Kind::pieces) {
        std::vector<Extent> list;
        list.reserve(static_cast<std::size_t>(pieces_in(node, begin, end)));
        for_each(begin, end, [&](Offset offset, Size length) { list.push_back({offset, length}); });
        return pieces(std::move(list));
    }
    std::vector<Shape> parts;
    for (auto index = child_at(node, begin), last = child_at(node, end - 1); index <= last; ++index) {
        auto const [child, start, shift] = placed(node, index);
        auto const from = std::max<Size>(begin - start, 0);
        parts.push_back(child.between(from, std::min(end - start, child.size())).shifted(shift_));
    }
    return chain(std::move(parts));
}

// Of a strip or a repeat: the end of one copy, whole copies, the beginning of one.
Shape Shape::copies_between(Shape const& copy, Size begin, Size end) const {
    auto const size = copy.size();
    auto const part = [&](Size index, Size from, Size to) {
        return copy.between(from, to).shifted(shift_ + index * node_->stride);
    };
    auto const first = begin / size;
    auto const last = end / size;
    if (first == last) return part(first, begin - first * size, end - first * size);
    std::vector<Shape> parts;
    auto const first_whole = begin == first * size ? first : first + 1;
    if (first_whole > first) parts.push_back(part(first, begin - first * size, size));
    parts.push_back(repeat(copy, last - first_whole, node_->stride).shifted(shift_ + first_whole * node_->stride));
    parts.push_back(part(last, 0, end - last * size));
    return chain(std::move(parts));
}

std::string Shape::text() const {
    auto const at = [](Offset offset) { return offset == 0 ? std::string{} : " at " + number(offset); };
    switch (node_->kind) {
        case Kind::strip: {
            if (empty()) return "nothing";
            auto const where = at(node_->first.offset + shift_);
            if (node_->count == 1) return number(node_->first.length) + where;
            return "strip " + number(node_->count) + " x " + number(node_->first.length) + " by " +
                   number(node_->stride) + where;
        }
        case Kind::pieces: {
            std::string result = "pieces";
            for (auto const& piece : node_->list) {
                result += " " + number(piece.length) + "@" + number(piece.offset + shift_);
            }
            return result;
        }
        case Kind::repeat:
            return "repeat " + number(node_->count) + " by " + number(node_->stride) + at(shift_) + " (" +
                   node_->children[0].shape.text() + ")";
        case Kind::chain: {
            std::string result = "chain" + at(shift_) + " (";
            for (auto const& child : node_->children) {
                result += (child.start == 0 ? "" : ", ") + child.shape.text();
            }
            return result + ")";
        }
    }
    return {};
}

bool Shape::operator==(Shape const& other) const { return same(*this, other, 0); }

// Is `right`, moved by `apart`, the same as `left`?
bool Shape::same(Shape const& left, Shape const& right, Offset apart) {
    auto const& l = *left.node_;
    auto const& r = *right.node_;
    apart += right.shift_ - left.shift_;
    if (&l == &r) return apart == 0;
    auto const like = [](Node const& node) {
        return std::tuple{node.kind, node.size, node.piece_count, node.high - node.low, node.count, node.stride};
    };
    if (like(l) != like(r) || l.low != r.low + apart || l.children.size() != r.children.size()) return false;
    return std::equal(l.list.begin(), l.list.end(), r.list.begin(),
                      [&](Extent const& a, Extent const& b) {
                          return a.length == b.length && a.offset == b.offset + apart;
                      }) &&
           std::equal(l.children.begin(), l.children.end(), r.children.begin(),
                      [&](Child const& a, Child const& b) { return same(a.shape, b.shape, apart); });
}

Cursor::Cursor(Shape shape, Size position) : shape_{std::move(shape)} {
    if (position < shape_.size()) descend(*shape_.node_, shape_.shift_, position);
}

void Cursor::descend(Shape::Node const& node, Offset shift, Size position) {
    if (node.kind == Shape::Kind::strip || node.kind == Shape::Kind::pieces) return enter_leaf(node, shift, position);
    auto const index = Shape::child_at(node, position);
    frames_.push_back({&node, shift, index});
    auto const child = Shape::placed(node, index);
    descend(*child.shape.node_, shift + child.shift, position - child.start);
}

// To the first piece of a node.
void Cursor::descend_first(Shape::Node const* node, Offset shift) {
    while (node->kind == Shape::Kind::repeat || node->kind == Shape::Kind::chain) {
        frames_.push_back({node, shift, 0});
        auto const& child = node->children[0].shape;
        node = child.node_.get();
        shift += child.shift_;
    }
    leaf_ = {node, shift, 0};
    load_piece();
}

void Cursor::enter_leaf(Shape::Node const& node, Offset shift, Size position) {
    auto const strip = node.kind == Shape::Kind::strip;
    auto const [index, into] = strip ? std::pair{position / node.first.length, position % node.first.length}
                                     : Shape::locate_piece(node, position);
    leaf_ = {&node, shift, index};
    load_piece();
    piece_.offset += into;
    piece_.length -= into;
}

bool Cursor::next_leaf() {
    while (!frames_.empty()) {
        auto& frame = frames_.back();
        auto const& node = *frame.node;
        auto const count = node.kind == Shape::Kind::repeat ? node.count : static_cast<Size>(node.children.size());
        if (++frame.index < count) {
            auto const child = Shape::placed(node, frame.index);
            descend_first(child.shape.node_.get(), frame.shift + child.shift);
            return true;
        }
        frames_.pop_back();
    }
    leaf_.node = nullptr;
    return false;
}

Extent Stream::bounds() const {
    if (begin >= end) return {};
    Offset first = 0;
    Offset last = 0;
    shape.for_each(begin, begin + 1, [&](Offset offset, Size) { first = offset; });
    shape.for_each(end - 1, end, [&](Offset offset, Size) { last = offset; });
    return {first, last + 1 - first};
}

}  // namespace muster
