// Bringing an access into file order.
#include <algorithm>
#include <cstring>
#include <exception>
#include <queue>

#include "access/access.hpp"
#include "access/copy.hpp"

namespace muster {

namespace {

// Contiguous in the file and in memory. The stream position tells which of two pieces came later.
struct Piece {
    Offset file{0};
    Offset memory{0};
    Size length{0};
    Size position{0};

    Offset end() const { return file + length; }
    // What is left of it from the file's byte `from` on, up to `to`.
    Piece cut(Offset from, Offset to) const {
        return {from, memory + (from - file), to - from, position + from - file};
    }
};

std::vector<Piece> sorted_pieces(Access const& access) {
    std::vector<Piece> pieces;
    pieces.reserve(static_cast<std::size_t>(access.file.piece_count() + access.memory.piece_count()));
    Size position = 0;
    zip(access, 0, access.size(), [&](Offset file, std::byte const* memory, Size length) {
        pieces.push_back({file, memory - access.base, length, position});
        position += length;
    });
    auto const before = [](Piece const& a, Piece const& b) {
        return a.file != b.file ? a.file < b.file : a.position < b.position;
    };
    if (!std::is_sorted(pieces.begin(), pieces.end(), before)) std::sort(pieces.begin(), pieces.end(), before);
    return pieces;
}

bool overlapping(std::vector<Piece> const& pieces) {
    auto const overlap = [](Piece const& a, Piece const& b) { return b.file < a.end(); };
    return std::adjacent_find(pieces.begin(), pieces.end(), overlap) != pieces.end();
}

// A sweep through the file: of the pieces that cover a byte, the one that came last in the stream has it.
std::vector<Piece> let_last_win(std::vector<Piece> const& pieces) {
    auto const earlier = [](Piece const* a, Piece const* b) { return a->position < b->position; };
    std::priority_queue<Piece const*, std::vector<Piece const*>, decltype(earlier)> covering{earlier};
    std::vector<Piece> winners;
    winners.reserve(pieces.size());
    auto next = pieces.begin();
    Offset at = 0;
    while (next != pieces.end() || !covering.empty()) {
        if (covering.empty()) at = next->file;
        for (; next != pieces.end() && next->file <= at; ++next) covering.push(&*next);
        auto const& winner = *covering.top();
        auto const until = next == pieces.end() ? winner.end() : std::min(winner.end(), next->file);
        if (until > at) winners.push_back(winner.cut(at, until));
        at = std::max(at, until);
        while (!covering.empty() && covering.top()->end() <= at) covering.pop();
    }
    return winners;
}

// Every byte is read for the first piece that wants it. What a later piece has in common with those before it is copied
// from the one of them that reaches furthest: that one began earlier, and has been completed by then.
std::vector<Piece> split_off_duplicates(std::vector<Piece> const& pieces, std::vector<Duplicate>& duplicates) {
    std::vector<Piece> first;
    first.reserve(pieces.size());
    auto const* furthest = &pieces.front();
    for (auto const& piece : pieces) {
        auto const known = &piece == furthest ? piece.file : std::min(furthest->end(), piece.end());
        if (known > piece.file) {
            auto const source = furthest->cut(piece.file, known);
            duplicates.push_back({source.memory, piece.memory, source.length, piece.file});
        }
        auto const fresh = std::max(known, piece.file);
        if (fresh < piece.end()) first.push_back(piece.cut(fresh, piece.end()));
        if (piece.end() > furthest->end()) furthest = &piece;
    }
    return first;
}

Shape shape_along(std::vector<Piece> const& pieces, Offset Piece::*place) {
    std::vector<Extent> list;
    list.reserve(pieces.size());
    for (auto const& piece : pieces) list.push_back({piece.*place, piece.length});
    return Shape::pieces(std::move(list));
}

}  // namespace

Result<Access> ordered(Access access, Overlap overlap) try {
    if (access.file.shape.ordered()) return access;
    auto pieces = sorted_pieces(access);
    if (overlapping(pieces)) {
        pieces = overlap == Overlap::last_wins ? let_last_win(pieces) : split_off_duplicates(pieces, access.duplicates);
    }
    access.file = Stream::whole(shape_along(pieces, &Piece::file));
    access.memory = Stream::whole(shape_along(pieces, &Piece::memory));
    return access;
} catch (std::exception const&) {  // bad_alloc, or length_error when there are too many pieces to ask for
    return Status{Code::out_of_memory, "no memory to sort the pieces of an access that is not in file order"};
}

void apply_duplicates(Access const& access) {
    for (auto const& copy : access.duplicates) {
        std::memmove(access.base + copy.to, access.base + copy.from, static_cast<std::size_t>(copy.length));
    }
}

}  // namespace muster
