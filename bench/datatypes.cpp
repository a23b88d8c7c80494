#include "datatypes.hpp"

namespace muster::bench {

namespace {

Datatype committed(Datatype type) {
    auto handle = type.get();
    MPI_Type_commit(&handle);
    return type;
}

Datatype indexed(std::vector<int> const& lengths, std::vector<MPI_Aint> const& places) {
    Datatype type;
    MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), MPI_BYTE, type.receive());
    return type;
}

// Gathers pieces, then makes their type.
struct PieceList {
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;

    void add(Offset offset, Size length) {
        places.push_back(offset);
        lengths.push_back(static_cast<int>(length));
    }
    Datatype type() const { return indexed(lengths, places); }
};

struct TypeMaker {
    using Made = Datatype;

    Datatype strip(Extent first, Size count, Size stride) const {
        Datatype row;
        MPI_Type_create_hvector(static_cast<int>(count), static_cast<int>(first.length), stride, MPI_BYTE,
                                row.receive());
        return moved(row, first.offset);
    }
    Datatype pieces(std::span<Extent const> list, Offset shift) const {
        PieceList all;
        for (auto const& piece : list) all.add(piece.offset + shift, piece.length);
        return all.type();
    }
    Datatype repeat(Datatype child, Size count, Size stride) const {
        Datatype type;
        MPI_Type_create_hvector(static_cast<int>(count), 1, stride, child.get(), type.receive());
        return type;
    }
    Datatype chain(std::vector<Datatype> const& children) const {
        std::vector<int> const ones(children.size(), 1);
        std::vector<MPI_Aint> const places(children.size(), 0);
        std::vector<MPI_Datatype> handles;
        for (auto const& child : children) handles.push_back(child.get());
        Datatype type;
        MPI_Type_create_struct(static_cast<int>(ones.size()), ones.data(), places.data(), handles.data(),
                               type.receive());
        return type;
    }

private:
    static Datatype moved(Datatype const& inner, MPI_Aint by) {
        int const one = 1;
        Datatype type;
        MPI_Type_create_hindexed(1, &one, &by, inner.get(), type.receive());
        return type;
    }
};

}  // namespace

Datatype structured_type(Shape const& shape) { return committed(shape.translate(TypeMaker{})); }

Datatype flat_type(Shape const& shape) {
    PieceList all;
    shape.for_each([&](Offset offset, Size length) { all.add(offset, length); });
    return committed(all.type());
}

Datatype with_extent(Datatype inner, Size extent) {
    Datatype type;
    MPI_Type_create_resized(inner.get(), 0, extent, type.receive());
    return committed(std::move(type));
}

}  // namespace muster::bench
