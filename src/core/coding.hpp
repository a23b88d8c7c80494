// Streams as few bytes: how a rank tells the aggregators what it will send. Regular parts are coded as what they are,
// irregular lists as differences with references to what came before. The format is described at the end of this file.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/shape.hpp"
#include "muster/status.hpp"

namespace muster {

// Both want an ordered stream.
std::vector<std::byte> encode(Stream const& stream);
// Only what lies in these ranges of the file; they must be in file order and must not overlap.
std::vector<std::byte> encode_within(Stream const& stream, std::span<Extent const> ranges);

// A code may ask for far more memory than it takes itself; it is refused beyond this.
struct DecodeLimits {
    Size pieces{Size{1} << 28};  // of irregular lists, all together
    int depth{64};               // of repeats and chains in each other
};

// The stream that was coded, ordered, its structure kept. invalid_argument when the bytes are no code.
Result<Stream> decode(std::span<std::byte const> code, DecodeLimits const& limits = {});

}  // namespace muster

// The format. Numbers are varints: seven bits a byte, lowest first, the high bit set in all but the last byte.
//   code    = first offset (zigzag), node
//   node    = kind, then
//     nothing
//     block   length
//     strip   length, count, gap between two pieces
//     pieces  count, unit shift (one byte), tokens until there are `count` pieces
//     repeat  count, gap between two copies, node
//     chain   count, then for each (gap before it, node); the first has no gap
//     again   number of an earlier pieces, repeat or chain node, counted in the order in which they end
//   token   = number of literals, literals, and if pieces are still missing: length of a match, period
// A piece is (gap before it, length), both shifted right by the unit shift. A match says that so many pieces equal those
// `period` pieces earlier. Literals go in pairs of pieces: one byte with two bits for each of the four numbers (1, 2, 4 or 8 bytes
// long), then the numbers, lowest byte first. Gaps are never negative, so that what is decoded is ordered.
