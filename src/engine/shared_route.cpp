// One node: windows lie in shared memory, and every rank copies its pieces between them and its own memory. There are no
// messages. Writing, the aggregator of a window stores it when all who have bytes in it have placed them; reading, as many ranks
// as there are cores load a slice of each window, and everybody takes what it wants.
// A storage error is kept and the windows go on, so that no rank is left waiting.
#include "access/copy.hpp"
#include "core/care.hpp"
#include "core/flow.hpp"
#include "engine/perform.hpp"
#include "engine/shared_windows.hpp"
#include "node/marks.hpp"
#include "storage/window.hpp"

namespace muster {

namespace {

// The windows of one stretch, and what is known of each.
struct Stretch {
    SharedWindows const& windows;
    Size first{0};
    std::span<WindowFacts const> facts;
    bool again{false};  // their bytes were counted before

    Size count() const { return static_cast<Size>(facts.size()); }
    WindowFacts const& fact(Size index) const { return facts[static_cast<std::size_t>(index)]; }
    Size window(Size index) const { return first + index; }
    Call& call() const { return windows.call(); }
    Slots& slots() const { return windows.slots(); }
};

// Lets a visitor of zip, with a window, copy this rank's pieces in a window.
template <class Visitor>
void copy_own_pieces(Stretch const& stretch, Size index, Visitor& visitor) {
    auto const& call = stretch.call();
    auto const& access = call.intent.access;
    auto const id = stretch.windows.id(stretch.window(index));
    visitor.window.bytes = stretch.slots().bytes(index);
    for_each_cut(call.plan.domains, access.file, id, [&](Stream const& cut, Offset place) {
        if (!stretch.again) count_bytes(stretch.call().flow, id.domain, id.round, cut.size());
        visitor.window.start = -place;
        zip(access, cut.begin - access.file.begin, cut.end - access.file.begin, visitor);
    });
}

// Counts the time it lives for the round of a window.
class WindowTime {
public:
    WindowTime(Stretch const& stretch, Size index) : stretch_{stretch}, index_{index} {}
    ~WindowTime() {
        auto const round = stretch_.windows.id(stretch_.window(index_)).round;
        count_seconds(stretch_.call().flow, round, clock_seconds() - start_);
    }
    WindowTime(WindowTime const&) = delete;
    WindowTime& operator=(WindowTime const&) = delete;

private:
    Stretch const& stretch_;
    Size index_;
    double start_{clock_seconds()};
};

struct PlaceAndAdd : PlaceInWindow {
    Fingerprint placed{};

    void operator()(Offset offset, std::byte const* memory, Size length) {
        PlaceInWindow::operator()(offset, memory, length);
        placed.add({offset - window.start, length});
    }
    // In turns, while a core's cache still has the extents.
    std::span<std::byte const> list(std::span<Extent const> pieces, Offset shift, std::span<std::byte const> memory) {
        constexpr std::size_t at_once = 256;
        for (; !pieces.empty(); pieces = pieces.subspan(std::min(at_once, pieces.size()))) {
            auto const some = pieces.first(std::min(at_once, pieces.size()));
            memory = PlaceInWindow::list(some, shift, memory);
            placed.add_all(some, shift - window.start);
        }
        return memory;
    }
};

struct PlaceAndMark {
    FileWindow window;
    std::span<std::uint64_t> marks{};

