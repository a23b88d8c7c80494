// Declared I/O: pieces go to their windows as they come, and what comes too early waits in memory.
#include "muster/declared.hpp"

#include <map>
#include <new>
#include <optional>
#include <tuple>

#include "core/hints.hpp"
#include "engine/file_state.hpp"
#include "engine/intervals.hpp"
#include "engine/keeper.hpp"
#include "engine/perform.hpp"
#include "mpi/agree.hpp"

namespace muster {

namespace {

constexpr int patient_dozes = 100;  // before a piece is kept in memory, or read from the file itself

// Where a byte of the file belongs, and up to where its neighbours do.
struct Spot {
    int domain{0};
    Size round{0};
    Offset place{0};  // in the window
    Offset end{0};    // in the file
};

Spot spot_of(Domains const& domains, Offset offset) {
    Spot spot{domains.owner_of(offset), domains.round_of(offset), 0, 0};
    int low = 0;
    for (int high = domains.parts(); high - low > 1;) {  // parts lie in file order
        auto const middle = low + (high - low) / 2;
        auto const part = domains.part(spot.domain, spot.round, middle);
        (part.length > 0 && part.offset <= offset ? low : high) = middle;
    }
    auto const part = domains.part(spot.domain, spot.round, low);
    spot.place = low * domains.part_size() + offset - part.offset;
    spot.end = part.end();
    return spot;
}

struct Window {
    Size round{0};
    int domain{0};
    bool operator<(Window const& other) const { return std::tie(round, domain) < std::tie(other.round, other.domain); }
};
using Groups = std::map<Window, std::vector<Placed>>;

Size bytes_of(std::vector<Placed> const& pieces) {
    Size bytes = 0;
    for (auto const& piece : pieces) bytes += piece.length;
    return bytes;
}

// One part of the declaration.
struct Declaration {
    Shape shape;  // in stream order
    Intervals dealt_with;
};

Status check_extents(std::span<Part const> parts) {
    for (auto const& part : parts) {
        for (auto const& [offset, length] : part.extents) {
            if (offset >= 0 && length >= 0 && length <= std::numeric_limits<Size>::max() - offset) continue;
            return {Code::invalid_argument,
                    "an extent of " + std::to_string(length) + " bytes at " + std::to_string(offset) + " was declared"};
        }
    }
    return {};
}

// All parts one behind the other.
Result<Access> declared_access(std::span<Part const> parts) {
    if (auto status = check_extents(parts); !status.ok()) return status;
    std::vector<Extent> extents;
    for (auto const& part : parts) extents.insert(extents.end(), part.extents.begin(), part.extents.end());
    auto file = Stream::whole(Shape::pieces(std::move(extents)));
    auto const size = file.size();
    return make_access(std::move(file), {Stream::whole(Shape::block(0, size)), nullptr});
}

// No byte twice: windows count bytes.
Result<Intent> without_repetition(Result<Intent> intent) {
    if (!intent || (intent->overwritten == 0 && intent->access.duplicates.empty())) return intent;
    return Status{Code::invalid_argument, "the same bytes were declared twice"};
}

}  // namespace

struct Declared::State {
    Session& session;
    Direction direction;
    muster::Plan plan;
    Stream file;  // all of this rank, ordered
    std::vector<Declaration> parts;
    std::unique_ptr<WindowSpace> space{};
    std::optional<Keeper> keeper{};
    Size file_size{0};  // reads

    std::map<Window, std::vector<std::vector<std::byte>>> copies{};  // of pieces that came too early
    Groups early{};                                                  // those pieces
    std::map<Window, Size> owed{};  // reads: bytes that were not taken from their windows, and not yet told so
    std::vector<Size> rounds{};     // of each domain, when last seen
    std::vector<Size> stalled{};    // rounds of a domain at which waiting was in vain
    Size early_bytes{0};
    Size direct_bytes{0};
    Status failure{};
    bool finished{false};
    double start{clock_seconds()};

