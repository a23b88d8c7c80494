// Declared I/O: pieces go to their windows as they come, and what comes too early waits in memory.
#include "muster/declared.hpp"

#include <array>
#include <new>
#include <optional>

#include "core/copy.hpp"
#include "core/hints.hpp"
#include "engine/declaration.hpp"
#include "engine/file_state.hpp"
#include "engine/keeper.hpp"
#include "engine/perform.hpp"
#include "engine/window_runs.hpp"
#include "mpi/agree.hpp"

namespace muster {

namespace {

constexpr int patient_dozes = 100;  // before a piece is kept in memory, or read from the file itself

// Bytes of a part between a rank's memory and windows: those from `from` on lie one after the other at `memory`.
struct Handover {
    Shape const& shape;
    Size from{0};
    std::byte* memory{nullptr};

    std::byte* at(Size position) const { return memory + (position - from); }
    // Calls move(place in the window, memory, length) for each piece of the runs.
    template <class Move>
    void for_each(std::vector<WindowRun> const& runs, Move&& move) const {
        for (auto const& run : runs) {
            auto* here = at(run.from);
            shape.for_each(run.from, run.to, [&, shift = run.shift](Offset offset, Size length) {
                move(offset + shift, here, length);
                here += length;
            });
        }
    }
    std::vector<Placed> placed(std::vector<WindowRun> const& runs, Offset window) const {
        std::vector<Placed> pieces;
        for_each(runs, [&](Offset place, std::byte* bytes, Size length) {
            pieces.push_back({window + place, bytes, length});
        });
        return pieces;
    }
};

// Bytes of a part.
struct Chunk {
    std::size_t part{0};
    Size from{0};
    Size to{0};
};

// A piece that came before its window was open.
struct Early {
    std::size_t part{0};
    WindowRun run;
    std::vector<std::byte> bytes;
};

// What this rank has in each window.
std::vector<WindowShare> shares_of(WindowSpace const& space, Domains const& domains, Stream const& file) {
    std::vector<WindowShare> shares;
    auto const& layout = space.layout();
    shares.reserve(static_cast<std::size_t>(layout.rounds * layout.domains));
    for (Size round = 0; round < layout.rounds; ++round) {
        for (int domain = 0; domain < layout.domains; ++domain) {
            Size bytes = 0;
            Fingerprint fingerprint;
            for_each_cut(domains, file, {domain, round}, [&](Stream const& cut, Offset) {
                bytes += cut.size();
                cut.for_each([&](Offset offset, Size length) { fingerprint.add({offset, length}); });
            });
            shares.push_back({bytes, fingerprint.lanes()});
        }
    }
    return shares;
}

// Whether each byte of each window belongs to exactly one rank.
bool all_whole(WindowSpace const& space, Domains const& domains, std::vector<WindowShare> const& sums) {
    auto const& layout = space.layout();
    for (Size round = 0; round < layout.rounds; ++round) {
        for (int domain = 0; domain < layout.domains; ++domain) {
            Fingerprint whole;
            for (int index = 0; index < domains.parts(); ++index) whole.add(domains.part(domain, round, index));
            if (whole.lanes() != sums[space.index_of(domain, round)].lanes) return false;
        }
    }
    return true;
}

// Local. Nobody has brought memory yet.
Result<Intent> declared_intent(Direction direction, Result<std::vector<Declaration>> const& declarations) {
    if (!declarations) return declarations.status();
    auto shape = joined(*declarations);
    if (!shape) return shape.status();
    Intent intent;
    intent.direction = direction;
    intent.access.file = intent.list.stream = Stream::whole(std::move(*shape));
    intent.declared_pieces = pieces_of(*declarations);
    return intent;
}

}  // namespace

struct Declared::State {
    std::shared_ptr<Session> owner;
    Session& session;
    Direction direction;
    muster::Plan plan;
    Stream file;  // all of this rank, ordered
    std::vector<Declaration> parts;
    Size file_size{0};  // reads
    double start{0};
    Size number{0};  // of the session's declarations
    std::unique_ptr<WindowSpace> space{};
    std::optional<Keeper> keeper{};

