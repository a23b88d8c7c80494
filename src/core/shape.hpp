// A Shape says where the bytes of a stream lie, in stream order: regular strips, irregular pieces, and nestings of both.
// It is an immutable value that copies cheaply. Regular ones stay small: a vector of 10^9 elements is one node.
#pragma once

#include <algorithm>
#include <cassert>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/rows.hpp"
#include "muster/export.h"
#include "muster/extent.hpp"

namespace muster {

struct ListFacts;

class MUSTER_API Shape {
public:
    Shape();  // no bytes
    static Shape block(Offset offset, Size length);
    // `count` pieces of `length` bytes, `stride` apart (any sign).
    static Shape strip(Extent first, Size count, Size stride);
    // Irregular pieces in stream order; empty ones are dropped, neighbours that touch are joined.
    static Shape pieces(std::vector<Extent> pieces);
    // `child`, `count` times, each `stride` bytes after the one before.
    static Shape repeat(Shape const& child, Size count, Size stride);
    // One after the other.
    static Shape chain(std::vector<Shape> children);
    Shape shifted(Offset by) const;

    Size size() const;         // bytes in the stream
    Size piece_count() const;  // contiguous pieces, joined where building it could see that they touch
    Offset low() const;        // the lowest byte touched, and one past the highest; 0 and 0 when empty
    Offset high() const;
    bool empty() const { return size() == 0; }
    // Every piece starts at or after the end of the one before: the stream runs through the file forwards.
    bool ordered() const;
    int depth() const;  // of repeats and chains in each other; 0 for a strip or pieces
    bool contiguous() const { return piece_count() <= 1; }

    // Ordered shapes only: how many bytes of the stream lie before `offset` in the file.
    Size position_of(Offset offset) const;
    // Pieces of the stream's bytes [begin, end).
    Size pieces_between(Size begin, Size end) const;
    // Calls visit(offset, length) for each piece of the stream's bytes [begin, end), in stream order.
    template <class Visit>
    void for_each(Size begin, Size end, Visit&& visit) const {
        if (begin < end) walk(*node_, shift_, begin, end, visit);
    }
    template <class Visit>
    void for_each(Visit&& visit) const {
        for_each(0, size(), visit);
    }

    // The stream's bytes [begin, end) as a shape of their own; regular parts stay regular.
    Shape between(Size begin, Size end) const;

    // Says it in other words, from the inside out: maker.strip(first, count, stride) and maker.pieces(list, shift) for the
    // leaves, maker.repeat(made, count, stride) and maker.chain(vector of made) above them. Maker::Made is what they give.
    template <class Maker>
    typename Maker::Made translate(Maker const& maker) const {
        return translate(*node_, shift_, maker);
    }

    std::string text() const;                   // "repeat 4 by 100 (strip 3 x 8 by 24 at 16)", for tests and reports
    bool operator==(Shape const& other) const;  // same structure and place; a shift may sit at any level

private:
    friend class Cursor;
    friend class PieceCollector;
    friend class ShapeCoder;
    friend class Compactor;
    struct Node;
    struct Child;
    struct Placed;
    enum class Kind : std::uint8_t { strip, pieces, repeat, chain };
    static constexpr Size mark_every = 64;  // pieces between two remembered stream positions

    Shape(std::shared_ptr<Node const> node, Offset shift) : node_{std::move(node)}, shift_{shift} {}
    static Shape of_list(std::vector<Extent> list, std::vector<Size> marks, ListFacts const& facts);
    bool is_block() const;
    static bool same(Shape const& left, Shape const& right, Offset apart);
    Shape copies_between(Shape const& copy, Size begin, Size end) const;
    static Placed placed(Node const& node, Size index);
    static Size position_in(Node const& node, Offset offset);
    static Size pieces_in(Node const& node, Size begin, Size end);
    static std::pair<Size, Size> locate_piece(Node const& node, Size position);  // index, bytes into it
    static Size child_at(Node const& node, Size position);

    template <class Maker>
    static typename Maker::Made translate(Node const& node, Offset shift, Maker const& maker);
    template <class Visit>
    static void walk(Node const& node, Offset shift, Size begin, Size end, Visit& visit);
    template <class Visit>
    static void walk_all(Node const& node, Offset shift, Visit& visit);
    template <class Visit>
    static void walk_strip(Node const& node, Offset shift, Size begin, Size end, Visit& visit);
    template <class Visit>
    static void walk_list(Node const& node, Offset shift, Size begin, Size end, Visit& visit);
    template <class Visit>
    static void walk_pieces(Node const& node, Offset shift, Size begin, Size end, Visit& visit);
    template <class Visit>
    static void walk_repeat(Node const& node, Offset shift, Size begin, Size end, Visit& visit);

