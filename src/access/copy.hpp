// Moving bytes between user memory and contiguous buffers or windows of the file: the inner loops of packing.
#pragma once

#include "access/access.hpp"
#include "core/copy.hpp"
#include "core/copy_pieces.hpp"
#include "core/streaming.hpp"

namespace muster {

// Memory to contiguous bytes at `out`.
inline void gather(Stream const& memory, std::byte const* base, std::byte* out) {
    memory.for_each([&](Offset offset, Size length) {
        copy_small(out, base + offset, length);
        out += length;
    });
}

// Contiguous bytes at `in` to memory.
inline void scatter(std::byte const* in, Stream const& memory, std::byte* base) {
    memory.for_each([&](Offset offset, Size length) {
        copy_small(base + offset, in, length);
        in += length;
    });
}

namespace detail {

// The first piece of the stream's bytes [from, to).
inline Extent first_piece(Stream const& stream, Size from, Size to) {
    return Cursor{stream.shape, stream.begin + from}.take(to - from);
}

// A visitor of zip may have list(pieces, shift, memory) beside it, for pieces that lie one after the other in memory. It is given all of
// the memory that is left, and gives what it leaves; how it is read or written is up to place_pieces and take_pieces. And it may have
// rows(rows, memory), for such pieces of one length at equal distances.
template <class Visit>
concept VisitsListsInMemory = requires(Visit& visit, std::span<Extent const> pieces, std::span<std::byte> memory) {
    visit.list(pieces, Offset{0}, memory);
};

template <class Visit>
concept VisitsRowsInMemory = requires(Visit& visit, Rows const& rows, std::byte* memory) {
    visit.rows(rows, memory);
};

// Visits pieces of one side with what belongs to them on the other, which is in one piece. A plain value where `visit` is one.
template <class Visit>
struct AlongMemory {
    HeldVisitor<Visit> visit;
    std::byte* memory;
    std::byte* end;

    void operator()(Offset offset, Size length) {
        visit(offset, memory, length);
        memory += length;
    }
    void rows(Rows const& rows) requires VisitsRowsInMemory<Visit> {
        visit.rows(rows, memory);
        memory += rows.size();
    }
    void list(std::span<Extent const> pieces, Offset shift) requires VisitsListsInMemory<Visit> {
        memory = end - visit.list(pieces, shift, std::span{memory, end}).size();
    }
};

template <class Visit>
struct AlongFile {
    HeldVisitor<Visit> visit;
    std::byte* base;
    Offset offset;

    void operator()(Offset place, Size length) {
        visit(offset, base + place, length);
        offset += length;
    }
};

// The bytes of a stream lie in one piece in memory, or else in one piece in the file.
template <class Visit>
void zip_contiguous_memory(Stream const& file, std::byte* memory, Visit& visit) {
    AlongMemory<Visit> along{visit, memory, memory + file.size()};
    file.for_each(along);
    if constexpr (is_plain_visitor<Visit>) visit = along.visit;
}

template <class Visit>
void zip_contiguous_file(Access const& access, Size from, Size to, Visit& visit) {
    AlongFile<Visit> along{visit, access.base, first_piece(access.file, from, to).offset};
    access.memory.shape.for_each(access.memory.begin + from, access.memory.begin + to, along);
    if constexpr (is_plain_visitor<Visit>) visit = along.visit;
}

template <class Visit>
void zip_scattered(Access const& access, Size from, Size to, Visit& visit) {
    Cursor memory{access.memory.shape, access.memory.begin + from};
    auto const& file = access.file;
    file.shape.for_each(file.begin + from, file.begin + to, [&](Offset offset, Size length) {
        while (length > 0) {
            auto const piece = memory.take(length);
            visit(offset, access.base + piece.offset, piece.length);
            offset += piece.length;
            length -= piece.length;
        }
    });
}

}  // namespace detail

// Calls visit(file offset, memory pointer, length) for the access's bytes [from, to), in stream order, with pieces that
// are contiguous in both file and memory.
template <class Visit>
void zip(Access const& access, Size from, Size to, Visit&& visit) {
    if (from >= to) return;
    auto const memory = detail::first_piece(access.memory, from, to);
    if (memory.length == to - from) {
        Stream const file{access.file.shape, access.file.begin + from, access.file.begin + to};
        detail::zip_contiguous_memory(file, access.base + memory.offset, visit);
    } else if (detail::first_piece(access.file, from, to).length == to - from) {
        detail::zip_contiguous_file(access, from, to, visit);
    } else {
        detail::zip_scattered(access, from, to, visit);
    }
}

// The same for all of a file stream whose bytes lie in one piece of memory.
template <class Visit>
void zip(Stream const& file, std::byte* memory, Visit&& visit) {
    detail::zip_contiguous_memory(file, memory, visit);
}

// A buffer that looks like the file from `start` on.
struct FileWindow {
    std::span<std::byte> bytes;
    Offset start{0};

    std::byte* at(Offset offset) const { return bytes.data() + (offset - start); }
};

// Visitors of zip, plain values: memory to window, and window to memory. All pieces must lie in the window.
struct PlaceInWindow {
    FileWindow window;

    void operator()(Offset offset, std::byte const* memory, Size length) const {
        copy_small(window.at(offset), memory, length);
    }
    std::span<std::byte const> list(std::span<Extent const> pieces, Offset shift,
                                    std::span<std::byte const> memory) const {
        return place_pieces({pieces, shift - window.start}, window.bytes.data(), memory);
    }
};

struct FetchFromWindow {
    FileWindow window;

    void operator()(Offset offset, std::byte* memory, Size length) const {
        copy_small(memory, window.at(offset), length);
    }
    std::span<std::byte> list(std::span<Extent const> pieces, Offset shift, std::span<std::byte> memory) const {
        return take_pieces({pieces, shift - window.start}, window.bytes, memory);
    }
};

// Its streaming is to be finished.
struct StreamFromWindow {
    FileWindow window;
    Streaming streaming{};

    void operator()(Offset offset, std::byte* memory, Size length) { streaming.add(memory, window.at(offset), length); }
    void rows(Rows const& rows, std::byte* memory) { streaming.add(memory, window.at(rows.first.offset), rows); }
};

// Memory to window, for the access's bytes [from, to).
inline void place(Access const& access, Size from, Size to, FileWindow window) {
    zip(access, from, to, PlaceInWindow{window});
}

// Window to memory.
inline void fetch(FileWindow window, Access const& access, Size from, Size to) {
    zip(access, from, to, FetchFromWindow{window});
}

}  // namespace muster
