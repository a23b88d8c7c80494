#include "engine/keeper.hpp"

#include "exchange/rounds.hpp"
#include "exchange/route.hpp"
#include "storage/window.hpp"

namespace muster {

namespace {

constexpr Size worth_a_thread = Size{4} << 20;

}  // namespace

bool little(Plan const& plan, WindowSpace const& space) {
    return space.autonomous() && plan.rounds <= space.layout().windows && plan.summary.bytes < worth_a_thread;
}

Keeper::Keeper(Session& session, Plan const& plan, WindowSpace& space)
    : session_{session},
      plan_{plan},
      space_{space},
      domain_{space.layout().own},
      jobs_{session.worker, static_cast<std::size_t>(space.layout().windows)} {}

Keeper::~Keeper() {
    stop();
    (void)jobs_.finish();  // they use the windows
}

void Keeper::expect(std::vector<Contributor> contributors) {
    contributors_ = std::move(contributors);
    whole_ = false;
    expected_.assign(static_cast<std::size_t>(plan_.rounds), 0);
    for (Size round = 0; round < plan_.rounds; ++round) {
        for (auto const& contributor : contributors_) {
            expected_[static_cast<std::size_t>(round)] +=
                bytes_in_window(plan_.domains, contributor.stream, {domain_, round});
        }
    }
}

void Keeper::expect_whole(std::span<WindowShare const> sums) {
    whole_ = true;
    for (Size round = 0; round < plan_.rounds; ++round) {
        expected_.push_back(sums[space_.index_of(domain_, round)].bytes);
    }
}

void Keeper::begin() {
    auto storage = session_.storage();
    if (storage) storage_ = *storage;
    failure_ = opening_ = storage.status();
    if (!space_.autonomous()) return;
    if (little(plan_, space_)) {
        while (step()) {
        }
        return;
    }
    stopping_ = false;
    thread_ = start_quiet_thread([this] {
        while (!stopping_.load(std::memory_order_acquire) && !done()) {
            auto const seen = space_.look(domain_);
            if (!step()) space_.doze(domain_, seen);
        }
    });
}

void Keeper::load_all() {
    while (loaded_ < plan_.rounds) {
        if (!read_step()) std::this_thread::yield();
    }
}

void Keeper::stop() {
    if (!thread_.joinable()) return;
    stopping_.store(true, std::memory_order_release);
    space_.add_rounds(0);  // wakes it
    thread_.join();
}

bool Keeper::step() {
    if (done()) return false;
    return plan_.direction == Direction::write ? write_step() : read_step();
}

// Rounds are stored in order: what fills a later window first waits in it.
bool Keeper::write_step() {
    if (started_ > finished_) return complete_first();
    auto const round = started_;
    if (space_.count(domain_, round) < expected(round)) return false;
    start(round);
    return true;
}

// What was loaded is told; a window that all have emptied is loaded again for a later round.
bool Keeper::read_step() {
    if (started_ > loaded_) return announce_loaded();
    if (started_ < plan_.rounds && started_ - finished_ < space_.layout().windows) {
        start(started_);
        return true;
    }
    auto const oldest = finished_.load();
    if (loaded_ == oldest || space_.count(domain_, oldest) < expected(oldest)) return false;
    space_.add_count(domain_, oldest, -expected(oldest));
    finished_.store(oldest + 1, std::memory_order_release);
    return true;
}

bool Keeper::announce_loaded() {
    if (!collect(loaded_)) return false;
    ++loaded_;
    auto const first_failed = !failure_.ok() && !told_spoiled_;
    told_spoiled_ = told_spoiled_ || first_failed;
    space_.add_rounds(first_failed ? spoiled : 1);
    return true;
}

// Whether a round's file access is over; a failure is kept.
bool Keeper::collect(Size round) {
    if (space_.autonomous()) return true;
    if (!jobs_.is_done(slot(round))) return false;
    failure_ = first_failure(failure_, jobs_.wait(slot(round)));
    return true;
}

// The store that was started is over: its window is free for a later round.
bool Keeper::complete_first() {
    auto const round = finished_.load();
    if (!collect(round)) return false;
    space_.add_count(domain_, round, -expected(round));
    finished_.store(round + 1, std::memory_order_release);
    space_.add_rounds(1);
    return true;
}

void Keeper::start(Size round) {
    ++started_;
    if (space_.autonomous()) {
        failure_ = first_failure(failure_, access(round));
        return;
    }
    jobs_.submit(slot(round), [this, round] { return access(round); });
}

std::vector<Keeper::PartWork> Keeper::work_of(Size round) const {
    std::vector<PartWork> work;
    if (expected(round) == 0) return work;
    auto const& domains = plan_.domains;
    for (int index = 0; index < domains.parts(); ++index) {
        auto const part = domains.part(domain_, round, index);
        if (part.length <= 0) continue;
        auto extents = whole_ ? std::vector{part} : covered_extents(contributors_, part);
        if (!extents.empty()) work.push_back({index * domains.part_size(), part, std::move(extents)});
    }
    return work;
}

Status Keeper::access(Size round) {
    if (storage_ == nullptr) return opening_;
    auto const window = space_.window(round);
    auto const& policy = session_.hole_policy();
    for (auto const& [place, part, extents] : work_of(round)) {
        auto const bytes = window.subspan(static_cast<std::size_t>(place), static_cast<std::size_t>(part.length));
        auto const status = plan_.direction == Direction::write
                                ? store_window(*storage_, {bytes, part.offset, extents}, policy).status()
                                : load_window(*storage_, bytes, part.offset, extents).status();
        if (!status.ok()) return status;
    }
    return {};
}

Status Keeper::finish() {
    stop();
    failure_ = first_failure(failure_, jobs_.finish());
    return failure_;
}

}  // namespace muster
