// The memory of one call's rounds: reserved before them, so that nothing in the rounds can fail for want of it.
#pragma once

#include <vector>

#include "engine/call.hpp"

namespace muster {

class RoundBuffers {
public:
    // Local. Takes what this rank needs from the session's pool. Who hands over to a local aggregator packs nothing.
    static Result<RoundBuffers> reserve(Call& call, bool packs);
    void release(Session& session);

    std::span<std::byte> window(Size round) const {
        return windows_.empty() ? std::span<std::byte>{}
                                : windows_[static_cast<std::size_t>(round) % windows_.size()].span();
    }
    Size window_count() const { return static_cast<Size>(windows_.size()); }
    std::span<std::byte> packed() const { return packed_.span(); }
    std::span<std::byte> staging() const { return staging_.span(); }

private:
    std::vector<Buffer> windows_;  // aggregators only
    Buffer staging_;               // aggregators only
    Buffer packed_;
};

}  // namespace muster