    std::shared_ptr<Node const> node_;
    Offset shift_{0};
};

struct Shape::Child {
    Shape shape;
    Size start;        // stream position of its first byte
    Size first_piece;  // pieces before it
};

// One of the shapes that a repeat or a chain is made of, where it stands.
struct Shape::Placed {
    Shape const& shape;
    Size start;    // stream position of its first byte
    Offset shift;  // of its node, relative to the parent's
};

struct Shape::Node {
    Kind kind{Kind::strip};
    bool ordered{true};
    int depth{0};
    Size size{0};
    Size piece_count{0};
    Offset low{0};
    Offset high{0};
    Extent first;                 // strip: its first piece
    Size count{0};                // strip, repeat: how often
    Size stride{0};               // strip, repeat
    std::vector<Extent> list;     // pieces
    std::vector<Size> marks;      // pieces: stream position of every mark_every-th piece
    std::vector<Child> children;  // repeat: one; chain: all
};

// What is learnt of pieces, none of them empty, while they come one after the other.
struct ListFacts {
    Size size{0};
    Offset end{std::numeric_limits<Offset>::min()};  // of the last one
    bool ordered{true};

    // Whether the next one stands for itself; else it goes on where the last one ended.
    bool take(Extent const& piece) {
        auto const apart = piece.offset != end;
        ordered = ordered && piece.offset >= end;
        end = piece.end();
        size += piece.length;
        return apart;
    }
};

// Makes a shape of irregular pieces, as Shape::pieces does of a list, but of pieces that come one by one.
class MUSTER_API PieceCollector {
public:
    explicit PieceCollector(Size expected = 0) { list_.reserve(static_cast<std::size_t>(expected)); }

    void add(Extent const& piece) {
        if (piece.length <= 0) return;
        auto const before = facts_.size;
        if (facts_.take(piece)) {
            if (list_.size() % static_cast<std::size_t>(Shape::mark_every) == 0) marks_.push_back(before);
            list_.push_back(piece);
        } else {
            list_.back().length += piece.length;
        }
    }
    // piece(0), piece(1), ...
    template <class Piece>
    void add_all(Size count, Piece&& piece) {
        for (Size from = 0; from < count; from += at_once) add_some(from, std::min(count, from + at_once), piece);
    }
    bool empty() const { return list_.empty(); }
    Shape finish() {
        return Shape::of_list(std::exchange(list_, {}), std::exchange(marks_, {}), std::exchange(facts_, {}));
    }

private:
    static constexpr Size at_once = 1024;
    template <class Piece>
    void add_some(Size from, Size to, Piece& piece);

    std::vector<Extent> list_;
    std::vector<Size> marks_;
    ListFacts facts_;
};

// Without a call in the loop, so that all of its state stays in registers.
template <class Piece>
void PieceCollector::add_some(Size from, Size to, Piece& piece) {
    auto kept = list_.size();
    auto const most = kept + static_cast<std::size_t>(to - from);
    constexpr auto every = static_cast<std::size_t>(Shape::mark_every);
    list_.resize(most);
    marks_.resize((most + every - 1) / every);
    auto facts = facts_;
    auto* const list = list_.data();
    auto* const marks = marks_.data();
    for (auto i = from; i < to; ++i) {
        Extent const next = piece(i);
        if (next.length <= 0) continue;
        auto const before = facts.size;
        if (facts.take(next)) {
            if (kept % every == 0) marks[kept / every] = before;
            list[kept++] = next;
        } else {
            list[kept - 1].length += next.length;
        }
    }
    facts_ = facts;
    list_.resize(kept);
    marks_.resize((kept + every - 1) / every);
}

// Walks a shape's stream piece by piece, on demand: the other half of a zip with for_each.
class MUSTER_API Cursor {
public:
    explicit Cursor(Shape shape, Size position = 0);
    // The next piece, at most `limit` bytes of it; length 0 at the end.
    Extent take(Size limit);

private:
    struct Frame {
        Shape::Node const* node;
        Offset shift;
        Size index;
    };
    void descend(Shape::Node const& node, Offset shift, Size position);
    void descend_first(Shape::Node const* node, Offset shift);
    void enter_leaf(Shape::Node const& node, Offset shift, Size position);
    bool next_leaf();
    void load_piece();

