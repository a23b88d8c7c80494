// Whatever bytes a capture has: it is refused, or all of its parts can be looked at.
#include "capture/capture.hpp"

namespace {

// The contents of one rank, with a check that is right, so that they are looked at.
std::vector<std::byte> whole(std::span<std::byte const> contents) {
    auto bytes = muster::capture_head(1);
    auto const section = muster::sealed({contents.begin(), contents.end()});
    bytes.insert(bytes.end(), section.begin(), section.end());
    return bytes;
}

void look(std::span<std::byte const> bytes) {
    auto const capture = muster::Capture::parse(bytes);
    if (!capture.ok()) return;
    for (auto const& file : capture->files()) {
        for (auto const& call : file.calls) {
            if (capture->pieces(file, call) > 1 << 14) continue;
            for (muster::Rank rank = 0; rank < file.ranks(); ++rank) (void)capture->part(file, call, rank);
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(unsigned char const* data, std::size_t size) {
    std::span<std::byte const> const bytes{reinterpret_cast<std::byte const*>(data), size};
    look(bytes);
    look(whole(bytes));
    return 0;
}