    void operator()(Offset offset, std::byte const* memory, Size length) const {
        copy_small(window.at(offset), memory, length);
        mark(marks, offset - window.start, length);
    }
};

void place_pieces(Stretch const& stretch, Size index) {
    WindowTime const time{stretch, index};
    auto const lap = stretch.call().watch.phase(Phase::pack);
    auto const& fact = stretch.fact(index);
    if (fact.presumed) {
        PlaceAndAdd visitor;
        copy_own_pieces(stretch, index, visitor);
        add_placed(stretch.windows, index, visitor.placed);
    } else if (fact.known()) {
        PlaceInWindow visitor;
        copy_own_pieces(stretch, index, visitor);
    } else {
        PlaceAndMark visitor;
        visitor.marks = stretch.slots().marks(index);
        copy_own_pieces(stretch, index, visitor);
    }
}

// Whether what this rank reads goes past its caches: rows that would not stay there.
bool streams(Call const& call) {
    auto const& access = call.intent.access;
    auto const sharers = (call.session.comm().size - 1) / call.session.share()->cores() + 1;
    return exceeds_cache(access.size(), sharers) && access.size() / access.file.piece_count() >= least_streamed();
}

void take_pieces(Stretch const& stretch, Size index, bool streaming) {
    WindowTime const time{stretch, index};
    auto const lap = stretch.call().watch.phase(Phase::pack);
    if (streaming) {
        StreamFromWindow visitor;
        copy_own_pieces(stretch, index, visitor);
        visitor.streaming.finish();
    } else {
        FetchFromWindow visitor;
        copy_own_pieces(stretch, index, visitor);
    }
}

// The file side of a rank: opened when it first has something to do there; failures are kept.
class FileSide {
public:
    explicit FileSide(Call& call) : call_{call} {}

    template <class Work>
    void run(Work&& work) {
        if (!failure_.ok()) return;
        auto storage = call_.session.storage();
        failure_ = storage ? work(**storage) : storage.status();
    }
    Status const& failure() const { return failure_; }

private:
    Call& call_;
    Status failure_;
};

// Those of a part; extents do not reach across parts.
std::vector<Extent> covered_in(Extent part, std::vector<Extent> const& all, Offset shift) {
    std::vector<Extent> covered;
    for (auto const& extent : all) {
        if (extent.offset >= part.offset && extent.end() <= part.end()) {
            covered.push_back({extent.offset + shift, extent.length});
        }
    }
    return covered;
}

Status store_part(Stretch const& stretch, Storage& storage, Size index, Extent part, Offset place) {
    auto const bytes =
        stretch.slots().bytes(index).subspan(static_cast<std::size_t>(place), static_cast<std::size_t>(part.length));
    auto const offset = part.offset + stretch.call().shift;
    auto const& fact = stretch.fact(index);
    auto const& policy = stretch.call().session.hole_policy();
    if (fact.dense) {
        Sharing const sharing{storage, {offset, part.length}, policy.lock};
        return write_fully(storage, offset, bytes);
    }
    auto const covered = fact.known()
                             ? covered_in(part, fact.covered, stretch.call().shift)
                             : marked_extents(stretch.slots().marks(index), place, place + part.length, offset);
    auto const stored = store_window(storage, {bytes, offset, covered}, policy);
    if (stored) stretch.call().numbers.read_modify_writes += stored->read_modify_writes;
    return stored.status();
}

void store(Stretch const& stretch, Size index, FileSide& file) {
    WindowTime const time{stretch, index};
    auto const& fact = stretch.fact(index);
    if (fact.presumed && !proves_true(stretch.windows, stretch.window(index), index, fact)) return;  // it comes again
    file.run([&](Storage& storage) {
        Status status;
        stretch.windows.for_each_part(stretch.window(index), [&](Extent part, Offset place) {
            if (status.ok()) status = store_part(stretch, storage, index, part, place);
        });
        return status;
    });
    if (!fact.known()) {
        auto const marks = stretch.slots().marks(index);
        std::fill(marks.begin(), marks.end(), 0);
    }
}

// The next window from `index` on that this rank has bytes in.
Size next_mine(Stretch const& stretch, Size index) {
    while (index < stretch.count() && !stretch.fact(index).mine) ++index;
    return index;
}

Size next_to_store(Stretch const& stretch, Size index) {
    auto const me = stretch.call().session.comm().rank;
    while (index < stretch.count() && stretch.windows.aggregator(stretch.window(index)) != me) ++index;
    return index;
}

// Two duties of a rank, each window by window: placing its pieces, and storing the windows it aggregates.
class Writer {
public:
    Writer(Stretch const& stretch, FileSide& file) : stretch_{stretch}, file_{file} {}