    ByWindow<std::vector<Early>> early{};
    ByWindow<Size> owed{};        // reads: bytes that were not taken from their windows, and not yet told so
    std::vector<Size> rounds{};   // of each domain, when last seen
    std::vector<Size> stalled{};  // rounds of a domain at which waiting was in vain
    Chunk at_hand{};              // what a call is handing over now
    StorageCounts counted_before{};
    double planned{0};  // seconds until the windows were there
    Size early_bytes{0};
    Size direct_bytes{0};
    Status failure{};
    bool finished{false};

    ~State();
    void leave() { session.declarations -= std::exchange(finished, true) ? 0 : 1; }

    // Collective.
    static Result<Declared> declare(std::shared_ptr<Session> const& owner, Direction direction,
                                    std::span<Part const> parts);
    Status open_windows();
    Status do_without_windows(Status const& reason);
    Status learn_what_comes();
    Result<std::vector<Contributor>> lists_of(Stream const& stream) const;

    Status check(std::size_t part, void const* data, Size from, Size& length) const;
    bool direct() const { return plan.route == Route::direct; }
    // Reads of pieces that some ranks do not see: there is a window for everything, and all are loaded before anybody reads.
    bool windows_alone() const { return direction == Direction::read && !session.all_reach_file(); }

    Status put(std::size_t part, void const* data, Size from, Size length);
    void deliver(WindowId const& window, Handover const& handover, std::vector<WindowRun> const& runs);
    void keep(WindowId const& window, std::size_t part, Handover const& handover, std::vector<WindowRun> const& runs);
    bool send_early();
    Status write_directly(Shape const& shape, Size from, Size to, std::byte const* data);

    Result<Size> get(std::size_t part, void* data, Size from, Size length);
    Status get_by_windows(Declaration& declaration, Size from, Size length, std::byte* memory);
    Status get_by_windows_alone(Declaration const& declaration, Size from, Size length, std::byte* memory);
    Status take_again(Handover const& handover, Size to);
    Status get_from_file(Declaration& declaration, Size from, Size length, std::byte* memory);
    Size bytes_before_end(Shape const& shape, Size from, Size to) const;
    Size take(Handover const& handover, Size to);
    void fetch(WindowId const& window, Handover const& handover, std::vector<WindowRun> const& runs);
    void pay_debts();
    Status read_directly(Shape const& shape, std::pair<Size, Size> range, std::byte* data);

    bool is_open(WindowId const& window);
    bool holds_up(WindowId const& window) const;
    bool has_left(std::size_t part, WindowId const& last) const;
    bool wait_open(WindowId const& window);
    void progress();

