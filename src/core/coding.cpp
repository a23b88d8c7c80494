#include "core/coding.hpp"

#include <limits>
#include <map>
#include <new>
#include <optional>
#include <utility>

#include "core/bytes.hpp"
#include "core/compact.hpp"
#include "core/piece_coding.hpp"

namespace muster {

namespace {

enum class CodeKind : unsigned { nothing, block, strip, pieces, repeat, chain, again };

constexpr Size largest = std::numeric_limits<Size>::max();

}  // namespace

// Writes a shape without its place: every node begins at the lowest byte it touches.
class ShapeCoder {
public:
    explicit ShapeCoder(Shape const& shape) {
        assert(shape.ordered());
        out_.signed_number(shape.low());
        add(shape);
    }
    std::vector<std::byte> take() { return out_.take(); }

private:
    using Node = Shape::Node;

    void add(Shape const& shape) {
        auto const& node = *shape.node_;
        if (node.size == 0) return kind(CodeKind::nothing);
        if (node.kind == Shape::Kind::strip) return add_strip(node);
        if (auto const known = known_.find(&node); known != known_.end()) {
            kind(CodeKind::again);
            return out_.number(known->second);
        }
        if (node.kind == Shape::Kind::pieces) add_pieces(node);
        if (node.kind == Shape::Kind::repeat) add_repeat(node);
        if (node.kind == Shape::Kind::chain) add_chain(node);
        known_.emplace(&node, static_cast<Size>(known_.size()));
    }

    void add_strip(Node const& node) {
        kind(node.count == 1 ? CodeKind::block : CodeKind::strip);
        out_.number(node.first.length);
        if (node.count == 1) return;
        out_.number(node.count);
        out_.number(node.stride - node.first.length);
    }

    void add_pieces(Node const& node) {
        kind(CodeKind::pieces);
        out_.number(node.piece_count);
        encode_pieces(node.list, out_);
    }

    void add_repeat(Node const& node) {
        kind(CodeKind::repeat);
        auto const& child = node.children[0].shape;
        out_.number(node.count);
        out_.number(node.stride - (child.high() - child.low()));
        add(child);
    }

    void add_chain(Node const& node) {
        kind(CodeKind::chain);
        out_.number(static_cast<Size>(node.children.size()));
        auto end = node.low;
        for (auto const& [shape, start, first_piece] : node.children) {
            if (start > 0) out_.number(shape.low() - end);
            add(shape);
            end = shape.high();
        }
    }

    void kind(CodeKind kind) { out_.byte(static_cast<unsigned>(kind)); }

    ByteWriter out_;
    std::map<Node const*, Size> known_;
};

namespace {

// Nobody nests this deep on purpose; as a list it can still be decoded.
Shape flattened(Shape const& shape) {
    std::vector<Extent> list;
    shape.for_each([&](Offset offset, Size length) { list.push_back({offset, length}); });
    return Shape::pieces(std::move(list));
}

std::vector<std::byte> encode_shape(Shape const& shape) {
    auto const found = compact(shape);
    return ShapeCoder{found.depth() > DecodeLimits{}.depth ? flattened(found) : found}.take();
}

}  // namespace

std::vector<std::byte> encode(Stream const& stream) { return encode_shape(stream.alone()); }

std::vector<std::byte> encode_within(Stream const& stream, std::span<Extent const> ranges) {
    constexpr Size few = 256;  // pieces that are better listed than cut out as a shape
    std::vector<Shape> parts;
    std::vector<Extent> list;
    for (auto const& range : ranges) {
        auto const part = stream.within(range.offset, range.end());
        if (part.piece_count() <= few) {
            part.for_each([&](Offset offset, Size length) { list.push_back({offset, length}); });
            continue;
        }
        parts.push_back(Shape::pieces(std::exchange(list, {})));
        parts.push_back(part.alone());
    }
    parts.push_back(Shape::pieces(std::move(list)));
    return encode_shape(Shape::chain(std::move(parts)));
}

namespace {

// Reads a shape. What arrives is input: every number is checked before a shape is made of it, and as nodes follow each
// other in the file, a shape whose reach fits into a Size has a size that fits too.
class ShapeReader {
public:
    ShapeReader(std::span<std::byte const> code, DecodeLimits const& limits)
        : in_{code}, pieces_left_{limits.pieces}, most_depth_{limits.depth} {}

