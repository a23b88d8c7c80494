#include "engine/behind.hpp"

#include "exchange/rounds.hpp"
#include "storage/window.hpp"

namespace muster {

namespace {

// One part of a window, with the bytes that belong to it.
struct PartStore {
    std::span<std::byte> bytes;
    Offset offset{0};
    std::vector<Extent> extents;
};

void shift_by(std::vector<Extent>& extents, Offset shift) {
    for (auto& extent : extents) extent.offset += shift;
}

// A round's window. What it holds is found out by the worker: the lists of a window with many pieces are long, and may fail to find
// memory, which must not take this rank out of the rounds.
struct RoundWindow {
    Call const& call;
    Size round;
    std::span<std::byte> bytes;

    // For each part of it the extents that are found there.
    template <class Find>
    std::vector<PartStore> parts(Find&& find) const {
        std::vector<PartStore> parts;
        auto const& domains = call.plan.domains;
        auto const domain = call.plan.aggregator_index(call.session.comm().rank);
        for (int index = 0; index < domains.parts(); ++index) {
            auto const part = domains.part(domain, round, index);
            auto extents = find(part);
            if (extents.empty()) continue;
            shift_by(extents, call.shift);
            auto const place = static_cast<std::size_t>(index * domains.part_size());
            parts.push_back({bytes.subspan(place, static_cast<std::size_t>(part.length)), part.offset + call.shift,
                             std::move(extents)});
        }
        return parts;
    }
};

// The storage of a rank that aggregates; a failure to open is kept by the caller.
Storage* open_for(Call& call, Status& failure) {
    if (!call.aggregates()) return nullptr;
    auto storage = call.session.storage();
    failure = storage.status();
    return storage ? *storage : nullptr;
}

// What must be read of a part: from the first to the last byte wanted where most of it is, else just what is wanted.
std::vector<Extent> wanted_extents(std::vector<Contributor> const& contributors, Extent part) {
    Extent span;
    Size bytes = 0;
    for (auto const& contributor : contributors) {
        auto const cut = contributor.stream.within(part.offset, part.end());
        if (cut.size() == 0) continue;
        auto const bounds = cut.bounds();
        auto const low = bytes == 0 ? bounds.offset : std::min(span.offset, bounds.offset);
        span = {low, std::max(bytes == 0 ? bounds.end() : span.end(), bounds.end()) - low};
        bytes += cut.size();
    }
    if (bytes == 0) return {};
    if (bytes >= span.length / 4) return {span};
    return covered_extents(contributors, part);
}

std::size_t slot_of(Size round, WorkerSlots const& jobs) { return static_cast<std::size_t>(round) % jobs.count(); }

Status load_parts(Storage& storage, std::vector<PartStore> const& parts) {
    for (auto const& part : parts) {
        auto const loaded = load_window(storage, part.bytes, part.offset, part.extents);
        if (!loaded) return loaded.status();
    }
    return {};
}

}  // namespace

WriteBehind::WriteBehind(Call& call, RoundBuffers const& buffers)
    : call_{call},
      buffers_{buffers},
      storage_{open_for(call, failure_)},
      jobs_{call.session.worker, static_cast<std::size_t>(buffers.window_count())},
      modified_{std::make_shared<Size>(0)} {}

std::span<std::byte> WriteBehind::free_window(Size round) {
    if (jobs_.count() == 0) return {};
    auto const lap = call_.watch.phase(Phase::wait);
    failure_ = first_failure(failure_, jobs_.wait(slot_of(round, jobs_)));
    return buffers_.window(round);
}

void WriteBehind::submit(Size round, std::vector<Contributor> const& contributors) {
    if (storage_ == nullptr) return;
    auto const lap = call_.watch.phase(Phase::assemble);
    RoundWindow const window{call_, round, buffers_.window(round)};
    auto const policy = call_.session.hole_policy();
    jobs_.submit(slot_of(round, jobs_), [window, policy, &contributors, storage = storage_, modified = modified_] {
        for (auto const& part : window.parts([&](Extent each) { return covered_extents(contributors, each); })) {
            auto const stored = store_window(*storage, {part.bytes, part.offset, part.extents}, policy);
            if (!stored) return stored.status();
            *modified += stored->read_modify_writes;
        }
        return Status{};
    });
}

Status WriteBehind::finish() {
    auto const lap = call_.watch.phase(Phase::wait);
    failure_ = first_failure(failure_, jobs_.finish());
    call_.numbers.read_modify_writes += *modified_;
    return failure_;
}

ReadAhead::ReadAhead(Call& call, RoundBuffers const& buffers)
    : call_{call},
      buffers_{buffers},
      storage_{open_for(call, failure_)},
      jobs_{call.session.worker, static_cast<std::size_t>(buffers.window_count())} {}

void ReadAhead::start(Size round, std::vector<Contributor> const& contributors) {
    if (storage_ == nullptr || round >= call_.plan.rounds) return;
    auto const lap = call_.watch.phase(Phase::assemble);
    RoundWindow const window{call_, round, buffers_.window(round)};
    jobs_.submit(slot_of(round, jobs_), [window, &contributors, storage = storage_] {
        return load_parts(*storage, window.parts([&](Extent part) { return wanted_extents(contributors, part); }));
    });
}

std::span<std::byte const> ReadAhead::window(Size round) {
    if (jobs_.count() == 0) return {};
    auto const lap = call_.watch.phase(Phase::wait);
    failure_ = first_failure(failure_, jobs_.wait(slot_of(round, jobs_)));
    auto const window = buffers_.window(round);
    if (!failure_.ok()) std::fill(window.begin(), window.end(), std::byte{0});
    return window;
}

Status ReadAhead::finish() {
    auto const lap = call_.watch.phase(Phase::wait);
    return first_failure(failure_, jobs_.finish());
}

}  // namespace muster
