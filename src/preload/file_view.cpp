#include "preload/file_view.hpp"

#include <limits>

#include "access/contents.hpp"

namespace muster::preload {

namespace {

constexpr Size few_pieces = 1000;

bool begins_elsewhere(MPI_Datatype type) {
    MPI_Aint begin = 0, extent = 0;
    MPI_Type_get_extent(type, &begin, &extent);
    return begin != 0;
}

// The same bytes, from tile to tile.
KeptType begun_at_zero(MPI_Datatype type, MPI_Aint extent) {
    Datatype begun;
    MPI_Type_create_resized(type, 0, extent, begun.receive());
    auto handle = begun.get();
    MPI_Type_commit(&handle);
    return KeptType{handle};
}

// Of a tile, up to the first byte that does not lie before the place.
Size bytes_before_in(Shape const& tile, Offset place) {
    if (tile.ordered()) return tile.position_of(place);
    Size bytes = 0;
    Cursor cursor{tile};
    for (auto piece = cursor.take(tile.size()); piece.length > 0; piece = cursor.take(tile.size())) {
        bytes += std::clamp(place - piece.offset, Size{0}, piece.length);
        if (piece.end() > place) break;
    }
    return bytes;
}

constexpr Size longest_block = std::numeric_limits<int>::max();

bool can_be_listed(Shape const& shape) {
    return shape.piece_count() + shape.size() / longest_block <= std::numeric_limits<int>::max();
}

// The same bytes, by constructors that every MPI-IO can take apart.
KeptType listed_type(Shape const& shape, MPI_Aint extent) {
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    shape.for_each([&](Offset offset, Size length) {
        for (Size done = 0; done < length; done += longest_block) {
            lengths.push_back(static_cast<int>(std::min(length - done, longest_block)));
            places.push_back(offset + done);
        }
    });
    Datatype list;
    MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), MPI_BYTE, list.receive());
    return begun_at_zero(list.get(), extent);
}

}  // namespace

KeptType::KeptType(MPI_Datatype type) : predefined_{is_predefined(type)} {
    if (predefined_) {
        predefined_type_ = type;
    } else {
        MPI_Type_dup(type, own_.receive());
    }
}

MPI_Datatype KeptType::duplicate() const {
    if (predefined_) return predefined_type_;
    MPI_Datatype copy = MPI_DATATYPE_NULL;
    MPI_Type_dup(own_.get(), &copy);
    return copy;
}

bool FileView::plain() const {
    return bytes.displacement == 0 && etype.get() == MPI_BYTE && filetype.get() == MPI_BYTE &&
           representation == "native";
}

bool FileView::contiguous() const { return bytes.filetype.piece_count() == 1 && bytes.filetype.size() == bytes.extent; }

bool FileView::cheap() const { return bytes.filetype.piece_count() <= few_pieces; }

Result<FileView> make_file_view(ViewWords const& words) {
    auto bytes = make_view(words.displacement, words.etype, words.filetype);
    if (!bytes) return bytes.status();
    FileView view;
    view.etype_size = std::exchange(bytes->etype_size, 1);
    view.bytes = std::move(*bytes);
    view.etype = KeptType{words.etype};
    view.filetype = KeptType{words.filetype};
    view.representation = words.representation;
    return view;
}

void find_native_types(FileView& view) {
    view.native_etype = KeptType{view.etype.get()};
    view.native_filetype = KeptType{view.filetype.get()};
    auto const large_etype = has_large_counts(view.etype.get());
    auto const large_filetype = can_be_listed(view.bytes.filetype) && has_large_counts(view.filetype.get());
    if (large_etype) view.native_etype = listed_type(Shape::block(0, view.etype_size), view.etype_size);
    if (large_filetype) view.native_filetype = listed_type(view.bytes.filetype, view.bytes.extent);
    auto const shifted = !large_filetype && begins_elsewhere(view.filetype.get());
    if (shifted) view.native_filetype = begun_at_zero(view.filetype.get(), view.bytes.extent);
    view.replaced = large_etype || large_filetype || shifted;
}

Offset place_in_file(FileView const& view, Offset byte) {
    auto const stream = file_stream(view.bytes, byte, 1);
    return stream ? stream->bounds().offset : 0;
}

Size bytes_before(FileView const& view, Offset place) {
    auto const& [displacement, unit, tile, extent] = view.bytes;
    if (place <= displacement || tile.empty()) return 0;
    auto const distance = place - displacement;
    auto const whole = extent > 0 && distance >= tile.high() ? (distance - tile.high()) / extent + 1 : 0;
    return whole * tile.size() + bytes_before_in(tile, distance - whole * extent);
}

}  // namespace muster::preload