    Result<Size> finish();
    Status finish_write();
    Status tell_what_came();
    Size dealt_with() const;
    void fill_report(Size bytes);
    void fill_numbers(RankReport& mine) const;
};

Declared::State::~State() {
    keeper.reset();
    if (!finished && space && space->outlives_its_users()) session.abandoned.emplace(number, std::move(space));
    leave();
}

Result<Declared> Declared::State::declare(std::shared_ptr<Session> const& owner, Direction direction,
                                          std::span<Part const> parts) {
    auto& session = *owner;
    auto const start = clock_seconds();
    auto declarations = make_declarations(parts);
    auto intent = declared_intent(direction, declarations);
    Size file_size = 0;
    auto plan = plan_together(session, direction, intent, file_size);
    if (!plan) return plan.status();
    std::unique_ptr<State> state{new State{owner, session, direction, std::move(*plan), std::move(intent->access.file),
                                           std::move(*declarations), file_size, start, session.declared++}};
    ++session.declarations;
    state->counted_before = session.storage_counts();
    if (auto status = state->open_windows(); !status.ok()) return status;
    state->planned = clock_seconds() - start;
    return Declared{std::move(state)};
}

// Collective. Windows, and what aggregators must know of the others.
Status Declared::State::open_windows() {
    if (plan.route == Route::nothing || direct()) return {};
    auto const window = plan.domains.parts() * plan.domains.part_size();
    auto const own = plan.aggregator_index(session.comm().rank);
    auto const windows = windows_alone() ? static_cast<int>(plan.rounds) : std::max(session.hints().windows, 2);
    auto made = WindowSpace::make(session,
                                  {plan.domains.count, windows, window, plan.rounds, own, plan.aggregators, plan.tier});
    if (!made) return do_without_windows(made.status());
    space = std::move(*made);
    plan.decisions.push_back({"windows", space->name(), "filled one-sidedly"});
    rounds.assign(static_cast<std::size_t>(plan.domains.count), 0);
    stalled.assign(static_cast<std::size_t>(plan.domains.count), -1);
    if (own >= 0) keeper.emplace(session, plan, *space);
    auto status = learn_what_comes();
    if (status.ok() && keeper) keeper->begin();
    if (status.ok() && windows_alone()) {
        if (keeper) keeper->load_all();
        session.quorum().meet();
    }
    if (status.ok()) return status;
    keeper.reset();
    space->close();
    space.reset();
    return status;
}

// Some MPIs have no windows at all over some networks: then every rank accesses the file itself, where it can reach it.
Status Declared::State::do_without_windows(Status const& reason) {
    if (!session.all_reach_file()) return reason;
    plan.route = Route::direct;
    plan.decisions.push_back({"windows", "none", reason.message() + ": every rank accesses the file itself"});
    return {};
}

// Collective. Where ranks on one node cover the windows from end to end, sums tell all; else aggregators want lists.
Status Declared::State::learn_what_comes() {
    std::vector<WindowShare> sums;
    if (space->adds_up()) sums = space->add_up(shares_of(*space, plan.domains, file));
    if (!sums.empty() && all_whole(*space, plan.domains, sums)) {
        if (keeper) keeper->expect_whole(sums);
        return {};
    }
    auto lists = lists_of(file);
    if (keeper && lists) keeper->expect(std::move(*lists));
    return session.quorum().agree(lists.status());
}

// Collective. By aggregators, what the ranks have in their domains.
Result<std::vector<Contributor>> Declared::State::lists_of(Stream const& stream) const {
    RankReport numbers;
    Courier courier{session.comm(), session.machine(), numbers};
    return exchange_lists(courier, plan, {stream, {}}, {0, plan.rounds});
}

Status Declared::State::check(std::size_t part, void const* data, Size from, Size& length) const {
    if (finished) return {Code::invalid_argument, "a declaration that is finished"};
    if (part >= parts.size()) return {Code::invalid_argument, "there is no part " + std::to_string(part)};
    auto const size = parts[part].shape.size();
    if (from < 0 || from > size) {
        return {Code::invalid_argument, "byte " + std::to_string(from) + " of part " + std::to_string(part) +
                                            ", which has " + std::to_string(size)};
    }
    if (length == to_the_end) length = size - from;
    if (length < 0 || length > size - from) {
        return {Code::invalid_argument, std::to_string(length) + " bytes from " + std::to_string(from) + " of part " +
                                            std::to_string(part) + ", which has " + std::to_string(size)};
    }
    return length > 0 && data == nullptr ? no_buffer() : Status{};
}

// --- when a window can be used ---

bool Declared::State::is_open(WindowId const& window) {
    auto& seen = rounds[static_cast<std::size_t>(window.domain)];
    auto const windows = direction == Direction::write ? space->layout().windows : 0;
    if (window.round < seen + windows) return true;
    seen = space->rounds(window.domain);
    return window.round < seen + windows;
}

// Whether a part has bytes up to that round of its domain which no call has brought or taken yet.
bool Declared::State::has_left(std::size_t part, WindowId const& last) const {
    auto const& declaration = parts[part];
    auto const missing = declaration.dealt_with.missing(0, declaration.shape.size());
    if (direction == Direction::read && declaration.shape.high() > file_size) return !missing.empty();
    for (auto const& [begin, end] : missing) {
        for (auto const& [window, runs] : runs_of(plan.domains, declaration.shape, begin, end)) {
            if (window.domain != last.domain || window.round > last.round) continue;
            auto const at_hand_now = [&](WindowRun const& run) {
                return part == at_hand.part && run.from >= at_hand.from && run.to <= at_hand.to;
            };
            if (!std::all_of(runs.begin(), runs.end(), at_hand_now)) return true;
        }
    }
    return false;
}

// Whether a window waits for this rank itself: then the rank must not wait for the window.
bool Declared::State::holds_up(WindowId const& window) const {
    WindowId const last{window.domain, window.round - space->layout().windows};
    if (last.round < 0) return false;
    auto const is_before = [&](auto const& entry) {
        return entry.first.domain == last.domain && entry.first.round <= last.round;
    };
    if (std::any_of(early.begin(), early.end(), is_before) || std::any_of(owed.begin(), owed.end(), is_before))
        return true;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        if (has_left(part, last)) return true;
    }
    return false;
}