    Shape shape_;
    std::vector<Frame> frames_;  // the repeats and chains above the leaf
    Frame leaf_{nullptr, 0, 0};
    Extent piece_;  // what is left of the current piece
};

inline void Cursor::load_piece() {
    auto const& node = *leaf_.node;
    if (node.kind == Shape::Kind::strip) {
        piece_ = {node.first.offset + leaf_.shift + leaf_.index * node.stride, node.first.length};
    } else {
        auto const& piece = node.list[static_cast<std::size_t>(leaf_.index)];
        piece_ = {piece.offset + leaf_.shift, piece.length};
    }
}

inline Extent Cursor::take(Size limit) {
    if (piece_.length == 0) {
        if (leaf_.node == nullptr) return {};
        if (++leaf_.index < leaf_.node->piece_count) {
            load_piece();
        } else if (!next_leaf()) {
            return {};
        }
    }
    Extent const taken{piece_.offset, std::min(limit, piece_.length)};
    piece_.offset += taken.length;
    piece_.length -= taken.length;
    return taken;
}

// Part of a shape's stream: its bytes [begin, end).
struct Stream {
    Shape shape;
    Size begin{0};
    Size end{0};

    static Stream whole(Shape shape) {
        auto const size = shape.size();
        return {std::move(shape), 0, size};
    }
    Size size() const { return end - begin; }
    Size piece_count() const { return shape.pieces_between(begin, end); }
    // Ordered only: the part of it that lies in the file's bytes [low, high).
    Stream within(Offset low, Offset high) const {
        auto const first = std::clamp(shape.position_of(low), begin, end);
        return {shape, first, std::clamp(shape.position_of(high), first, end)};
    }
    template <class Visit>
    void for_each(Visit&& visit) const {
        shape.for_each(begin, end, visit);
    }
    Shape alone() const { return shape.between(begin, end); }
    Extent bounds() const;  // ordered only: from its first to its last byte
};

// --- the walk, inlined into its callers because it is the inner loop of everything ---

// A visitor that is a plain value is copied for the pieces of one leaf, and copied back: what it writes could else be itself, for all
// the compiler knows, and its state would go to memory with every piece. Functions with captures are none.
template <class Visit>
inline constexpr bool is_plain_visitor = std::is_trivially_copyable_v<Visit>&& std::is_copy_assignable_v<Visit>;
template <class Visit>
using HeldVisitor = std::conditional_t<is_plain_visitor<Visit>, Visit, Visit&>;

template <class Visit>
class VisitorOfLeaf {
public:
    explicit VisitorOfLeaf(Visit& visit) : outer_{visit}, here_{visit} {}
    ~VisitorOfLeaf() {
        if constexpr (is_plain_visitor<Visit>) outer_ = here_;
    }
    VisitorOfLeaf(VisitorOfLeaf const&) = delete;
    VisitorOfLeaf& operator=(VisitorOfLeaf const&) = delete;
    void operator()(Offset offset, Size length) { here_(offset, length); }

private:
    Visit& outer_;
    HeldVisitor<Visit> here_;
};

// A visitor may have list(pieces, shift) beside it, for irregular pieces: all of a leaf at once, each moved by `shift`.
template <class Visit>
concept VisitsLists = requires(Visit& visit, std::span<Extent const> pieces) {
    visit.list(pieces, Offset{0});
};

// A visitor may have rows(rows) beside it, for all of them at once.
template <class Visit>
concept VisitsRows = requires(Visit& visit, Rows const& rows) {
    visit.rows(rows);
};

template <class Visit>
void Shape::walk_strip(Node const& node, Offset shift, Size begin, Size end, Visit& visitor) {
    VisitorOfLeaf visit{visitor};
    auto const length = node.first.length;
    auto index = begin / length;
    auto const last = (end - 1) / length;
    auto offset = node.first.offset + shift + index * node.stride;
    auto const skip = begin - index * length;
    if (index == last) return visit(offset + skip, end - begin);
    visit(offset + skip, length - skip);
    for (++index, offset += node.stride; index < last; ++index, offset += node.stride) visit(offset, length);
    visit(offset, end - last * length);
}

// The pieces between the first and the last one, which may be cut.
template <class Visit>
void Shape::walk_list(Node const& node, Offset shift, Size begin, Size end, Visit& visit) {
    auto const [first, skip] = locate_piece(node, begin);
    auto const [last, into] = locate_piece(node, end - 1);
    auto const piece = [&](Size index) { return node.list[static_cast<std::size_t>(index)]; };
    auto const head = piece(first).offset + shift + skip;
    if (first == last) return visit(head, end - begin);
    visit(head, piece(first).length - skip);
    auto const between = std::span{node.list}.subspan(static_cast<std::size_t>(first + 1));
    visit.list(between.first(static_cast<std::size_t>(last - first - 1)), shift);
    visit(piece(last).offset + shift, into + 1);
}

template <class Visit>
void Shape::walk_pieces(Node const& node, Offset shift, Size begin, Size end, Visit& visitor) {
    if constexpr (VisitsLists<Visit>) return walk_list(node, shift, begin, end, visitor);
    VisitorOfLeaf visit{visitor};
    auto const [index, skip] = locate_piece(node, begin);
    auto left = end - begin;
    auto const* piece = node.list.data() + index;
    if (skip > 0) {
        auto const length = std::min(piece->length - skip, left);
        visit(piece->offset + shift + skip, length);
        left -= length;
        ++piece;
    }
    for (; left > 0 && piece->length <= left; ++piece) {
        visit(piece->offset + shift, piece->length);
        left -= piece->length;
        if (left == 0) return;
    }
    if (left > 0) visit(piece->offset + shift, left);
}

inline Shape::Placed Shape::placed(Node const& node, Size index) {
    if (node.kind == Kind::repeat) {
        auto const& shape = node.children[0].shape;
        return {shape, index * shape.node_->size, shape.shift_ + index * node.stride};
    }
    auto const& child = node.children[static_cast<std::size_t>(index)];
    return {child.shape, child.start, child.shape.shift_};
}

template <class Visit>
void Shape::walk_all(Node const& node, Offset shift, Visit& visit) {
    if (node.kind == Kind::strip) {
        if constexpr (VisitsRows<Visit>) {
            return visit.rows({{node.first.offset + shift, node.first.length}, node.count, node.stride});
        }
        VisitorOfLeaf leaf{visit};
        auto offset = node.first.offset + shift;
        auto const [length, stride] = std::pair{node.first.length, node.stride};
        for (auto left = node.count; left > 0; --left, offset += stride) leaf(offset, length);
    } else if (node.kind == Kind::pieces) {
        if constexpr (VisitsLists<Visit>) return visit.list(node.list, shift);
        VisitorOfLeaf leaf{visit};
        auto const* const last = node.list.data() + node.list.size();
        for (auto const* piece = node.list.data(); piece != last; ++piece) leaf(piece->offset + shift, piece->length);
    } else if (node.kind == Kind::repeat) {
        auto const& child = node.children[0].shape;
        auto moved = shift + child.shift_;
        for (auto left = node.count; left > 0; --left, moved += node.stride) walk_all(*child.node_, moved, visit);
    } else {
        for (auto const& child : node.children) walk_all(*child.shape.node_, shift + child.shape.shift_, visit);
    }
}

template <class Visit>
void Shape::walk_repeat(Node const& node, Offset shift, Size begin, Size end, Visit& visit) {
    auto const& child = node.children[0].shape;
    auto const size = child.node_->size;
    auto const first = begin / size;
    auto moved = shift + child.shift_ + first * node.stride;
    begin -= first * size;
    for (end -= first * size; end > 0; begin = 0, end -= size, moved += node.stride) {
        walk(*child.node_, moved, begin, std::min(end, size), visit);
    }
}

template <class Visit>
void Shape::walk(Node const& node, Offset shift, Size begin, Size end, Visit& visit) {
    if (end - begin == node.size) return walk_all(node, shift, visit);
    if (node.kind == Kind::strip) return walk_strip(node, shift, begin, end, visit);
    if (node.kind == Kind::pieces) return walk_pieces(node, shift, begin, end, visit);
    if (node.kind == Kind::repeat) return walk_repeat(node, shift, begin, end, visit);
    for (auto index = child_at(node, begin); begin < end; ++index) {
        auto const child = placed(node, index);
        auto const stop = std::min(end, child.start + child.shape.size());
        walk(*child.shape.node_, shift + child.shift, begin - child.start, stop - child.start, visit);
        begin = stop;
    }
}

template <class Maker>
typename Maker::Made Shape::translate(Node const& node, Offset shift, Maker const& maker) {
    if (node.kind == Kind::strip) {
        return maker.strip({node.first.offset + shift, node.first.length}, node.count, node.stride);
    }
    if (node.kind == Kind::pieces) return maker.pieces(std::span<Extent const>{node.list}, shift);
    std::vector<typename Maker::Made> children;
    for (auto const& [child, start, first_piece] : node.children) {
        children.push_back(translate(*child.node_, shift + child.shift_, maker));
    }
    if (node.kind == Kind::chain) return maker.chain(std::move(children));
    return maker.repeat(std::move(children[0]), node.count, node.stride);
}

}  // namespace muster