    void run() {
        place_ = next_mine(stretch_, 0);
        store_ = next_to_store(stretch_, 0);
        while (place_ < stretch_.count() || store_ < stretch_.count()) {
            if (!store_if_full() && !place_if_free()) wait();
        }
    }

private:
    bool store_if_full() {
        if (store_ == stretch_.count()) return false;
        auto& slots = stretch_.slots();
        auto const nobody = stretch_.fact(store_).members == 0;
        if (nobody ? !slots.is_free(store_) : !slots.is_full(store_)) return false;
        if (nobody) {
            slots.skip(store_);
        } else {
            store(stretch_, store_, file_);
            slots.empty(store_, 1);
        }
        store_ = next_to_store(stretch_, store_ + 1);
        return true;
    }

    bool place_if_free() {
        if (place_ == stretch_.count() || !stretch_.slots().is_free(place_)) return false;
        place_pieces(stretch_, place_);
        stretch_.slots().fill(place_, stretch_.fact(place_).members);
        place_ = next_mine(stretch_, place_ + 1);
        return true;
    }

    // Whichever comes first in the order of windows: what comes later cannot happen before it.
    void wait() {
        auto const lap = stretch_.call().watch.phase(Phase::wait);
        auto& slots = stretch_.slots();
        if (place_ <= store_ && place_ < stretch_.count()) return slots.wait_free(place_);
        if (stretch_.fact(store_).members == 0) return slots.wait_free(store_);
        slots.wait_full(store_);
    }

    Stretch const& stretch_;
    FileSide& file_;
    Size place_{0};
    Size store_{0};
};

// A reader loads the i-th slice of each window, so that several cores read at once.
struct Readers {
    int count{1};
    int mine{-1};  // which slice this rank loads; -1: none
};

Readers readers_of(Call const& call) {
    auto const& comm = call.session.comm();
    auto const count = std::min(comm.size, call.session.share()->cores());
    auto const spacing = comm.size / count;
    auto const mine = comm.rank % spacing == 0 && comm.rank / spacing < count ? comm.rank / spacing : -1;
    return {count, mine};
}

// The i-th of `count` slices of a part, on page boundaries of the window.
Extent slice_of(Size length, Readers const& readers) {
    constexpr Size page = 4096;
    auto const pages = (length + page - 1) / page;
    auto const from = pages * readers.mine / readers.count * page;
    auto const to = std::min(pages * (readers.mine + 1) / readers.count * page, length);
    return {from, std::max<Size>(to - from, 0)};
}

void load(Stretch const& stretch, Size index, FileSide& file, Readers const& readers) {
    WindowTime const time{stretch, index};
    file.run([&](Storage& storage) {
        Status status;
        stretch.windows.for_each_part(stretch.window(index), [&](Extent part, Offset place) {
            auto const slice = slice_of(part.length, readers);
            if (!status.ok() || slice.length == 0) return;
            auto const into = stretch.slots().bytes(index).subspan(static_cast<std::size_t>(place + slice.offset),
                                                                   static_cast<std::size_t>(slice.length));
            status = read_fully(storage, part.offset + slice.offset + stretch.call().shift, into).status();
        });
        return status;
    });
}

Size next_in_use(Stretch const& stretch, Size index) {
    while (index < stretch.count() && stretch.fact(index).members == 0) ++index;
    return index;
}

// Two duties of a rank: loading its slices, and taking its pieces. Windows nobody wants are skipped by the first reader.
class Reader {
public:
    Reader(Stretch const& stretch, FileSide& file, Readers const& readers)
        : stretch_{stretch},
          file_{file},
          readers_{readers},
          loads_{readers.mine >= 0},
          streams_{streams(stretch.call())} {}