// Waits for a moment, because a window that is being stored will soon be free; but nobody may be waited for in vain.
bool Declared::State::wait_open(WindowId const& window) {
    if (is_open(window)) return true;
    auto& given_up = stalled[static_cast<std::size_t>(window.domain)];
    auto seen = rounds[static_cast<std::size_t>(window.domain)];
    if (given_up == seen || holds_up(window)) return false;
    for (int dozes = 0; dozes < patient_dozes && given_up != seen; ++dozes) {
        progress();
        auto const bell = space->look(window.domain);
        if (is_open(window)) return true;
        space->doze(window.domain, bell);
        if (is_open(window)) return true;
        auto const now = rounds[static_cast<std::size_t>(window.domain)];
        if (now != seen) dozes = 0;
        seen = now;
    }
    given_up = seen;
    return false;
}

void Declared::State::progress() {
    if (keeper && !keeper->alone()) keeper->step();
}

// --- writing ---

Status Declared::State::put(std::size_t part, void const* data, Size from, Size length) try {
    if (direction != Direction::write) return {Code::invalid_argument, "what is declared for reading cannot be put"};
    if (auto status = check(part, data, from, length); !status.ok()) return status;
    auto& declaration = parts[part];
    auto const fresh = declaration.dealt_with.missing(from, from + length);
    if (length > 0 && (fresh.size() != 1 || fresh[0] != std::pair{from, from + length})) {
        return {Code::invalid_argument, "some bytes of part " + std::to_string(part) + " were put before"};
    }
    auto* const memory = static_cast<std::byte*>(const_cast<void*>(data));  // only read from
    if (direct()) {
        auto const status = write_directly(declaration.shape, from, from + length, memory);
        if (status.ok()) declaration.dealt_with.add(from, from + length);
        failure = first_failure(failure, status);
        return status;
    }
    send_early();
    at_hand = {part, from, from + length};
    Handover const handover{declaration.shape, from, memory};
    for (auto const& [window, runs] : runs_of(plan.domains, declaration.shape, from, from + length)) {
        wait_open(window) ? deliver(window, handover, runs) : keep(window, part, handover, runs);
    }
    declaration.dealt_with.add(from, from + length);
    progress();
    return {};
} catch (std::bad_alloc const&) {
    failure = first_failure(failure, {Code::out_of_memory, "no memory for pieces that wait for their windows"});
    return failure;
}

void Declared::State::deliver(WindowId const& window, Handover const& handover, std::vector<WindowRun> const& runs) {
    auto const first = space->place_of(window.round);
    if (auto* const windows = space->reach(window.domain); windows != nullptr) {
        handover.for_each(runs, [to = windows + first](Offset place, std::byte const* memory, Size length) {
            copy_small(to + place, memory, length);
        });
    } else {
        space->put(window.domain, handover.placed(runs, first));
    }
    space->add_count(window.domain, window.round, bytes_of(runs));
}

void Declared::State::keep(WindowId const& window, std::size_t part, Handover const& handover,
                           std::vector<WindowRun> const& runs) {
    for (auto const& run : runs) {
        auto const* const memory = handover.at(run.from);
        early[window].push_back({part, run, {memory, memory + (run.to - run.from)}});
        early_bytes += run.to - run.from;
    }
}

// What has waited and has a window now. True if there was something.
bool Declared::State::send_early() {
    auto sent = false;
    for (auto at = early.begin(); at != early.end();) {
        if (!is_open(at->first)) {
            ++at;
            continue;
        }
        for (auto& [part, run, bytes] : at->second)
            deliver(at->first, {parts[part].shape, run.from, bytes.data()}, {run});
        at = early.erase(at);
        sent = true;
    }
    return sent;
}

