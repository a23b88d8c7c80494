#include "hdf5/selection.hpp"

#include <algorithm>
#include <span>
#include <string>

namespace muster::hdf5 {

namespace {

using Coordinates = std::vector<hsize_t>;

Status refused(char const* what) { return {Code::invalid_argument, std::string{"HDF5 does not tell "} + what}; }

Size signed_size(hsize_t value) { return static_cast<Size>(value); }

// The array that a selection lies in.
struct Grid {
    std::vector<Size> sizes;
    std::vector<Size> strides;  // bytes from one index to the next, per dimension

    Grid(std::vector<Size> extent, Size element) : sizes{std::move(extent)}, strides(sizes.size()) {
        auto stride = element;
        for (auto d = sizes.size(); d-- > 0; stride *= sizes[d]) strides[d] = stride;
    }
    std::size_t dimensions() const { return sizes.size(); }
    Offset place(std::span<hsize_t const> at) const {
        Offset offset = 0;
        for (std::size_t d = 0; d < strides.size(); ++d) offset += signed_size(at[d]) * strides[d];
        return offset;
    }
};

// HDF5 can move a selection by an offset that it tells only through the bounds.
Result<Offset> moved_by(hid_t space, Grid const& grid, Coordinates const& lowest) {
    Coordinates low(grid.dimensions());
    Coordinates high(grid.dimensions());
    if (H5Sget_select_bounds(space, low.data(), high.data()) < 0) return refused("the bounds of a selection");
    return grid.place(low) - grid.place(lowest);
}

Result<Shape> regular(hid_t space, Grid const& grid, Size element) {
    auto const dimensions = grid.dimensions();
    Coordinates start(dimensions), stride(dimensions), count(dimensions), block(dimensions);
    if (H5Sget_regular_hyperslab(space, start.data(), stride.data(), count.data(), block.data()) < 0) {
        return refused("a hyperslab");
    }
    auto shape = Shape::block(0, element);
    for (auto d = dimensions; d-- > 0;) {
        auto const one_block = Shape::repeat(shape, signed_size(block[d]), grid.strides[d]);
        shape = Shape::repeat(one_block, signed_size(count[d]), signed_size(stride[d]) * grid.strides[d]);
    }
    auto const moved = moved_by(space, grid, start);
    if (!moved) return moved.status();
    return shape.shifted(grid.place(start) + *moved);
}

// Blocks as HDF5 lists them: both corners of each, one after the other. Blocks that share their rows follow each other, as
// they do in the tree of spans that HDF5 keeps.
class BlockUnion {
public:
    BlockUnion(Grid const& grid, Size element, std::span<hsize_t const> corners)
        : grid_{grid}, element_{element}, corners_{corners} {}

    Shape shape() const { return shape(0, corners_.size() / per_block(), 0); }

    Coordinates lowest() const {
        Coordinates low(grid_.dimensions());
        for (std::size_t d = 0; d < low.size(); ++d) {
            low[d] = first(0, d);
            for (std::size_t i = 1; i < corners_.size() / per_block(); ++i) low[d] = std::min(low[d], first(i, d));
        }
        return low;
    }

private:
    std::size_t per_block() const { return 2 * grid_.dimensions(); }
    hsize_t first(std::size_t block, std::size_t d) const { return corners_[block * per_block() + d]; }
    hsize_t last(std::size_t block, std::size_t d) const {
        return corners_[block * per_block() + grid_.dimensions() + d];
    }
    Size length(std::size_t block, std::size_t d) const { return signed_size(last(block, d) - first(block, d)) + 1; }

    // Dimension d and those behind it, of the blocks [begin, end), which are alike in all dimensions before.
    Shape shape(std::size_t begin, std::size_t end, std::size_t d) const {
        if (d + 1 == grid_.dimensions()) return rows(begin, end);
        std::vector<Shape> parts;
        for (auto at = begin; at < end;) {
            auto const group = group_end(at, end, d);
            auto const part = Shape::repeat(shape(at, group, d + 1), length(at, d), grid_.strides[d]);
            parts.push_back(part.shifted(signed_size(first(at, d)) * grid_.strides[d]));
            at = group;
        }
        return Shape::chain(std::move(parts));
    }

    Shape rows(std::size_t begin, std::size_t end) const {
        std::vector<Extent> pieces;
        pieces.reserve(end - begin);
        auto const d = grid_.dimensions() - 1;
        for (auto i = begin; i < end; ++i) {
            pieces.push_back({signed_size(first(i, d)) * element_, length(i, d) * element_});
        }
        return Shape::pieces(std::move(pieces));
    }

    std::size_t group_end(std::size_t begin, std::size_t end, std::size_t d) const {
        auto at = begin + 1;
        while (at < end && first(at, d) == first(begin, d) && last(at, d) == last(begin, d)) ++at;
        return at;
    }