    void run() {
        load_ = loads_ ? next_to_load(0) : stretch_.count();
        take_ = next_mine(stretch_, 0);
        while (load_ < stretch_.count() || take_ < stretch_.count()) {
            if (!load_if_free() && !take_if_full()) wait();
        }
    }

private:
    Size next_to_load(Size index) const { return readers_.mine == 0 ? index : next_in_use(stretch_, index); }

    bool load_if_free() {
        if (load_ == stretch_.count() || !stretch_.slots().is_free(load_)) return false;
        if (stretch_.fact(load_).members == 0) {
            stretch_.slots().skip(load_);
        } else {
            load(stretch_, load_, file_, readers_);
            stretch_.slots().fill(load_, static_cast<std::uint32_t>(readers_.count));
        }
        load_ = next_to_load(load_ + 1);
        return true;
    }

    bool take_if_full() {
        if (take_ == stretch_.count() || !stretch_.slots().is_full(take_)) return false;
        take_pieces(stretch_, take_, streams_);
        stretch_.slots().empty(take_, stretch_.fact(take_).members);
        take_ = next_mine(stretch_, take_ + 1);
        return true;
    }

    void wait() {
        auto const lap = stretch_.call().watch.phase(Phase::wait);
        if (load_ <= take_ && load_ < stretch_.count()) return stretch_.slots().wait_free(load_);
        stretch_.slots().wait_full(take_);
    }

    Stretch const& stretch_;
    FileSide& file_;
    Readers readers_;
    bool loads_;
    bool streams_;
    Size load_{0};
    Size take_{0};
};

// Collective. Runs windows of which nothing is known yet, and learns what they hold.
template <class Run>
std::vector<WindowFacts> run_and_learn(SharedWindows const& windows, Size first, Size last, Run&& run) {
    auto& call = windows.call();
    std::vector<WindowFacts> facts;
    {
        auto const lap = call.watch.phase(Phase::metadata);
        facts = learn_windows(windows, first, last);
    }
    run(Stretch{windows, first, facts});
    windows.slots().finish(last - first);
    if (call.plan.direction == Direction::read || !careful) return facts;
    auto const again = settle_windows(windows, first, facts);
    if (again.empty()) return facts;
    run(Stretch{windows, first, again, true});
    windows.slots().finish(last - first);
    return facts;
}

// Collective. As many windows at a time as can be tallied; all at once where they are known from an earlier run.
template <class Run>
Status run_stretches(Call& call, Run&& run) {
    SharedWindows const windows{call};
    FileSide file{call};
    watchdog().doing =
        call.plan.direction == Direction::write ? "writing through shared memory" : "reading through shared memory";
    auto const run_one = [&](Stretch const& stretch) { run(stretch, file); };
    if (call.known != nullptr && call.known->windows) {
        run_one(Stretch{windows, 0, *call.known->windows});
        windows.slots().finish(windows.count());
        return file.failure();
    }
    for (Size first = 0; first < windows.count(); first += NodeShare::tallied_windows) {
        auto const last = std::min(first + NodeShare::tallied_windows, windows.count());
        if (first > 0) call.session.quorum().meet();  // the tallies are clear again
        auto facts = run_and_learn(windows, first, last, run_one);
        if (last - first == windows.count() && call.known != nullptr) call.known->windows = std::move(facts);
    }
    return file.failure();
}

}  // namespace

Status write_by_sharing(Call& call) {
    return run_stretches(call, [](Stretch const& stretch, FileSide& file) { Writer{stretch, file}.run(); });
}

Status read_by_sharing(Call& call) {
    auto const readers = readers_of(call);
    return run_stretches(call, [&](Stretch const& stretch, FileSide& file) { Reader{stretch, file, readers}.run(); });
}

}  // namespace muster