Status Declared::State::write_directly(Shape const& shape, Size from, Size to, std::byte const* data) {
    auto storage = session.storage();
    auto status = storage.status();
    if (!storage) return status;
    shape.for_each(from, to, [&](Offset offset, Size length) {
        Sharing const sharing{**storage, {offset, length}, status.ok() && session.hole_policy().lock};
        if (status.ok()) status = write_fully(**storage, offset, {data, static_cast<std::size_t>(length)});
        data += length;
    });
    return status;
}

// --- reading ---

Result<Size> Declared::State::get(std::size_t part, void* data, Size from, Size length) try {
    if (direction != Direction::read) {
        return Status{Code::invalid_argument, "what is declared for writing cannot be got"};
    }
    if (auto status = check(part, data, from, length); !status.ok()) return status;
    auto& declaration = parts[part];
    auto* const memory = static_cast<std::byte*>(data);
    at_hand = {part, from, from + length};
    if (space) pay_debts();
    // Where the file ends inside, memory behind the end must stay as it was: windows do not know that.
    if (space && windows_alone()) {
        if (auto status = get_by_windows_alone(declaration, from, length, memory); !status.ok()) return status;
        declaration.dealt_with.add(from, from + length);
        return bytes_before_end(declaration.shape, from, from + length);
    }
    auto const by_windows = space && declaration.shape.high() <= file_size;
    auto const status = by_windows ? get_by_windows(declaration, from, length, memory)
                                   : get_from_file(declaration, from, length, memory);
    if (!status.ok()) return status;
    declaration.dealt_with.add(from, from + length);
    progress();
    return bytes_before_end(declaration.shape, from, from + length);
} catch (std::bad_alloc const&) {
    return Status{Code::out_of_memory, "no memory to sort pieces by windows"};
}

// What was not taken before comes from the windows, the rest from the file. What windows were told of is dealt with, also where the
// file fails then: a window that hears of it twice is loaded again before others have read it.
Status Declared::State::get_by_windows(Declaration& declaration, Size from, Size length, std::byte* memory) {
    auto at = from;
    Status status;
    for (auto const& [begin, end] : declaration.dealt_with.missing(from, from + length)) {
        status = first_failure(status, read_directly(declaration.shape, {at, begin}, memory + (at - from)));
        auto const late = take({declaration.shape, begin, memory + (begin - from)}, end);
        declaration.dealt_with.add(begin, end);
        direct_bytes += late;
        if (late > 0) {
            status = first_failure(status, read_directly(declaration.shape, {begin, end}, memory + (begin - from)));
        }
        at = end;
    }
    return first_failure(status, read_directly(declaration.shape, {at, from + length}, memory + (at - from)));
}

// What lies behind the end of the file has no windows.
Status Declared::State::get_by_windows_alone(Declaration const& declaration, Size from, Size length,
                                             std::byte* memory) {
    auto const& shape = declaration.shape;
    if (shape.high() <= file_size) return take_again({shape, from, memory}, from + length);
    std::vector<Extent> inside;
    shape.for_each(from, from + length, [&](Offset offset, Size bytes) {
        inside.push_back({offset, std::clamp<Size>(file_size - offset, 0, bytes)});
    });
    auto const lengths = inside;
    auto const part = Shape::pieces(std::move(inside));
    std::vector<std::byte> taken(static_cast<std::size_t>(part.size()));
    auto const status = take_again({part, 0, taken.data()}, part.size());
    auto const* next = taken.data();
    std::size_t index = 0;
    shape.for_each(from, from + length, [&](Offset, Size bytes) {
        auto const here = lengths[index++].length;
        if (status.ok()) std::copy_n(next, here, memory);
        next += here;
        memory += bytes;
    });
    return status;
}

// From windows that stay as they are.
Status Declared::State::take_again(Handover const& handover, Size to) {
    for (auto const& [window, runs] : runs_of(plan.domains, handover.shape, handover.from, to)) {
        if (!is_open(window) || space->rounds(window.domain) >= spoiled) {
            return {Code::io, "a piece of the file on another node could not be read: finish tells why"};
        }
        fetch(window, handover, runs);
    }
    return {};
}

