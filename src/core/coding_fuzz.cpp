// libFuzzer: whatever arrives, decoding refuses it or gives an ordered stream that codes and decodes again.
#include <cstdlib>

#include "core/coding.hpp"

namespace {

using namespace muster;

void require(bool condition) {
    if (!condition) std::abort();
}

Size bytes_seen(Stream const& stream) {
    Size seen = 0;
    stream.for_each([&](Offset, Size length) { seen += length; });
    return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    DecodeLimits const limits{.pieces = 1 << 14, .depth = 64};
    auto const stream = decode(std::as_bytes(std::span{data, size}), limits);
    if (!stream.ok()) return 0;
    require(stream->shape.ordered());
    require(stream->shape.position_of(stream->shape.high()) == stream->size());
    if (stream->piece_count() > 1 << 14) return 0;
    require(bytes_seen(*stream) == stream->size());
    auto const again = decode(encode(*stream));
    require(again.ok() && again->size() == stream->size() && bytes_seen(*again) == stream->size());
    return 0;
}
