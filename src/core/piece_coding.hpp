// Irregular ordered lists of pieces as few bytes: the "pieces" node of coding.hpp.
#pragma once

#include <span>
#include <vector>

#include "core/bytes.hpp"

namespace muster {

// Writes the unit shift and the tokens. The first piece is taken as beginning at 0.
void encode_pieces(std::span<Extent const> list, ByteWriter& out);
// Reads `count` pieces, the first of which begins at 0; nothing when what is read is damaged.
std::vector<Extent> decode_pieces(ByteReader& in, Size count);

}  // namespace muster