Status Declared::State::get_from_file(Declaration& declaration, Size from, Size length, std::byte* memory) {
    if (space) {
        for (auto const& [begin, end] : declaration.dealt_with.missing(from, from + length)) {
            for (auto const& [window, runs] : runs_of(plan.domains, declaration.shape, begin, end)) {
                owed[window] += bytes_of(runs);
            }
        }
        declaration.dealt_with.add(from, from + length);
    }
    return read_directly(declaration.shape, {from, from + length}, memory);
}

Size Declared::State::bytes_before_end(Shape const& shape, Size from, Size to) const {
    if (shape.high() <= file_size) return to - from;
    Size bytes = 0;
    shape.for_each(from, to,
                   [&](Offset offset, Size length) { bytes += std::clamp<Size>(file_size - offset, 0, length); });
    return bytes;
}

// From the windows that are loaded. Returns the bytes that are left to the caller, and to be told later.
Size Declared::State::take(Handover const& handover, Size to) {
    Size late = 0;
    for (auto const& [window, runs] : runs_of(plan.domains, handover.shape, handover.from, to)) {
        auto const bytes = bytes_of(runs);
        if (wait_open(window) && rounds[static_cast<std::size_t>(window.domain)] < spoiled) {
            fetch(window, handover, runs);
            space->add_count(window.domain, window.round, bytes);
        } else {
            owed[window] += bytes;
            late += bytes;
        }
    }
    return late;
}

void Declared::State::fetch(WindowId const& window, Handover const& handover, std::vector<WindowRun> const& runs) {
    auto const first = space->place_of(window.round);
    auto const* const windows = space->reach(window.domain);
    if (windows == nullptr) return space->get(window.domain, handover.placed(runs, first));
    handover.for_each(runs, [from = windows + first](Offset place, std::byte* memory, Size length) {
        copy_small(memory, from + place, length);
    });
}

// Windows are loaded again only when all that was declared has been taken, one way or the other.
void Declared::State::pay_debts() {
    for (auto at = owed.begin(); at != owed.end();) {
        if (!is_open(at->first)) {
            ++at;
            continue;
        }
        space->add_count(at->first.domain, at->first.round, at->second);
        at = owed.erase(at);
    }
}

Status Declared::State::read_directly(Shape const& shape, std::pair<Size, Size> range, std::byte* data) {
    if (range.first >= range.second) return {};
    auto storage = session.storage();
    auto status = storage.status();
    if (!storage) return status;
    shape.for_each(range.first, range.second, [&](Offset offset, Size length) {
        auto const inside = std::clamp<Size>(file_size - offset, 0, length);
        if (status.ok() && inside > 0) {
            status = read_fully(**storage, offset, {data, static_cast<std::size_t>(inside)}).status();
        }
        data += length;
    });
    return status;
}

// --- the end ---

Size Declared::State::dealt_with() const {
    Size bytes = 0;
    for (auto const& part : parts) bytes += part.dealt_with.size();
    return bytes;
}

// Collective. Where ranks have put less than they declared, aggregators learn what has really come.
Status Declared::State::tell_what_came() {
    if (keeper) keeper->stop();
    std::vector<Extent> extents;
    for (auto const& part : parts) {
        part.dealt_with.for_each([&](Size begin, Size end) {
            part.shape.for_each(begin, end, [&](Offset offset, Size length) { extents.push_back({offset, length}); });
        });
    }
    std::sort(extents.begin(), extents.end(), [](Extent a, Extent b) { return a.offset < b.offset; });
    space->forget_sums();
    auto lists = lists_of(Stream::whole(Shape::pieces(std::move(extents))));
    auto status = session.quorum().agree(lists.status());
    if (status.ok() && keeper) keeper->expect(std::move(*lists));
    return status;
}

