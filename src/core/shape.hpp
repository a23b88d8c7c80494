// A Shape says where the bytes of a stream lie, in stream order: regular strips, irregular pieces, and nestings of both.
// It is an immutable value that copies cheaply. Regular ones stay small: a vector of 10^9 elements is one node.
#pragma once

#include <algorithm>
#include <cassert>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "muster/extent.hpp"

namespace muster {

class Shape {
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

    std::string text() const;  // "repeat 4 by 100 (strip 3 x 8 by 24 at 16)", for tests and reports
    bool operator==(Shape const& other) const;  // same structure and place

private:
    friend class Cursor;
    friend class ShapeCoder;
    struct Node;
    struct Child;
    enum class Kind : std::uint8_t { strip, pieces, repeat, chain };
    static constexpr Size mark_every = 64;  // pieces between two remembered stream positions

    Shape(std::shared_ptr<Node const> node, Offset shift) : node_{std::move(node)}, shift_{shift} {}
    bool is_block() const;
    static Size position_in(Node const& node, Offset offset);
    static Size pieces_in(Node const& node, Size begin, Size end);
    static std::pair<Size, Size> locate_piece(Node const& node, Size position);  // index, bytes into it
    static Size child_at(Node const& node, Size position);

    template <class Visit>
    static void walk(Node const& node, Offset shift, Size begin, Size end, Visit& visit);
    template <class Visit>
    static void walk_strip(Node const& node, Offset shift, Size begin, Size end, Visit& visit);
    template <class Visit>
    static void walk_pieces(Node const& node, Offset shift, Size begin, Size end, Visit& visit);

    std::shared_ptr<Node const> node_;
    Offset shift_{0};
};

struct Shape::Child {
    Shape shape;
    Size start;  // stream position of its first byte
};

struct Shape::Node {
    Kind kind{Kind::strip};
    bool ordered{true};
    Size size{0};
    Size piece_count{0};
    Offset low{0};
    Offset high{0};
    Extent first;             // strip: its first piece
    Size count{0};            // strip, repeat: how often
    Size stride{0};           // strip, repeat
    std::vector<Extent> list;    // pieces
    std::vector<Size> marks;     // pieces: stream position of every mark_every-th piece
    std::vector<Child> children; // repeat: one; chain: all
};

// Walks a shape's stream piece by piece, on demand: the other half of a zip with for_each.
class Cursor {
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
    void enter_leaf(Shape::Node const& node, Offset shift, Size position);
    bool next_piece();
    void load_piece();

    Shape shape_;
    std::vector<Frame> frames_;  // the repeats and chains above the leaf
    Frame leaf_{nullptr, 0, 0};
    Extent piece_;  // what is left of the current piece
};

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
    Extent bounds() const;  // ordered only: from its first to its last byte
};

// --- the walk, inlined into its callers because it is the inner loop of everything ---

template <class Visit>
void Shape::walk_strip(Node const& node, Offset shift, Size begin, Size end, Visit& visit) {
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

template <class Visit>
void Shape::walk_pieces(Node const& node, Offset shift, Size begin, Size end, Visit& visit) {
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

template <class Visit>
void Shape::walk(Node const& node, Offset shift, Size begin, Size end, Visit& visit) {
    if (node.kind == Kind::strip) return walk_strip(node, shift, begin, end, visit);
    if (node.kind == Kind::pieces) return walk_pieces(node, shift, begin, end, visit);
    for (auto index = child_at(node, begin); begin < end; ++index) {
        auto const repeated = node.kind == Kind::repeat;
        auto const& child = node.children[repeated ? 0 : static_cast<std::size_t>(index)];
        auto const start = repeated ? index * child.shape.size() : child.start;
        auto const stop = std::min(end, start + child.shape.size());
        auto const moved = shift + child.shape.shift_ + (repeated ? index * node.stride : 0);
        walk(*child.shape.node_, moved, begin - start, stop - start, visit);
        begin = stop;
    }
}

}  // namespace muster
