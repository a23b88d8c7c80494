#include "access/datatype.hpp"

#include <cstddef>
#include <deque>
#include <new>
#include <unordered_map>

#include "access/array.hpp"
#include "access/contents.hpp"
#include "access/shape_cache.hpp"
#include "core/fold.hpp"

namespace muster {

namespace {

// A datatype that is part of another one, with what is asked of it once per block at hand.
struct Part {
    Part(Shape flattened, Size distance)
        : element{std::move(flattened), distance},
          size{element.shape.size()},
          low{element.shape.low()},
          contiguous{element.shape.contiguous()} {}

    // However many there are in a row.
    bool in_one_piece() const { return contiguous && size == element.extent; }

    Element element;
    Size size;
    Offset low;
    bool contiguous;
};

// Collects blocks of parts in type map order. Contiguous blocks become plain pieces without a shape of their own, for
// there may be millions of them.
class Blocks {
public:
    explicit Blocks(Size expected) : pieces_{expected} {}

    void add(Part const& part, Size count, Offset place) {
        if (count <= 0 || part.size == 0) return;
        if (part.in_one_piece() || (part.contiguous && count == 1)) {
            pieces_.add({place + part.low, count * part.size});
        } else {
            add_shape(part.element, count, place);
        }
    }

    Shape finish() {
        if (shapes_.empty()) return pieces_.finish();
        end_pieces();
        return Shape::chain(std::move(shapes_));
    }

private:
    void add_shape(Element const& element, Size count, Offset place) {
        end_pieces();
        if (&element != last_element_ || count != last_count_) {  // equal blocks share their shape
            last_block_ = Shape::repeat(element.shape, count, element.extent);
            last_element_ = &element;
            last_count_ = count;
        }
        shapes_.push_back(last_block_.shifted(place));
    }

    void end_pieces() {
        if (!pieces_.empty()) shapes_.push_back(pieces_.finish());
    }