// Collective.
Status Declared::State::finish_write() {
    std::array<Size, Quorum::votes> missing{file.size() - dealt_with()};
    session.quorum().vote(missing, 0);
    if (missing[0] > 0) {
        plan.decisions.push_back({"not put", format_size(missing[0]), "declared, but never handed over"});
        if (auto told = tell_what_came(); !told.ok()) return told;
    }
    while (!early.empty() || (keeper && !keeper->done())) {
        auto const domain = early.empty() ? keeper->domain() : early.begin()->first.domain;
        auto const bell = space->look(domain);
        auto moved = send_early();
        if (keeper && !keeper->alone()) moved = keeper->step() || moved;
        if (!moved && (!early.empty() || !keeper->done())) space->doze(domain, bell);
    }
    return keeper ? keeper->finish() : Status{};
}

Result<Size> Declared::State::finish() {
    if (finished) return Status{Code::invalid_argument, "a declaration that is finished already"};
    leave();
    auto mine = failure;
    if (space && direction == Direction::write) mine = first_failure(mine, finish_write());
    if (keeper && direction == Direction::read && little(plan, *space)) mine = first_failure(mine, keeper->finish());
    auto verdict = session.quorum().agree(mine);
    // Nobody reads from windows any more, but they may still be loaded.
    if (space && direction == Direction::read && !little(plan, *space)) {
        auto const loaded = keeper ? keeper->finish() : Status{};
        verdict = first_failure(verdict, session.quorum().agree(loaded));
    }
    keeper.reset();
    if (space) space->close();
    auto const bytes = dealt_with();
    fill_report(bytes);
    return verdict.ok() ? Result<Size>{bytes} : verdict;
}

void Declared::State::fill_report(Size bytes) {
    auto& report = session.report;
    report = {};
    report.operation = name_of(direction);
    report.file = session.path();
    report.ranks = session.comm().size;
    report.nodes = session.machine().node_count();
    report.aggregators = plan.aggregators;
    report.rounds = plan.rounds;
    report.decisions = plan.decisions;
    report.decisions.push_back({"declared", "in parts", std::to_string(parts.size()) + " on this rank"});
    if (early_bytes > 0) {
        report.decisions.push_back({"early pieces", format_size(early_bytes), "waited in memory for their windows"});
    }
    if (direct_bytes > 0) {
        report.decisions.push_back({"late windows", format_size(direct_bytes), "read from the file itself instead"});
    }
    for (auto const& decision : session.tier_decisions()) report.decisions.push_back(decision);
    report.hints = listed_hints(session.hints());
    report.mine.bytes = bytes;
    report.mine.pieces = file.piece_count();
    report.mine.total_seconds = clock_seconds() - start;
    fill_numbers(report.mine);
}

void Declared::State::fill_numbers(RankReport& mine) const {
    auto const counted = session.storage_counts() - counted_before;
    mine.file_reads = counted.reads;
    mine.file_writes = counted.writes;
    mine.file_bytes_read = counted.bytes_read;
    mine.file_bytes_written = counted.bytes_written;
    mine.seconds[static_cast<std::size_t>(Phase::file)] = counted.seconds;
    mine.seconds[static_cast<std::size_t>(Phase::plan)] = planned;
    mine.shortest_plan = mine.longest_plan = planned;
}

Declared::Declared(std::unique_ptr<State> state) : state_{std::move(state)} {}
Declared::Declared(Declared&&) noexcept = default;
Declared& Declared::operator=(Declared&&) noexcept = default;
Declared::~Declared() = default;

Result<Declared> Declared::write(File& file, std::span<Part const> parts) {
    return State::declare(file.state_->session, Direction::write, parts);
}
Result<Declared> Declared::read(File& file, std::span<Part const> parts) {
    return State::declare(file.state_->session, Direction::read, parts);
}

Status Declared::put(std::size_t part, void const* data, Size from, Size length) {
    return state_->put(part, data, from, length);
}
Result<Size> Declared::get(std::size_t part, void* data, Size from, Size length) {
    return state_->get(part, data, from, length);
}
void Declared::progress() {
    if (state_->finished || !state_->space) return;
    state_->direction == Direction::write ? static_cast<void>(state_->send_early()) : state_->pay_debts();
    state_->progress();
}
Result<Size> Declared::finish() { return state_->finish(); }
std::string Declared::text() const { return state_->plan.text(); }

}  // namespace muster