    Grid const& grid_;
    Size element_;
    std::span<hsize_t const> corners_;
};

Result<Shape> united(hid_t space, Grid const& grid, Size element) {
    auto const blocks = H5Sget_select_hyper_nblocks(space);
    if (blocks < 0) return refused("how many blocks a selection has");
    auto const count = static_cast<hsize_t>(blocks);
    Coordinates corners(count * 2 * grid.dimensions());
    if (count > 0 && H5Sget_select_hyper_blocklist(space, 0, count, corners.data()) < 0) {
        return refused("the blocks of a selection");
    }
    BlockUnion const blocks_of_space{grid, element, corners};
    auto const moved = moved_by(space, grid, blocks_of_space.lowest());
    if (!moved) return moved.status();
    auto const shape = blocks_of_space.shape().shifted(*moved);
    if (!shape.ordered()) return Status{Code::internal, "HDF5 lists the blocks of a selection in an unknown order"};
    return shape;
}

Result<Shape> pointed(hid_t space, Grid const& grid, Size element) {
    auto const points = H5Sget_select_elem_npoints(space);
    if (points < 0) return refused("how many points a selection has");
    auto const count = static_cast<hsize_t>(points);
    auto const dimensions = grid.dimensions();
    Coordinates places(count * dimensions);
    if (H5Sget_select_elem_pointlist(space, 0, count, places.data()) < 0) return refused("the points of a selection");
    Coordinates lowest(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(dimensions));
    std::vector<Extent> pieces;
    pieces.reserve(count);
    for (std::size_t i = 0; i < places.size(); i += dimensions) {
        std::span<hsize_t const> const at{&places[i], dimensions};
        pieces.push_back({grid.place(at), element});
        for (std::size_t d = 0; d < dimensions; ++d) lowest[d] = std::min(lowest[d], at[d]);
    }
    auto const moved = moved_by(space, grid, lowest);
    if (!moved) return moved.status();
    return Shape::pieces(std::move(pieces)).shifted(*moved);
}

Size elements_of(std::vector<Size> const& extent) {
    Size elements = 1;
    for (auto const size : extent) elements *= size;
    return elements;
}

bool is_regular(hid_t space) { return H5Sis_regular_hyperslab(space) > 0; }

Result<Shape> listed_shape(hid_t space, Size element) {
    Grid const grid{extent_of(space), element};
    switch (H5Sget_select_type(space)) {
        case H5S_SEL_ALL: return Shape::block(0, elements_of(grid.sizes) * element);
        case H5S_SEL_POINTS: return pointed(space, grid, element);
        case H5S_SEL_HYPERSLABS:
            return is_regular(space) ? regular(space, grid, element) : united(space, grid, element);
        default: return refused("what a dataspace selects");
    }
}

}  // namespace

std::vector<Size> extent_of(hid_t space) {
    Coordinates sizes(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space), 0)));
    H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
    return {sizes.begin(), sizes.end()};
}

// HDF5 1.10 loses count in some unions of blocks that touch. Better to refuse than to write something else.
Result<Shape> shape_of_selection(hid_t space, Size element) {
    auto const elements = H5Sget_select_npoints(space);
    if (elements <= 0) return Shape{};
    auto shape = listed_shape(space, element);
    if (!shape || shape->size() == elements * element) return shape;
    return Status{Code::unsupported, "HDF5 counts " + std::to_string(elements) + " elements in a selection and lists " +
                                         std::to_string(shape->size() / element)};
}

Size list_bytes(hid_t space) {
    auto const dimensions = static_cast<Size>(std::max(H5Sget_simple_extent_ndims(space), 0));
    auto const per_piece = static_cast<Size>(sizeof(Extent)) + 2 * dimensions * static_cast<Size>(sizeof(hsize_t));
    auto const type = H5Sget_select_type(space);
    if (type == H5S_SEL_POINTS) return H5Sget_select_elem_npoints(space) * per_piece;
    if (type != H5S_SEL_HYPERSLABS || is_regular(space)) return 0;
    return H5Sget_select_hyper_nblocks(space) * per_piece;
}

Result<Shape> Selections::shape(hid_t space, Size element) {
    auto const key = std::pair{space, element};
    if (auto const found = known_.find(key); found != known_.end()) return found->second;
    auto shape = shape_of_selection(space, element);
    if (shape) known_.emplace(key, *shape);
    return shape;
}

Arrangement Selections::arrangement(BlockList const& blocks, std::vector<Size> const& extent, Size element) {
    BlockKey key{blocks.starts, blocks.sizes, blocks.count, extent, element};
    auto const found = known_blocks_.find(key);
    if (found != known_blocks_.end()) return found->second;
    return known_blocks_.emplace(std::move(key), aggregate(blocks, extent, element)).first->second;
}

}  // namespace muster::hdf5
