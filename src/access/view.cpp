#include "access/view.hpp"

#include "access/datatype.hpp"

namespace muster {

namespace {

Status invalid(std::string message) { return {Code::invalid_argument, std::move(message)}; }

// The offsets of the type map must not decrease. Neighbours have been joined, so the last etype of a piece is what the
// next piece is compared with. Only overlapping filetypes are walked; forward ones are known to be fine.
Status check_order(Shape const& filetype, Size etype_size) {
    if (filetype.ordered()) return {};
    Cursor cursor{filetype};
    auto before = cursor.take(filetype.size());
    for (auto piece = cursor.take(filetype.size()); piece.length > 0; piece = cursor.take(filetype.size())) {
        if (piece.offset < std::max(before.offset, before.end() - etype_size)) {
            return invalid("the filetype's offsets must not decrease: " + std::to_string(piece.offset) +
                           " comes after " + std::to_string(before.offset));
        }
        before = piece;
    }
    return {};
}

Status check_filetype(Shape const& filetype, Size etype_size) {
    if (filetype.size() % etype_size != 0) {
        return invalid("the filetype's " + std::to_string(filetype.size()) +
                       " bytes are not a multiple of the etype's " + std::to_string(etype_size));
    }
    if (filetype.low() < 0) {
        return invalid("the filetype has the negative offset " + std::to_string(filetype.low()));
    }
    return check_order(filetype, etype_size);
}

}  // namespace

Result<View> make_view(Offset displacement, MPI_Datatype etype, MPI_Datatype filetype) {
    if (displacement < 0) return invalid("the displacement " + std::to_string(displacement) + " is negative");
    if (etype == MPI_DATATYPE_NULL || filetype == MPI_DATATYPE_NULL) {
        return invalid("a view needs an etype and a filetype, not MPI_DATATYPE_NULL");
    }
    auto const etype_size = size_of(etype);
    if (etype_size <= 0) return invalid("the etype has no bytes");
    auto shape = shape_of(filetype);
    if (!shape) return shape.status();
    if (auto status = check_filetype(*shape, etype_size); !status.ok()) return status;
    auto const extent = extent_of(filetype);
    if (extent < 0) return invalid("the filetype has the negative extent " + std::to_string(extent));
    return View{displacement, etype_size, std::move(*shape), extent};
}

Result<Stream> file_stream(View const& view, Offset offset, Size bytes) {
    if (offset < 0 || bytes < 0) return invalid("neither the offset nor the number of bytes may be negative");
    if (bytes == 0) return Stream{};
    auto const tile = view.filetype.size();
    if (tile == 0) return invalid("the filetype of the view has no bytes to access");
    Size start = 0, end = 0, reach = 0;
    if (__builtin_mul_overflow(offset, view.etype_size, &start) || __builtin_add_overflow(start, bytes, &end)) {
        return invalid("the offset " + std::to_string(offset) + " is too large");
    }
    auto const first = start / tile;
    auto const last = (end - 1) / tile;
    if (__builtin_mul_overflow(last, view.extent, &reach) || __builtin_add_overflow(reach, view.displacement, &reach) ||
        __builtin_add_overflow(reach, view.filetype.high(), &reach)) {
        return invalid("the access reaches beyond the largest file offset");
    }
    auto const tiles = Shape::repeat(view.filetype, last - first + 1, view.extent);
    return Stream{tiles.shifted(view.displacement + first * view.extent), start - first * tile, end - first * tile};
}

}  // namespace muster
