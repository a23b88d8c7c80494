#include "core/shape.hpp"

#include <limits>

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

void join_neighbours(std::vector<Extent>& list) {
    std::size_t kept = 0;
    for (auto const& piece : list) {
        if (piece.length <= 0) continue;
        if (kept > 0 && list[kept - 1].end() == piece.offset) {
            list[kept - 1].length += piece.length;
        } else {
            list[kept++] = piece;
        }
    }
    list.resize(kept);
}

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
    join_neighbours(list);
    if (list.empty()) return {};
    auto const count = static_cast<Size>(list.size());
    if (count == 1) return block(list[0].offset, list[0].length);
    if (regular(list)) return strip(list[0], count, list[1].offset - list[0].offset);
    auto node = std::make_shared<Node>();
    node->kind = Kind::pieces;
    node->piece_count = count;
    node->low = std::numeric_limits<Offset>::max();
    node->high = std::numeric_limits<Offset>::min();
    for (Size i = 0; i < count; ++i) {
        auto const& piece = list[static_cast<std::size_t>(i)];
        if (i % mark_every == 0) node->marks.push_back(node->size);
        if (i > 0 && piece.offset < list[static_cast<std::size_t>(i) - 1].end()) node->ordered = false;
        node->size += piece.length;
        node->low = std::min(node->low, piece.offset);
        node->high = std::max(node->high, piece.end());
    }
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
    node->count = count;
    node->stride = stride;
    node->size = count * inner.size;
    node->piece_count = count * inner.piece_count;
    auto const reach = (count - 1) * stride;
    node->low = child.low() + std::min<Offset>(0, reach);
    node->high = child.high() + std::max<Offset>(0, reach);
    node->ordered = inner.ordered && stride >= inner.high - inner.low;
    node->children.push_back({child, 0});
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
        node->low = std::min(node->low, child.low());
        node->high = std::max(node->high, child.high());
        node->piece_count += child.piece_count();
        auto const start = node->size;
        node->size += child.size();
        node->children.push_back({std::move(child), start});
    }
    return {std::move(node), 0};
}

Shape Shape::shifted(Offset by) const { return empty() ? *this : Shape{node_, shift_ + by}; }

Size Shape::size() const { return node_->size; }
Size Shape::piece_count() const { return node_->piece_count; }
Offset Shape::low() const { return node_->low + shift_; }
Offset Shape::high() const { return node_->high + shift_; }
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
    auto const first = child_at(node, begin);
    auto const last = child_at(node, end - 1);
    Size count = 0;
    for (auto index = first; index <= last; ++index) {
        auto const repeated = node.kind == Kind::repeat;
        auto const& child = node.children[repeated ? 0 : static_cast<std::size_t>(index)];
        auto const start = repeated ? index * child.shape.size() : child.start;
        if (repeated && index > first && last - index > 1) {  // the whole ones in between, at once
            count += (last - index) * child.shape.piece_count();
            index = last - 1;
            continue;
        }
        auto const from = std::max<Size>(begin - start, 0);
        count += pieces_in(*child.shape.node_, from, std::min(end - start, child.shape.size()));
    }
    return count;
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

bool Shape::operator==(Shape const& other) const {
    return (node_ == other.node_ && shift_ == other.shift_) || text() == other.text();
}

Cursor::Cursor(Shape shape, Size position) : shape_{std::move(shape)} {
    if (position < shape_.size()) descend(*shape_.node_, shape_.shift_, position);
}

void Cursor::descend(Shape::Node const& node, Offset shift, Size position) {
    if (node.kind == Shape::Kind::strip || node.kind == Shape::Kind::pieces) return enter_leaf(node, shift, position);
    auto const index = Shape::child_at(node, position);
    frames_.push_back({&node, shift, index});
    auto const repeated = node.kind == Shape::Kind::repeat;
    auto const& child = node.children[repeated ? 0 : static_cast<std::size_t>(index)];
    auto const start = repeated ? index * child.shape.size() : child.start;
    auto const moved = shift + child.shape.shift_ + (repeated ? index * node.stride : 0);
    descend(*child.shape.node_, moved, position - start);
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

void Cursor::load_piece() {
    auto const& node = *leaf_.node;
    if (node.kind == Shape::Kind::strip) {
        piece_ = {node.first.offset + leaf_.shift + leaf_.index * node.stride, node.first.length};
    } else {
        auto const& piece = node.list[static_cast<std::size_t>(leaf_.index)];
        piece_ = {piece.offset + leaf_.shift, piece.length};
    }
}

bool Cursor::next_piece() {
    if (leaf_.node == nullptr) return false;
    if (++leaf_.index < leaf_.node->piece_count) {
        load_piece();
        return true;
    }
    while (!frames_.empty()) {
        auto const frame = frames_.back();
        frames_.pop_back();
        auto const repeated = frame.node->kind == Shape::Kind::repeat;
        auto const count = repeated ? frame.node->count : static_cast<Size>(frame.node->children.size());
        auto const index = frame.index + 1;
        if (index == count) continue;
        auto const start = repeated ? index * frame.node->children[0].shape.size()
                                    : frame.node->children[static_cast<std::size_t>(index)].start;
        descend(*frame.node, frame.shift, start);
        return true;
    }
    leaf_.node = nullptr;
    return false;
}

Extent Cursor::take(Size limit) {
    if (piece_.length == 0 && !next_piece()) return {};
    Extent const taken{piece_.offset, std::min(limit, piece_.length)};
    piece_.offset += taken.length;
    piece_.length -= taken.length;
    return taken;
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
