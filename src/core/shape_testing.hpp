// Random shapes for tests, and shapes written out byte by byte.
#pragma once

#include <random>
#include <vector>

#include "core/shape.hpp"

namespace muster::testing {

using Random = std::mt19937_64;

inline Size between(Random& random, Size low, Size high) {
    return std::uniform_int_distribution<Size>{low, high}(random);
}

// The offset of each byte of a stream.
using Bytes = std::vector<Offset>;

struct Sample {
    Shape shape;
    Bytes bytes;  // made beside the shape, without its help
};

// What random_sample may make.
struct Taste {
    bool ordered{true};
    int depth{3};
};

inline void append(Bytes& bytes, Extent piece) {
    for (Offset at = piece.offset; at < piece.end(); ++at) bytes.push_back(at);
}

inline Sample random_strip(Random& random, Taste taste) {
    Extent const first{between(random, 0, 30), between(random, 0, 7)};
    auto const count = between(random, 0, 6);
    auto const stride = taste.ordered ? first.length + between(random, 0, 9) : between(random, -20, 20);
    Sample sample{Shape::strip(first, count, stride), {}};
    for (Size i = 0; i < count; ++i) append(sample.bytes, {first.offset + i * stride, first.length});
    return sample;
}

inline Sample random_pieces(Random& random, Taste taste) {
    std::vector<Extent> list;
    Sample sample;
    Offset at = 0;
    auto const many = between(random, 0, 9) == 0;  // beyond the marks of the positions
    for (auto left = between(random, 0, many ? 200 : 8); left > 0; --left) {
        at += taste.ordered ? between(random, 0, 9) : between(random, -30, 30);
        Extent const piece{at, between(random, 0, 5)};
        list.push_back(piece);
        append(sample.bytes, piece);
        at = piece.end();
    }
    sample.shape = Shape::pieces(std::move(list));
    return sample;
}

Sample random_sample(Random& random, Taste taste);

inline Sample random_repeat(Random& random, Taste taste) {
    auto const child = random_sample(random, {taste.ordered, taste.depth - 1});
    auto const count = between(random, 0, 4);
    auto const extent = child.shape.high() - child.shape.low();
    auto const stride = taste.ordered ? extent + between(random, 0, 9) : between(random, -50, 50);
    Sample sample{Shape::repeat(child.shape, count, stride), {}};
    for (Size i = 0; i < count; ++i) {
        for (auto const at : child.bytes) sample.bytes.push_back(at + i * stride);
    }
    return sample;
}

inline Sample random_chain(Random& random, Taste taste) {
    std::vector<Shape> children;
    Sample sample;
    Offset end = 0;
    for (auto left = between(random, 0, 4); left > 0; --left) {
        auto const child = random_sample(random, {taste.ordered, taste.depth - 1});
        auto const by = taste.ordered ? end - child.shape.low() + between(random, 0, 9) : between(random, -50, 50);
        children.push_back(child.shape.shifted(by));
        for (auto const at : child.bytes) sample.bytes.push_back(at + by);
        if (!child.shape.empty()) end = children.back().high();
    }
    sample.shape = Shape::chain(std::move(children));
    return sample;
}

inline Sample random_sample(Random& random, Taste taste) {
    auto const kind = between(random, 0, taste.depth > 0 ? 3 : 1);
    auto sample = kind == 0   ? random_strip(random, taste)
                  : kind == 1 ? random_pieces(random, taste)
                  : kind == 2 ? random_repeat(random, taste)
                              : random_chain(random, taste);
    if (between(random, 0, 1) == 0) return sample;
    auto const by = between(random, -40, 40);
    for (auto& at : sample.bytes) at += by;
    return {sample.shape.shifted(by), std::move(sample.bytes)};
}

inline Bytes bytes_of(Shape const& shape, Size begin, Size end) {
    Bytes bytes;
    shape.for_each(begin, end, [&](Offset offset, Size length) { append(bytes, {offset, length}); });
    return bytes;
}

inline std::vector<Extent> pieces_of(Shape const& shape, Size begin, Size end) {
    std::vector<Extent> list;
    shape.for_each(begin, end, [&](Offset offset, Size length) { list.push_back({offset, length}); });
    return list;
}

inline std::vector<Extent> pieces_of(Shape const& shape) { return pieces_of(shape, 0, shape.size()); }

// Joined where they touch: what two shapes of the same bytes in the same order have in common.
inline std::vector<Extent> joined_pieces_of(Shape const& shape) {
    std::vector<Extent> list;
    shape.for_each([&](Offset offset, Size length) {
        if (!list.empty() && list.back().end() == offset) {
            list.back().length += length;
        } else {
            list.push_back({offset, length});
        }
    });
    return list;
}

}  // namespace muster::testing
