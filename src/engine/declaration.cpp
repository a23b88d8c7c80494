#include "engine/declaration.hpp"

#include <new>
#include <optional>

namespace muster {

namespace {

// Equal lengths at equal distances, as most variables have them, need not be listed.
std::optional<Shape> as_strip(std::vector<Extent> const& extents) {
    if (extents.empty()) return Shape{};
    auto const stride = extents.size() > 1 ? extents[1].offset - extents[0].offset : extents[0].length;
    for (std::size_t i = 1; i < extents.size(); ++i) {
        if (extents[i].length != extents[0].length || extents[i].offset - extents[i - 1].offset != stride) return {};
    }
    return Shape::strip(extents[0], static_cast<Size>(extents.size()), stride);
}

// Strips are told from other shapes by translating them.
struct Strip {
    Extent first;
    Size count{0};
    Size stride{0};
};
struct AsStrip {
    using Made = std::optional<Strip>;
    Made strip(Extent const& first, Size count, Size stride) const { return Strip{first, count, stride}; }
    Made pieces(std::span<Extent const>, Offset) const { return {}; }
    Made repeat(Made const&, Size, Size) const { return {}; }
    Made chain(std::vector<Made> const&) const { return {}; }
};

// Whether each ends before the next begins; both are sorted so.
bool apart(std::vector<Shape> const& shapes) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (!shapes[i].ordered() || (i > 0 && shapes[i].low() < shapes[i - 1].high())) return false;
    }
    return true;
}

// Records: strips of the same count and stride that lie in each other's gaps.
std::optional<Shape> as_records(std::vector<Shape> const& shapes) {
    std::vector<Extent> record;
    Strip like;
    for (auto const& shape : shapes) {
        auto const strip = shape.translate(AsStrip{});
        if (!strip) return {};
        if (record.empty()) like = *strip;
        if (strip->count != like.count || strip->stride != like.stride) return {};
        if (!record.empty() && strip->first.offset < record.back().end()) return {};
        record.push_back(strip->first);
    }
    if (record.empty() || record.back().end() - record.front().offset > like.stride) return {};
    return Shape::repeat(Shape::pieces(std::move(record)), like.count, like.stride);
}

Result<Shape> sorted(std::vector<Shape> shapes) {
    auto file = Stream::whole(Shape::chain(std::move(shapes)));
    auto const size = file.size();
    auto access = make_access(std::move(file), {Stream::whole(Shape::block(0, size)), nullptr});
    if (access) access = ordered(std::move(*access), Overlap::last_wins);
    if (!access) return access.status();
    if (access->size() < size) return Status{Code::invalid_argument, "the same bytes were declared twice"};
    return access->file.shape;
}

}  // namespace

Result<std::vector<Declaration>> make_declarations(std::span<Part const> parts) try {
    std::vector<Declaration> made;
    for (auto const& part : parts) {
        for (auto const& extent : part.extents) {
            if (is_possible(extent)) continue;
            return Status{Code::invalid_argument, "an extent of " + std::to_string(extent.length) + " bytes at " +
                                                      std::to_string(extent.offset) + " was declared"};
        }
        auto strip = as_strip(part.extents);
        made.push_back({strip ? std::move(*strip) : Shape::pieces(part.extents)});
    }
    return made;
} catch (std::bad_alloc const&) {
    return Status{Code::out_of_memory, "no memory for what was declared"};
}

Result<Shape> joined(std::vector<Declaration> const& parts) try {
    std::vector<Shape> shapes;
    for (auto const& part : parts) {
        if (!part.shape.empty()) shapes.push_back(part.shape);
    }
    std::sort(shapes.begin(), shapes.end(), [](Shape const& a, Shape const& b) { return a.low() < b.low(); });
    if (apart(shapes)) return Shape::chain(std::move(shapes));
    if (auto records = as_records(shapes); records) return std::move(*records);
    return sorted(std::move(shapes));
} catch (std::bad_alloc const&) {
    return Status{Code::out_of_memory, "no memory to sort what was declared"};
}

Size pieces_of(std::vector<Declaration> const& parts) {
    Size pieces = 0;
    for (auto const& part : parts) pieces += part.shape.piece_count();
    return pieces;
}

}  // namespace muster
