#include "preload/file_view.hpp"

#include <limits>

namespace muster::preload {

namespace {

constexpr Size few_pieces = 1000;

bool is_predefined(MPI_Datatype type) {
    int integers = 0, addresses = 0, types = 0, combiner = 0;
    MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    return combiner == MPI_COMBINER_NAMED;
}

// The same bytes, from tile to tile.
KeptType begun_at_zero(MPI_Datatype type, MPI_Aint extent) {
    Datatype begun;
    MPI_Type_create_resized(type, 0, extent, begun.receive());
    auto handle = begun.get();
    MPI_Type_commit(&handle);
    return KeptType{handle};
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
    MPI_Aint begin = 0, extent = 0;
    MPI_Type_get_extent(words.filetype, &begin, &extent);
    view.shifted = begin != 0;
    if (view.shifted) view.begun_at_zero = begun_at_zero(words.filetype, extent);
    return view;
}

Offset place_in_file(FileView const& view, Offset byte) {
    auto const stream = file_stream(view.bytes, byte, 1);
    return stream ? stream->bounds().offset : 0;
}

Size bytes_before(FileView const& view, Offset place) {
    auto const& [displacement, unit, tile, extent] = view.bytes;
    if (place <= displacement || tile.empty()) return 0;
    // All tiles that can begin before the place.
    auto const tiles = extent > 0 ? (place - displacement) / extent + 1 : 1;
    auto const stream = file_stream(view.bytes, 0, tiles * tile.size());
    return stream ? stream->within(std::numeric_limits<Offset>::min(), place).size() : 0;
}

}  // namespace muster::preload