    // Collective.
    static Result<Declared> declare(Session& session, Direction direction, std::span<Part const> parts);
    Status open_windows();

    Status check(std::size_t part, void const* data, Size from, Size& length) const;
    Groups group(Shape const& shape, Size from, Size to, std::byte* memory) const;
    bool direct() const { return plan.route == Route::direct; }

    Status put(std::size_t part, void const* data, Size from, Size length);
    void deliver(Window const& window, std::vector<Placed> const& pieces);
    void keep(Window const& window, std::vector<Placed> const& pieces);
    bool send_early();
    Status write_directly(Shape const& shape, Size from, Size to, std::byte const* data);

    Result<Size> get(std::size_t part, void* data, Size from, Size length);
    Status get_by_windows(Declaration const& declaration, Size from, Size length, std::byte* memory);
    Status get_from_file(Declaration const& declaration, Size from, Size length, std::byte* memory);
    Size bytes_before_end(Shape const& shape, Size from, Size to) const;
    Size take(Groups const& groups);
    void pay_debts();
    Status read_directly(Shape const& shape, std::pair<Size, Size> range, std::byte* data);

    bool is_open(Window const& window);
    bool wait_open(Window const& window);
    int slot(Window const& window) const { return static_cast<int>(window.round % space->layout().windows); }
    Offset in_space(Window const& window, Offset place) const { return space->place_of(window.round) + place; }
    void progress();