    Result<Stream> read() {
        auto const low = in_.signed_number();
        auto const shape = node(0);
        if (!shape || in_.failed() || !in_.at_end()) return invalid();
        Offset high = 0;
        if (__builtin_add_overflow(low, shape->high(), &high)) return invalid();
        return Stream::whole(shape->shifted(low));
    }

private:
    using Maybe = std::optional<Shape>;  // begins at 0

    static Status invalid() { return {Code::invalid_argument, "a coded list of extents is damaged"}; }

    Maybe node(int depth) {
        if (depth > most_depth_) return {};
        switch (static_cast<CodeKind>(in_.byte())) {
            case CodeKind::nothing: return in_.failed() ? Maybe{} : Shape{};
            case CodeKind::block: return block();
            case CodeKind::strip: return strip();
            case CodeKind::pieces: return remembered(pieces());
            case CodeKind::repeat: return remembered(repeat(depth));
            case CodeKind::chain: return remembered(chain(depth));
            case CodeKind::again: return again();
        }
        return {};
    }

    Maybe remembered(Maybe shape) {
        if (!shape || shape->depth() > most_depth_) return {};
        known_.push_back(*shape);
        return shape;
    }

    Maybe again() {
        auto const index = static_cast<std::size_t>(in_.size());
        if (in_.failed() || index >= known_.size()) return {};
        return known_[index];
    }

    Maybe block() {
        auto const length = in_.size();
        if (length == 0) return {};
        return Shape::block(0, length);
    }

    Maybe strip() {
        auto const length = in_.size();
        auto const count = in_.size();
        auto const gap = in_.size();
        if (length == 0) return {};
        return copies(Shape::block(0, length), count, gap);
    }

    Maybe repeat(int depth) {
        auto const count = in_.size();
        auto const gap = in_.size();
        auto const child = node(depth + 1);
        if (!child || child->empty()) return {};
        return copies(*child, count, gap);
    }

    // `count` times the stride must fit, too: shapes reckon with it.
    Maybe copies(Shape const& shape, Size count, Size gap) {
        Size stride = 0;
        Size reach = 0;
        if (in_.failed() || count == 0 || __builtin_add_overflow(shape.high(), gap, &stride)) return {};
        if (__builtin_mul_overflow(count - 1, stride, &reach) || reach > largest - stride) return {};
        return Shape::repeat(shape, count, stride);
    }

    Maybe chain(int depth) {
        auto const count = in_.size();
        if (count == 0 || static_cast<std::size_t>(count) > in_.left()) return {};  // a child takes a byte at least
        std::vector<Shape> children;
        Offset end = 0;
        for (Size i = 0; i < count; ++i) {
            if (__builtin_add_overflow(end, i == 0 ? 0 : in_.size(), &end)) return {};
            auto const child = node(depth + 1);
            if (!child || child->empty() || child->high() > largest - end) return {};
            children.push_back(child->shifted(end));
            end += child->high();
        }
        return Shape::chain(std::move(children));
    }

    Maybe pieces() {
        auto const count = in_.size();
        if (in_.failed() || count == 0 || count > pieces_left_) return {};
        pieces_left_ -= count;
        auto list = decode_pieces(in_, count);
        if (list.empty()) return {};
        return Shape::pieces(std::move(list));
    }

    ByteReader in_;
    Size pieces_left_;
    int most_depth_;
    std::vector<Shape> known_;
};

}  // namespace

Result<Stream> decode(std::span<std::byte const> code, DecodeLimits const& limits) {
    try {
        return ShapeReader{code, limits}.read();
    } catch (std::bad_alloc const&) {
        return Status{Code::out_of_memory, "a coded list of extents does not fit into memory"};
    }
}

}  // namespace muster
