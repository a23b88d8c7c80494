#include "hdf5/blocks.hpp"

#include <algorithm>
#include <string>

namespace muster::hdf5 {

namespace {

// A block, or what is left of it behind the dimensions that are dealt with, and where its bytes begin in memory.
struct Part {
    std::size_t block;
    Offset memory;
};

// Goes through the array dimension by dimension. Between two indices at which a block begins or ends all rows are alike.
class Sweep {
public:
    Sweep(BlockList const& blocks, std::vector<Size> const& extent, Size element)
        : blocks_{blocks}, strides_(extent.size()), element_{element} {
        auto stride = element;
        for (auto d = extent.size(); d-- > 0; stride *= extent[d]) strides_[d] = stride;
    }

    Arrangement arrange() {
        std::vector<Part> parts;
        Offset memory = 0;
        for (std::size_t i = 0; i < blocks_.count; ++i) {
            auto const bytes = inner_bytes(i, 0) * blocks_.size(i, 0);
            if (bytes > 0) parts.push_back({i, memory});
            memory += bytes;
        }
        if (parts.empty()) return {};
        return level(0, std::move(parts));
    }

    bool overlapping() const { return overlapping_; }

private:
    Size start(Part const& part, std::size_t d) const { return blocks_.start(part.block, d); }
    Size end(Part const& part, std::size_t d) const { return start(part, d) + blocks_.size(part.block, d); }

    // Bytes of a block per index of dimension d.
    Size inner_bytes(std::size_t block, std::size_t d) const {
        auto bytes = element_;
        for (auto i = d + 1; i < blocks_.dimensions; ++i) bytes *= blocks_.size(block, i);
        return bytes;
    }

    Arrangement level(std::size_t d, std::vector<Part> parts) {
        std::sort(parts.begin(), parts.end(), [&](Part const& a, Part const& b) { return start(a, d) < start(b, d); });
        return d + 1 == blocks_.dimensions ? row(parts) : rows(d, parts);
    }

    Arrangement row(std::vector<Part> const& parts) {
        auto const d = blocks_.dimensions - 1;
        std::vector<Extent> file;
        std::vector<Extent> memory;
        file.reserve(parts.size());
        memory.reserve(parts.size());
        for (auto const& part : parts) {
            auto const bytes = blocks_.size(part.block, d) * element_;
            auto const place = start(part, d) * element_;
            if (!file.empty() && file.back().end() > place) overlapping_ = true;
            file.push_back({place, bytes});
            memory.push_back({part.memory, bytes});
        }
        return {Shape::pieces(std::move(file)), Shape::pieces(std::move(memory))};
    }

    Arrangement rows(std::size_t d, std::vector<Part> const& parts) {
        std::vector<Shape> file;
        std::vector<Shape> memory;
        std::vector<Part> active;
        auto next = parts.begin();
        for (auto at = start(parts.front(), d); (next != parts.end() || !active.empty()) && !overlapping_;) {
            if (active.empty()) at = start(*next, d);
            for (; next != parts.end() && start(*next, d) == at; ++next) active.push_back(*next);
            auto const until = next_edge(active, d, next == parts.end() ? nullptr : &*next);
            auto const same = alike_rows(d, active, {at, until - at});
            file.push_back(same.file);
            memory.push_back(same.memory);
            at = until;
            std::erase_if(active, [&](Part const& part) { return end(part, d) == at; });
        }
        return {Shape::chain(std::move(file)), Shape::chain(std::move(memory))};
    }

    // The first index at which one of them ends, or the next one begins.
    Size next_edge(std::vector<Part> const& active, std::size_t d, Part const* next) const {
        auto edge = end(active.front(), d);
        for (auto const& part : active) edge = std::min(edge, end(part, d));
        return next == nullptr ? edge : std::min(edge, start(*next, d));
    }

    // Indices [offset, end) of dimension d, in all of which the same parts take part.
    Arrangement alike_rows(std::size_t d, std::vector<Part> const& active, Extent indices) {
        auto const step = inner_bytes(active.front().block, d);
        auto const regular = std::all_of(active.begin(), active.end(),
                                         [&](Part const& part) { return inner_bytes(part.block, d) == step; });
        if (regular) {
            auto const one = level(d + 1, at_index(d, active, indices.offset));
            return {Shape::repeat(one.file, indices.length, strides_[d]).shifted(indices.offset * strides_[d]),
                    Shape::repeat(one.memory, indices.length, step)};
        }
        std::vector<Shape> file;
        std::vector<Shape> memory;
        for (auto i = indices.offset; i < indices.end() && !overlapping_; ++i) {
            auto const one = level(d + 1, at_index(d, active, i));
            file.push_back(one.file.shifted(i * strides_[d]));
            memory.push_back(one.memory);
        }
        return {Shape::chain(std::move(file)), Shape::chain(std::move(memory))};
    }

    std::vector<Part> at_index(std::size_t d, std::vector<Part> parts, Size index) const {
        for (auto& part : parts) part.memory += (index - start(part, d)) * inner_bytes(part.block, d);
        return parts;
    }

    BlockList const& blocks_;
    std::vector<Size> strides_;
    Size element_;
    bool overlapping_{false};
};

// As they are listed.
Arrangement in_turn(BlockList const& blocks, std::vector<Size> const& extent, Size element) {
    std::vector<Shape> file;
    for (std::size_t i = 0; i < blocks.count; ++i) {
        auto shape = Shape::block(0, element);
        auto stride = element;
        for (auto d = extent.size(); d-- > 0; stride *= extent[d]) {
            shape = Shape::repeat(shape, blocks.size(i, d), stride).shifted(blocks.start(i, d) * stride);
        }
        file.push_back(shape);
    }
    auto const memory = Shape::block(0, blocks.elements() * element);
    return {Shape::chain(std::move(file)), memory};
}

}  // namespace

Size BlockList::elements() const {
    Size all = 0;
    for (std::size_t i = 0; i < count; ++i) {
        Size own = 1;
        for (std::size_t d = 0; d < dimensions; ++d) own *= size(i, d);
        all += own;
    }
    return all;
}

Status check_blocks(BlockList const& blocks, std::vector<Size> const& extent) {
    if (blocks.count > 0 && (blocks.starts == nullptr || blocks.sizes == nullptr)) {
        return {Code::invalid_argument, "a list of blocks without starts or counts"};
    }
    for (std::size_t i = 0; i < blocks.count; ++i) {
        for (std::size_t d = 0; d < blocks.dimensions; ++d) {
            auto const start = blocks.start(i, d), size = blocks.size(i, d);
            if (start >= 0 && size >= 0 && start <= extent[d] && size <= extent[d] - start) continue;
            return {Code::invalid_argument,
                    "block " + std::to_string(i) + " reaches out of the dataset in dimension " + std::to_string(d)};
        }
    }
    return {};
}

Arrangement aggregate(BlockList const& blocks, std::vector<Size> const& extent, Size element) {
    if (blocks.count == 0 || blocks.dimensions == 0) return in_turn(blocks, extent, element);
    Sweep sweep{blocks, extent, element};
    auto arrangement = sweep.arrange();
    return sweep.overlapping() ? in_turn(blocks, extent, element) : arrangement;
}

}  // namespace muster::hdf5