    PieceCollector pieces_;  // not yet in shapes_
    std::vector<Shape> shapes_;
    Element const* last_element_{nullptr};
    Size last_count_{0};
    Shape last_block_;
};

template <class Value>
Shape pair_shape() {
    struct Pair {
        Value value;
        int index;
    };
    return Shape::pieces({{0, sizeof(Value)}, {offsetof(Pair, index), sizeof(int)}});
}

Shape predefined_shape(MPI_Datatype type) {
    if (type == MPI_SHORT_INT) return pair_shape<short>();
    if (type == MPI_FLOAT_INT) return pair_shape<float>();
    if (type == MPI_DOUBLE_INT) return pair_shape<double>();
    if (type == MPI_LONG_INT) return pair_shape<long>();
    if (type == MPI_LONG_DOUBLE_INT) return pair_shape<long double>();
    return Shape::block(0, size_of(type));
}

// `count` blocks of `length` parts, `stride` bytes apart.
Shape vector_shape(Element const& element, Size count, Size length, Size stride) {
    return Shape::repeat(Shape::repeat(element.shape, length, element.extent), count, stride);
}

// `count` blocks: length(i) parts in a row at place(i).
template <class Length, class Place>
Shape blocks_shape(Part const& part, Size count, Length const& length, Place const& place) {
    if (part.in_one_piece()) {
        PieceCollector pieces{count};
        auto const size = part.size;
        auto const low = part.low;
        pieces.add_all(count, [&](Size i) { return Extent{place(i) + low, length(i) * size}; });
        return pieces.finish();
    }
    Blocks blocks{count};
    for (Size i = 0; i < count; ++i) blocks.add(part, length(i), place(i));
    return blocks.finish();
}

Shape indexed_shape(Contents const& contents, Part const& part) {
    auto const count = contents.number(0);
    auto const extent = part.element.extent;
    return blocks_shape(
        part, count, [&](Size i) { return contents.number(1 + i); },
        [&](Size i) { return contents.number(1 + count + i) * extent; });
}

Shape hindexed_shape(Contents const& contents, Part const& part) {
    return blocks_shape(
        part, contents.number(0), [&](Size i) { return contents.number(1 + i); },
        [&](Size i) { return contents.place(i); });
}

Shape indexed_block_shape(Contents const& contents, Part const& part) {
    auto const length = contents.number(1);
    auto const extent = part.element.extent;
    return blocks_shape(
        part, contents.number(0), [=](Size) { return length; },
        [&](Size i) { return contents.number(2 + i) * extent; });
}

Shape hindexed_block_shape(Contents const& contents, Part const& part) {
    auto const length = contents.number(1);
    return blocks_shape(
        part, contents.number(0), [=](Size) { return length; }, [&](Size i) { return contents.place(i); });
}

std::vector<Size> numbers(Contents const& contents, Size first, Size count) {
    std::vector<Size> list;
    for (auto i = first; i < first + count; ++i) list.push_back(contents.number(i));
    return list;
}

ArrayOrder order_of(Size mpi_order) { return mpi_order == MPI_ORDER_FORTRAN ? ArrayOrder::fortran : ArrayOrder::c; }

Shape subarray_shape(Contents const& contents, Part const& part) {
    auto const dimensions = contents.number(0);
    return subarray_shape(
        SubArray{numbers(contents, 1, dimensions), numbers(contents, 1 + dimensions, dimensions),
                 numbers(contents, 1 + 2 * dimensions, dimensions), order_of(contents.number(1 + 3 * dimensions))},
        part.element);
}

// One dimension of MPI's distributed arrays.
Distribution distribution(Contents const& contents, Size dimension, Size coordinate) {
    auto const dimensions = contents.number(2);
    auto const argument = [&](Size row) { return contents.number(3 + row * dimensions + dimension); };
    auto const size = argument(0), kind = argument(1), block = argument(2), processes = argument(3);
    auto const automatic = block == MPI_DISTRIBUTE_DFLT_DARG;
    if (kind == MPI_DISTRIBUTE_NONE) return {size, std::max<Size>(size, 1), 1, 0};
    if (kind == MPI_DISTRIBUTE_CYCLIC) return {size, automatic ? 1 : block, processes, coordinate};
    auto const even = std::max<Size>((size + processes - 1) / processes, 1);
    return {size, automatic ? even : block, processes, coordinate};
}

// Where `rank` stands in the grid of processes, which is in row-major order whatever the array's order is.
std::vector<Size> grid_coordinates(Contents const& contents) {
    auto const dimensions = contents.number(2);
    auto rank = contents.number(1);
    std::vector<Size> coordinates(static_cast<std::size_t>(dimensions));
    for (auto d = dimensions; d-- > 0;) {
        auto const processes = contents.number(3 + 3 * dimensions + d);
        coordinates[static_cast<std::size_t>(d)] = rank % processes;
        rank /= processes;
    }
    return coordinates;
}

Shape darray_shape(Contents const& contents, Part const& part) {
    auto const dimensions = contents.number(2);
    auto const coordinates = grid_coordinates(contents);
    auto const order = order_of(contents.number(3 + 4 * dimensions));
    auto element = part.element;
    for (Size i = 0; i < dimensions; ++i) {
        auto const d = order == ArrayOrder::c ? dimensions - 1 - i : i;  // the fastest first
        auto const mine = distribution(contents, d, coordinates[static_cast<std::size_t>(d)]);
        element = {distributed_shape(mine, element), element.extent * mine.size};
    }
    return element.shape;
}

Status unknown_constructor() { return {Code::unsupported, "a datatype made by a constructor that is not known here"}; }

// A type made from one other type.
Result<Shape> derived_shape(Contents const& contents, Part const& part) {
    auto const& element = part.element;
    auto const number = [&](Size i) { return contents.number(i); };
    switch (contents.combiner()) {
        case MPI_COMBINER_DUP:
        case MPI_COMBINER_RESIZED: return element.shape;
        case MPI_COMBINER_CONTIGUOUS: return Shape::repeat(element.shape, number(0), element.extent);
        case MPI_COMBINER_VECTOR: return vector_shape(element, number(0), number(1), number(2) * element.extent);
        case MPI_COMBINER_HVECTOR: return vector_shape(element, number(0), number(1), contents.place(0));
        case MPI_COMBINER_INDEXED: return indexed_shape(contents, part);
        case MPI_COMBINER_HINDEXED: return hindexed_shape(contents, part);
        case MPI_COMBINER_INDEXED_BLOCK: return indexed_block_shape(contents, part);
        case MPI_COMBINER_HINDEXED_BLOCK: return hindexed_block_shape(contents, part);
        case MPI_COMBINER_SUBARRAY: return subarray_shape(contents, part);
        case MPI_COMBINER_DARRAY: return darray_shape(contents, part);
        default: return unknown_constructor();
    }
}

// Takes a type apart. Parts are remembered: a struct may name the same type a million times.
class Flattener {
public:
    Result<Shape> shape(MPI_Datatype type) {
        auto made = Contents::of(type);
        if (!made) return made.status();
        auto const* const contents = &opened_.emplace_back(std::move(*made));
        if (contents->predefined()) return predefined_shape(type);
        if (contents->combiner() == MPI_COMBINER_STRUCT) return struct_shape(*contents);
        if (contents->type_count() == 0) return unknown_constructor();
        auto const part = find(contents->type(0));
        if (!part) return part.status();
        return derived_shape(*contents, **part);
    }

private:
    Result<Shape> struct_shape(Contents const& contents) {
        auto const count = contents.number(0);
        Blocks blocks{count};
        Part const* part = nullptr;
        for (Size i = 0; i < count; ++i) {
            if (i == 0 || contents.type(i) != contents.type(i - 1)) {
                auto const found = find(contents.type(i));
                if (!found) return found.status();
                part = *found;
            }
            blocks.add(*part, contents.number(1 + i), contents.place(i));
        }
        return blocks.finish();
    }

    Result<Part const*> find(MPI_Datatype type) {
        if (auto const known = parts_.find(type); known != parts_.end()) return &known->second;
        auto flattened = shape(type);
        if (!flattened) return flattened.status();
        return &parts_.emplace(type, Part{std::move(*flattened), extent_of(type)}).first->second;
    }

    std::deque<Contents>
        opened_;  // keeps handles valid: Open MPI hands out copies, and would give a freed one's handle to another
    std::unordered_map<MPI_Datatype, Part> parts_;
};

}  // namespace

Size extent_of(MPI_Datatype type) {
    MPI_Count low = 0, extent = 0;
    MPI_Type_get_extent_x(type, &low, &extent);
    return extent;
}

Size size_of(MPI_Datatype type) {
    MPI_Count size = 0;
    MPI_Type_size_x(type, &size);
    return size;
}

Result<Shape> flatten(MPI_Datatype type) try {
    if (type == MPI_DATATYPE_NULL) return Status{Code::invalid_argument, "MPI_DATATYPE_NULL has no bytes"};
    auto shape = Flattener{}.shape(type);
    if (shape) *shape = folded(*shape);
    return shape;
} catch (std::bad_alloc const&) {
    return Status{Code::out_of_memory, "no memory to take a datatype apart"};
}

Result<Shape> shape_of(MPI_Datatype type) {
    if (type == MPI_DATATYPE_NULL) return flatten(type);
    if (is_predefined(type)) return predefined_shape(type);
    if (auto kept = kept_shape(type)) return *kept;
    auto shape = flatten(type);
    if (shape) keep_shape(type, *shape);
    return shape;
}

}  // namespace muster
