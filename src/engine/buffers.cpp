#include "engine/buffers.hpp"

#include "exchange/rounds.hpp"

namespace muster {

Result<RoundBuffers> RoundBuffers::reserve(Call& call, bool packs) {
    RoundBuffers buffers;
    auto& pool = call.session.pool;
    auto packed = pool.reserve(packs ? packed_size(call.plan, call.intent.access) : 0);
    if (!packed) return packed.status();
    buffers.packed_ = std::move(*packed);
    if (!call.aggregates()) return buffers;
    call.session.use_tier(call.plan.tier);
    auto const window = call.plan.domains.parts() * call.plan.domains.part_size();
    auto const count = std::min<Size>(std::max(call.session.hints().windows, 1), call.plan.rounds);
    for (Size i = 0; i <= count; ++i) {
        auto buffer = (i < count ? call.session.windows : pool).reserve(window);
        if (!buffer) return buffer.status();
        if (i == count) {
            buffers.staging_ = std::move(*buffer);
        } else {
            buffers.windows_.push_back(std::move(*buffer));
        }
    }
    return buffers;
}

void RoundBuffers::release(Session& session) {
    auto& pool = session.pool;
    for (auto& window : windows_) session.windows.release(std::move(window));
    pool.release(std::move(staging_));
    pool.release(std::move(packed_));
    windows_.clear();
}

}  // namespace muster
