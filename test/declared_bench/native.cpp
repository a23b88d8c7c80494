#include "native.hpp"

#include <span>
#include <utility>

namespace muster {

namespace {

MPI_Datatype displaced(MPI_Datatype type, MPI_Aint by) {
    int const once = 1;
    MPI_Datatype moved = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(1, &once, &by, type, &moved);
    MPI_Type_free(&type);
    return moved;
}

MPI_Datatype repeated(MPI_Datatype type, Size count, Size stride) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_hvector(static_cast<int>(count), 1, stride, type, &made);
    MPI_Type_free(&type);
    return made;
}

// Regular shapes as vectors, as a program would write them.
struct AsType {
    using Made = MPI_Datatype;
    Made strip(Extent const& first, Size count, Size stride) const {
        MPI_Datatype made = MPI_DATATYPE_NULL;
        MPI_Type_create_hvector(static_cast<int>(count), static_cast<int>(first.length), stride, MPI_BYTE, &made);
        return displaced(made, first.offset);
    }
    Made pieces(std::span<Extent const> list, Offset shift) const {
        std::vector<int> lengths;
        std::vector<MPI_Aint> places;
        for (auto const& piece : list) {
            lengths.push_back(static_cast<int>(piece.length));
            places.push_back(piece.offset + shift);
        }
        MPI_Datatype made = MPI_DATATYPE_NULL;
        MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), MPI_BYTE, &made);
        return made;
    }
    Made repeat(Made child, Size count, Size stride) const { return repeated(child, count, stride); }
    Made chain(std::vector<Made> children) const {
        std::vector<int> const lengths(children.size(), 1);
        std::vector<MPI_Aint> const places(children.size(), 0);
        MPI_Datatype made = MPI_DATATYPE_NULL;
        MPI_Type_create_struct(static_cast<int>(children.size()), lengths.data(), places.data(), children.data(),
                               &made);
        for (auto& child : children) MPI_Type_free(&child);
        return made;
    }
};

}  // namespace

NativeVariable::NativeVariable(Shape const& shape) : offset_{shape.low()} {
    int one = shape.contiguous() ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    everywhere_one_piece_ = one == 1;
    if (everywhere_one_piece_ || shape.empty()) return;
    type_ = shape.translate(AsType{});
    MPI_Type_commit(&type_);
}

NativeVariable::NativeVariable(NativeVariable&& other) noexcept
    : offset_{other.offset_},
      type_{std::exchange(other.type_, MPI_DATATYPE_NULL)},
      everywhere_one_piece_{other.everywhere_one_piece_} {}

NativeVariable::~NativeVariable() {
    if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
}

MPI_Offset NativeVariable::view(MPI_File file) const {
    if (everywhere_one_piece_) return offset_;
    char native[] = "native";
    MPI_File_set_view(file, 0, MPI_BYTE, type_ == MPI_DATATYPE_NULL ? MPI_BYTE : type_, native, MPI_INFO_NULL);
    return 0;
}

void NativeVariable::write(MPI_File file, std::vector<std::byte>& data) const {
    auto const offset = view(file);
    MPI_File_write_at_all(file, offset, data.data(), static_cast<int>(data.size()), MPI_BYTE, MPI_STATUS_IGNORE);
}

void NativeVariable::read(MPI_File file, std::vector<std::byte>& data) const {
    auto const offset = view(file);
    MPI_File_read_at_all(file, offset, data.data(), static_cast<int>(data.size()), MPI_BYTE, MPI_STATUS_IGNORE);
}

}  // namespace muster