    Result<Size> finish();
    Status finish_write();
    Status tell_what_came();
    Size dealt_with() const;
    void fill_report(Size bytes);
};

Result<Declared> Declared::State::declare(Session& session, Direction direction, std::span<Part const> parts) {
    auto intent = without_repetition(make_intent(session, direction, declared_access(parts)));
    auto plan = plan_together(session, direction, intent);
    if (!plan) return plan.status();
    std::unique_ptr<State> state{new State{session, direction, std::move(*plan), intent->access.file, {}}};
    for (auto const& part : parts) state->parts.push_back({Shape::pieces(part.extents), {}});
    if (direction == Direction::read) {
        auto size = session.size();
        if (!size) return size.status();
        state->file_size = *size;
    }
    if (auto status = state->open_windows(); !status.ok()) return status;
    return Declared{std::move(state)};
}

// Collective. Windows, and what aggregators must know of the others.
Status Declared::State::open_windows() {
    if (plan.route == Route::nothing || direct()) return {};
    auto const window = plan.domains.parts() * plan.domains.part_size();
    auto const own = plan.aggregator_index(session.comm().rank);
    auto made = WindowSpace::make(
        session, {plan.domains.count, std::max(session.hints().windows, 2), window, own, plan.aggregators, plan.tier});
    if (!made) return made.status();
    space = std::move(*made);
    plan.decisions.push_back({"windows", space->name(), "filled one-sidedly"});
    rounds.assign(static_cast<std::size_t>(plan.domains.count), 0);
    stalled.assign(static_cast<std::size_t>(plan.domains.count), -1);
    RankReport numbers;
    Courier courier{session.comm(), session.machine(), numbers};
    auto lists = exchange_lists(courier, plan, make_list(file), {0, plan.rounds});
    auto mine = lists.status();
    if (own >= 0 && lists) {
        keeper.emplace(session, plan, *space);
        keeper->expect(std::move(*lists));
        mine = keeper->prepare();
    }
    auto status = session.quorum().agree(mine);
    if (status.ok() && keeper) keeper->run_alone();
    if (!status.ok()) keeper.reset(), space->close();
    return status;
}

Status Declared::State::check(std::size_t part, void const* data, Size from, Size& length) const {
    if (finished) return {Code::invalid_argument, "a declaration that is finished"};
    if (part >= parts.size()) return {Code::invalid_argument, "there is no part " + std::to_string(part)};
    auto const size = parts[part].shape.size();
    if (length == to_the_end) length = size - from;
    if (from < 0 || length < 0 || from > size || length > size - from) {
        return {Code::invalid_argument, "bytes " + std::to_string(from) + " to " + std::to_string(from + length) +
                                            " of part " + std::to_string(part) + ", which has " + std::to_string(size)};
    }
    return length > 0 && data == nullptr ? no_buffer() : Status{};
}

// The bytes [from, to) of a part by the windows they belong to.
Groups Declared::State::group(Shape const& shape, Size from, Size to, std::byte* memory) const {
    Groups groups;
    Spot spot;
    Offset at = -1;  // the file offset that `spot` stands for
    std::vector<Placed>* pieces = nullptr;
    shape.for_each(from, to, [&](Offset offset, Size length) {
        while (length > 0) {
            if (pieces == nullptr || offset < at || offset >= spot.end) {
                spot = spot_of(plan.domains, offset);
                at = offset;
                pieces = &groups[{spot.round, spot.domain}];
            }
            auto const inside = std::min(length, spot.end - offset);
            auto const place = in_space({spot.round, spot.domain}, spot.place + offset - at);
            pieces->push_back({place, memory, inside});
            offset += inside;
            length -= inside;
            memory += inside;
        }
    });
    return groups;
}

// --- when a window can be used ---

bool Declared::State::is_open(Window const& window) {
    auto& seen = rounds[static_cast<std::size_t>(window.domain)];
    auto const windows = direction == Direction::write ? space->layout().windows : 0;
    if (window.round < seen + windows) return true;
    seen = space->rounds(window.domain);
    return window.round < seen + windows;
}

// Waits for a moment, because a window that is being stored will soon be free; but nobody may be waited for in vain.
bool Declared::State::wait_open(Window const& window) {
    if (is_open(window)) return true;
    auto& given_up = stalled[static_cast<std::size_t>(window.domain)];
    auto seen = rounds[static_cast<std::size_t>(window.domain)];
    for (int dozes = 0; dozes < patient_dozes && given_up != seen; ++dozes) {
        progress();
        space->doze(window.domain);
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
    for (auto const& [window, pieces] : group(declaration.shape, from, from + length, memory)) {
        wait_open(window) ? deliver(window, pieces) : keep(window, pieces);
    }
    declaration.dealt_with.add(from, from + length);
    progress();
    return {};
} catch (std::bad_alloc const&) {
    failure = first_failure(failure, {Code::out_of_memory, "no memory for pieces that wait for their windows"});
    return failure;
}

void Declared::State::deliver(Window const& window, std::vector<Placed> const& pieces) {
    space->put(window.domain, pieces);
    space->add_count(window.domain, slot(window), bytes_of(pieces));
}

void Declared::State::keep(Window const& window, std::vector<Placed> const& pieces) {
    std::vector<std::byte> copy(static_cast<std::size_t>(bytes_of(pieces)));
    auto& waiting = early[window];
    waiting.reserve(waiting.size() + pieces.size());
    auto* out = copy.data();
    for (auto const& piece : pieces) {
        std::copy_n(piece.memory, piece.length, out);
        waiting.push_back({piece.place, out, piece.length});
        out += piece.length;
    }
    early_bytes += static_cast<Size>(copy.size());
    copies[window].push_back(std::move(copy));
}

// What has waited and has a window now. True if there was something.
bool Declared::State::send_early() {
    auto sent = false;
    for (auto at = early.begin(); at != early.end();) {
        if (!is_open(at->first)) {
            ++at;
            continue;
        }
        deliver(at->first, at->second);
        copies.erase(at->first);
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
    if (space) pay_debts();
    // Where the file ends inside, memory behind the end must stay as it was: windows do not know that.
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

// What was not taken before comes from the windows, the rest from the file.
Status Declared::State::get_by_windows(Declaration const& declaration, Size from, Size length, std::byte* memory) {
    auto at = from;
    Status status;
    for (auto const& [begin, end] : declaration.dealt_with.missing(from, from + length)) {
        status = first_failure(status, read_directly(declaration.shape, {at, begin}, memory + (at - from)));
        auto const late = take(group(declaration.shape, begin, end, memory + (begin - from)));
        direct_bytes += late;
        if (late > 0) {
            status = first_failure(status, read_directly(declaration.shape, {begin, end}, memory + (begin - from)));
        }
        at = end;
    }
    return first_failure(status, read_directly(declaration.shape, {at, from + length}, memory + (at - from)));
}

Status Declared::State::get_from_file(Declaration const& declaration, Size from, Size length, std::byte* memory) {
    if (space) {
        for (auto const& [begin, end] : declaration.dealt_with.missing(from, from + length)) {
            for (auto const& [window, pieces] : group(declaration.shape, begin, end, memory)) {
                owed[window] += bytes_of(pieces);
            }
        }
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
Size Declared::State::take(Groups const& groups) {
    Size late = 0;
    for (auto const& [window, pieces] : groups) {
        auto const bytes = bytes_of(pieces);
        if (wait_open(window) && rounds[static_cast<std::size_t>(window.domain)] < spoiled) {
            space->get(window.domain, pieces);
            space->add_count(window.domain, slot(window), bytes);
        } else {
            owed[window] += bytes;
            late += bytes;
        }
    }
    return late;
}

// Windows are loaded again only when all that was declared has been taken, one way or the other.
void Declared::State::pay_debts() {
    for (auto at = owed.begin(); at != owed.end();) {
        if (!is_open(at->first)) {
            ++at;
            continue;
        }
        space->add_count(at->first.domain, slot(at->first), at->second);
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
    RankReport numbers;
    Courier courier{session.comm(), session.machine(), numbers};
    auto lists =
        exchange_lists(courier, plan, make_list(Stream::whole(Shape::pieces(std::move(extents)))), {0, plan.rounds});
    auto status = session.quorum().agree(lists.status());
    if (status.ok() && keeper) keeper->expect(std::move(*lists));
    return status;
}

// Collective.
Status Declared::State::finish_write() {
    Size missing = file.size() - dealt_with();
    reduce_all(session.comm(), std::span{&missing, 1}, MPI_SUM);
    Status told;
    if (missing > 0) {
        plan.decisions.push_back({"not put", format_size(missing), "declared, but never handed over"});
        told = tell_what_came();
        if (!told.ok()) return told;
    }
    while (!early.empty() || (keeper && !keeper->done())) {
        auto moved = send_early();
        if (keeper && !keeper->alone()) moved = keeper->step() || moved;
        if (!moved) space->doze(early.empty() ? keeper->domain() : early.begin()->first.domain);
    }
    return keeper ? keeper->finish() : Status{};
}

Result<Size> Declared::State::finish() {
    if (finished) return Status{Code::invalid_argument, "a declaration that is finished already"};
    finished = true;
    auto mine = failure;
    if (space && direction == Direction::write) mine = first_failure(mine, finish_write());
    auto verdict = session.quorum().agree(mine);
    // Nobody reads from windows any more.
    if (space && direction == Direction::read) {
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
    report.hints = list_hints(session.hints());
    report.mine.bytes = bytes;
    report.mine.pieces = file.piece_count();
    report.mine.total_seconds = clock_seconds() - start;
}

Declared::Declared(std::unique_ptr<State> state) : state_{std::move(state)} {}
Declared::Declared(Declared&&) noexcept = default;
Declared& Declared::operator=(Declared&&) noexcept = default;
Declared::~Declared() = default;

Result<Declared> Declared::write(File& file, std::span<Part const> parts) {
    return State::declare(*file.state_->session, Direction::write, parts);
}
Result<Declared> Declared::read(File& file, std::span<Part const> parts) {
    return State::declare(*file.state_->session, Direction::read, parts);
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
