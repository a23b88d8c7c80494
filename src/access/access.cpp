#include "access/access.hpp"

#include <limits>
#include <new>

namespace muster {

namespace {

Status invalid(std::string message) { return {Code::invalid_argument, std::move(message)}; }

std::byte* bytes_at(void const* data) { return static_cast<std::byte*>(const_cast<void*>(data)); }

// Absolute addresses: moved to the lowest one, because no arithmetic is allowed on a null pointer.
Memory from_lowest_address(Shape const& absolute) {
    auto const low = absolute.low();
    return {Stream::whole(absolute.shifted(-low)), reinterpret_cast<std::byte*>(static_cast<std::intptr_t>(low))};
}

Result<Shape> file_shape(std::span<Extent const> extents) {
    for (auto const& extent : extents) {
        if (is_possible(extent)) continue;
        return invalid("an extent of " + std::to_string(extent.length) + " bytes at " + std::to_string(extent.offset) +
                       " does not exist");
    }
    return Shape::pieces({extents.begin(), extents.end()});
}

Result<Memory> memory_of(std::span<Segment const> segments) {
    std::vector<Extent> pieces;
    pieces.reserve(segments.size());
    for (auto const& segment : segments) {
        if (segment.length < 0) return invalid("a memory segment has a negative length");
        if (segment.length > 0 && segment.data == nullptr) return invalid("a memory segment has no address");
        pieces.push_back({address_of(segment.data), segment.length});
    }
    return from_lowest_address(Shape::pieces(std::move(pieces)));
}

}  // namespace

bool is_possible(Extent const& extent) {
    return extent.offset >= 0 && extent.length >= 0 &&
           extent.length <= std::numeric_limits<Offset>::max() - extent.offset;
}

Result<Memory> memory_layout(void const* buffer, Size count, MPI_Datatype type) {
    if (count < 0) return invalid("the count " + std::to_string(count) + " is negative");
    auto const element = shape_of(type);
    if (!element) return element.status();
    auto const shape = Shape::repeat(*element, count, extent_of(type));
    if (buffer == MPI_BOTTOM) return from_lowest_address(shape);
    return Memory{Stream::whole(shape), bytes_at(buffer)};
}

Result<Memory> memory_stream(void const* buffer, Size count, MPI_Datatype type) {
    auto memory = memory_layout(buffer, count, type);
    auto const nowhere = memory && buffer == MPI_BOTTOM && address_of(memory->base) < first_page;
    if (nowhere && memory->stream.size() > 0) return invalid("a null pointer for a buffer that is not empty");
    return memory;
}

Result<Access> make_access(Stream file, Memory memory) {
    if (file.size() != memory.stream.size()) {
        return invalid(std::to_string(file.size()) + " bytes of the file cannot be matched with " +
                       std::to_string(memory.stream.size()) + " bytes of memory");
    }
    return Access{std::move(file), std::move(memory.stream), memory.base, {}};
}

Result<Access> make_access(std::span<Extent const> extents, std::span<Segment const> segments) try {
    auto file = file_shape(extents);
    if (!file) return file.status();
    auto memory = memory_of(segments);
    if (!memory) return memory.status();
    return make_access(Stream::whole(*file), std::move(*memory));
} catch (std::bad_alloc const&) {
    return Status{Code::out_of_memory, "no memory for a list of " + std::to_string(extents.size()) + " extents"};
}

}  // namespace muster
