#include "engine/shared_space.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

#include "core/copy.hpp"
#include "mpi/agree.hpp"
#include "node/waiting.hpp"

namespace muster {

namespace {

constexpr int doze_microseconds = 500;
constexpr Size most_tallied = 4096;           // windows
constexpr Size usual_head = Size{192} << 10;  // numbers in front of the windows: zero while the memory is kept

Size round_up(Size value, Size to = WindowSpace::page) { return (value + to - 1) / to * to; }

Size window_count(WindowSpace::Layout const& layout) { return layout.rounds * layout.domains; }

}  // namespace

// Of a domain. Zeroed memory is a valid one.
struct alignas(64) SharedSpace::Control {
    std::atomic<Size> rounds;
    Bell bell;
    std::atomic<Size> counts[1];  // as many as there are windows
};
static_assert(std::atomic<Size>::is_always_lock_free);

// What the ranks have in a window, while it is added up.
struct SharedSpace::Tally {
    std::atomic<Size> bytes;
    std::atomic<std::uint64_t> lanes[2];
};

Size SharedSpace::control_size(Layout const& layout) {
    return round_up(
        static_cast<Size>(sizeof(Control) + sizeof(std::atomic<Size>) * static_cast<std::size_t>(layout.windows)),
        alignof(Control));
}

// Controls, then tallies.
Size SharedSpace::head_size(Layout const& layout) {
    auto const tallied = window_count(layout) <= most_tallied ? window_count(layout) : 0;
    return control_size(layout) * layout.domains + tallied * static_cast<Size>(sizeof(Tally));
}

Size SharedSpace::size_for(Layout const& layout) {
    return std::max(round_up(head_size(layout)), usual_head) +
           round_up(layout.window) * layout.windows * layout.domains;
}

namespace {

// Collective. The same mapped file in every rank's memory; its name is gone again when this returns.
Result<MappedFile> share_file(Comm const& comm, std::string const& directory, Size size) {
    auto made = comm.rank == 0 ? MappedFile::create(directory, size)
                               : Result<MappedFile>{Status{Code::internal, "not the maker"}};
    auto const path = broadcast(comm, comm.rank == 0 && made ? made->path() : std::string{}, 0);
    if (comm.rank != 0 && !path.empty()) made = MappedFile::attach(path, size);
    auto status = agree(comm, path.empty() && comm.rank != 0 ? Status{} : made.status());
    if (!status.ok()) return status;
    if (comm.rank == 0) made->remove_path();
    return made;
}

// Collective. What was kept, or new. What is kept is zero only as far as the usual heads reach.
Result<NodeMemory> memory_in(Session& session, std::string const& directory, Size size, bool may_be_kept) {
    if (may_be_kept) {
        if (auto spare = session.share()->take_spare(directory, size); spare) return std::move(*spare);
    }
    NodeMemory fresh{directory, {}, {}};
    if (directory.empty()) {
        auto memory = share_memory(session.comm(), size);
        if (!memory) return memory.status();
        fresh.memory = std::move(*memory);
    } else {
        auto file = share_file(session.comm(), directory, size);
        if (!file) return file.status();
        fresh.file = std::move(*file);
    }
    SharedMemory::settle(fresh.bytes());
    return fresh;
}

// Collective. Windows of other calls may have filled a tier on some ranks alone: the first chooses for all.
TierFacts tier_for(Session& session, Size size) {
    if (session.tiers.plain()) return {};
    auto const name = broadcast(session.comm(), session.tiers.choose(size).name, 0);
    auto const& tiers = session.machine().tiers;
    auto const chosen = std::find_if(tiers.begin(), tiers.end(), [&](auto const& tier) { return tier.name == name; });
    return chosen != tiers.end() ? *chosen : TierFacts{};
}

}  // namespace

Result<std::unique_ptr<WindowSpace>> SharedSpace::make(Session& session, Layout layout) {
    auto const size = size_for(layout);
    auto const usual = head_size(layout) <= usual_head;
    auto const tier = tier_for(session, size);
    auto memory = memory_in(session, tier.directory, size, usual);
    if (!memory && !tier.directory.empty()) {
        session.tiers.note(tier.name + ": " + memory.status().message());
        memory = memory_in(session, {}, size, usual);
    }
    if (!memory) return memory.status();
    return std::unique_ptr<WindowSpace>{new SharedSpace{session, std::move(layout), std::move(*memory)}};
}

SharedSpace::SharedSpace(Session& session, Layout layout, NodeMemory memory)
    : WindowSpace{std::move(layout)}, session_{session}, memory_{std::move(memory)} {}

// All ranks come here after they have agreed on something, and will agree on something before they use the memory again.
void SharedSpace::close() {
    auto const head = head_size(layout_);
    if (head > usual_head) return;
    if (session_.comm().rank == 0) std::memset(memory_.bytes().data(), 0, static_cast<std::size_t>(head));
    session_.share()->give_spare(std::move(memory_));
}

SharedSpace::Control& SharedSpace::control(int domain) const {
    return *std::launder(reinterpret_cast<Control*>(memory_.bytes().data() + domain * control_size(layout_)));
}

SharedSpace::Tally* SharedSpace::tallies() const {
    return std::launder(reinterpret_cast<Tally*>(memory_.bytes().data() + layout_.domains * control_size(layout_)));
}

std::byte* SharedSpace::reach(int domain) const {
    auto const head = std::max(round_up(head_size(layout_)), usual_head);
    return memory_.bytes().data() + head + domain * layout_.windows * stride();
}

void SharedSpace::put(int domain, std::span<Placed const> pieces) {
    for (auto const& piece : pieces) copy_small(reach(domain) + piece.place, piece.memory, piece.length);
}

void SharedSpace::get(int domain, std::span<Placed const> pieces) {
    for (auto const& piece : pieces) copy_small(piece.memory, reach(domain) + piece.place, piece.length);
}

bool SharedSpace::adds_up() const { return window_count(layout_) <= most_tallied; }

std::vector<WindowShare> SharedSpace::add_up(std::span<WindowShare const> mine) {
    auto* const all = tallies();
    for (std::size_t i = 0; i < mine.size(); ++i) {
        if (mine[i].bytes == 0) continue;
        all[i].bytes.fetch_add(mine[i].bytes, std::memory_order_relaxed);
        all[i].lanes[0].fetch_add(mine[i].lanes[0], std::memory_order_relaxed);
        all[i].lanes[1].fetch_add(mine[i].lanes[1], std::memory_order_relaxed);
    }
    session_.quorum().meet();
    for (std::size_t i = 0; i < mine.size(); ++i) {
        sums_.push_back(
            {all[i].bytes.load(std::memory_order_relaxed),
             {all[i].lanes[0].load(std::memory_order_relaxed), all[i].lanes[1].load(std::memory_order_relaxed)}});
    }
    return sums_;
}

Size SharedSpace::rounds(int domain) { return control(domain).rounds.load(std::memory_order_acquire); }

void SharedSpace::add_rounds(Size amount) {
    auto& own = control(layout_.own);
    own.rounds.fetch_add(amount, std::memory_order_acq_rel);
    ring(own.bell);
}

Size SharedSpace::count(int domain, Size round) {
    return control(domain).counts[slot(round)].load(std::memory_order_acquire);
}

void SharedSpace::add_count(int domain, Size round, Size amount) {
    auto& here = control(domain);
    auto const now = here.counts[slot(round)].fetch_add(amount, std::memory_order_acq_rel) + amount;
    if (sums_.empty() || now >= sums_[index_of(domain, round)].bytes) ring(here.bell);
}

std::uint32_t SharedSpace::look(int domain) { return control(domain).bell.load(std::memory_order_acquire); }

void SharedSpace::doze(int domain, std::uint32_t seen) { sleep_on(control(domain).bell, seen, doze_microseconds); }

std::span<std::byte> SharedSpace::window(Size round) {
    return {reach(layout_.own) + place_of(round), static_cast<std::size_t>(layout_.window)};
}

char const* SharedSpace::name() const {
    return memory_.directory.empty() ? "shared memory" : "a mapped file that all share";
}

}  // namespace muster
