// Copying lists of pieces between a window and one piece of memory.
//
// Scattered data comes in short pieces of ever other lengths. A processor that has to guess how long the next one is guesses wrong as
// often as not, and that costs more than the copying: so short ones are copied here without asking.
#pragma once

#include <span>

#include "muster/export.h"
#include "muster/extent.hpp"

namespace muster {

// Pieces in a window: what has an offset in the list lies at offset + shift.
struct PiecesInWindow {
    std::span<Extent const> list;
    Offset shift{0};
};

// From one piece of memory to their places, and to nothing beside them. The result is what is left of the memory.
MUSTER_API std::span<std::byte const> place_pieces(PiecesInWindow const& pieces, std::byte* window,
                                                   std::span<std::byte const> memory);

// Into one piece of memory. The result is what is left of it, and is yet to be written: its beginning may have changed.
MUSTER_API std::span<std::byte> take_pieces(PiecesInWindow const& pieces, std::span<std::byte const> window,
                                            std::span<std::byte> memory);

namespace detail {

// The same on any processor.
MUSTER_API std::span<std::byte const> place_anywhere(PiecesInWindow const& pieces, std::byte* window,
                                                     std::span<std::byte const> memory);
MUSTER_API std::span<std::byte> take_anywhere(PiecesInWindow const& pieces, std::span<std::byte const> window,
                                              std::span<std::byte> memory);

}  // namespace detail

}  // namespace muster
