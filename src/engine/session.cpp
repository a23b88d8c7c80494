#include "engine/session.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <limits>

#include "core/environment.hpp"
#include "discovery/file_layout.hpp"
#include "discovery/network.hpp"
#include "discovery/nodes.hpp"
#include "engine/window_space.hpp"
#include "mpi/agree.hpp"
#include "storage/descriptor.hpp"

namespace muster {

namespace {

// Collective. Rank 0 reaches all of an ordinary file; of some sets every rank reaches its own part.
Status on_ranks_that_reach(Session& session, std::function<Status(Storage&)> const& work) {
    Status mine;
    if (session.looks_after_file()) {
        auto storage = session.storage();
        mine = storage ? work(**storage) : storage.status();
    }
    return session.quorum().agree(mine);
}

// Between names and values: text may hold line ends, but not this.
constexpr char separator = '\0';

std::string join_pairs(std::vector<HintPair> const& pairs) {
    std::string text;
    for (auto const& [name, value] : pairs) text += name + separator + value + separator;
    return text;
}

std::vector<HintPair> split_pairs(std::string const& text) {
    std::vector<HintPair> pairs;
    for (std::size_t at = 0; at < text.size();) {
        auto const middle = text.find(separator, at);
        auto const end = middle == text.npos ? text.npos : text.find(separator, middle + 1);
        if (end == text.npos) break;
        pairs.emplace_back(text.substr(at, middle - at), text.substr(middle + 1, end - middle - 1));
        at = end + 1;
    }
    return pairs;
}

Status check_separable(std::vector<HintPair> const& pairs) {
    for (auto const& [name, value] : pairs) {
        if (value.find(separator) != value.npos) return {Code::invalid_hint, name + " holds a zero byte"};
    }
    return {};
}

// Who accesses a file alone, among others, stores just its own bytes unless it is told otherwise: the others do not wait meanwhile, and some
// write into the holes in ways that know no locks.
HolePolicy hole_policy_for(Comm const& comm, Hints const& hints) {
    int processes = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    auto const among_others = comm.size == 1 && processes > 1;
    auto const untold = hints.hole_writes == Hints{}.hole_writes;
    return {among_others && untold ? HolePolicy::any_number : hints.hole_writes, hints.file_lock != Toggle::off};
}

// What rank 0 found when it opened the file, in numbers: of each the largest of all ranks counts, and the others have none.
enum Finding : std::size_t {
    failed,
    index_length,
    replaced_length,  // of the index of a set that was replaced, where other nodes may have pieces of it
    stripe_size,
    stripe_count,
    block_size,
    origin,
    inode,
    index_words
};
using Findings = std::array<Size, Quorum::votes>;

// The index of a set of pieces, as far as it goes into the numbers that are left.
constexpr auto most_index = (Quorum::votes - index_words) * sizeof(Size);
void note(Findings& found, std::string const& index) {
    found[index_length] = static_cast<Size>(index.size());
    if (!index.empty() && index.size() <= most_index) {
        std::fill(found.begin() + index_words, found.end(), 0);
        std::memcpy(&found[index_words], index.data(), index.size());
    }
}
// Collective where it is longer than that, else local.
std::string index_in(Comm const& comm, Findings const& found, std::string index) {
    if (static_cast<std::size_t>(found[index_length]) > most_index) return broadcast(comm, std::move(index), 0);
    index.resize(static_cast<std::size_t>(found[index_length]));
    std::memcpy(index.data(), &found[index_words], index.size());
    return index;
}

// A word of up to 7 letters.
Size number_of(std::string const& word) {
    Size number = 0;
    std::memcpy(&number, word.data(), std::min(word.size(), sizeof number - 1));
    return number;
}
std::string word_of(Size number) {
    std::array<char, sizeof number + 1> word{};
    std::memcpy(word.data(), &number, sizeof number);
    return word.data();
}

void note(Findings& found, FileLayout const& layout) {
    found[stripe_size] = layout.stripe_size;
    found[stripe_count] = layout.stripe_count;
    found[block_size] = layout.block_size;
    found[origin] = number_of(layout.origin);
}
FileLayout layout_in(Findings const& found) {
    return {found[stripe_size], static_cast<int>(found[stripe_count]), found[block_size], word_of(found[origin])};
}

constexpr auto under_way = "a declaration of the file is not finished yet: it stays open";

// Collective. The nodes that the hints ask for.
Machine machine_for(Context const& context, Hints const& hints) {
    if (hints.ranks_per_node > 0) return block_machine(context.comm.size, hints.ranks_per_node);
    if (hints.numa_nodes == Toggle::on) return discover_numa_domains(context.comm, context.machine);
    return context.machine;
}

}  // namespace

Session::Session() = default;
Session::~Session() = default;

bool Session::is_busy(Status const& status) {
    return status.code() == Code::invalid_argument && status.message().find(under_way) != std::string::npos;
}

Result<std::unique_ptr<Session>> Session::open(MPI_Comm comm, SessionOptions options) {
    std::unique_ptr<Session> session{new Session};
    session->context_ = context_of(comm);
    session->options_ = std::move(options);
    session->place_ = whole_path(session->path());
    auto const& everyone = session->comm();
    auto& context = *session->context_;
    session->quorum_ = quorum_of(comm);
    if (auto status = session->agree_on_hints(); !status.ok()) return status;
    auto const& hints = session->hints_;
    session->hole_policy_ = hole_policy_for(everyone, hints);
    watchdog() = {hints.watchdog, everyone.rank};
    if (auto status = session->learn_machine(); !status.ok()) return status;
    session->windows.draw_from([own = session.get()](Size size) { return own->tiers.allocate(size); });
    if (session->machine_.node_count() == 1 && context.share) session->share_ = &*context.share;
    session->quorum_ = quorum_on(context, session->machine_);
    if (auto status = session->find_file(); !status.ok()) return status;
    session->options_.open.create = session->options_.open.exclusive = session->options_.open.truncate = false;
    session->layout_ = apply_layout_hints(session->layout_, hints);
    return session;
}

// Collective. Nodes as MPI or the hints say; a network that is described is not looked for.
Status Session::learn_machine() {
    auto described = described_machine(comm(), machine_for(*context_, hints_), hints_.machine);
    if (!described) return described.status();
    machine_ = std::move(described->machine);
    if (!described->origin.empty() || machine_.node_count() < 2) return {};
    auto const& found = networked(*context_, machine_, hints_.fabric_seconds);
    machine_ = found.machine;
    if (!found.origin.empty()) {
        hint_notes_.push_back(
            {"network", std::to_string(machine_.network.places()) + " places", "as told by " + found.origin});
    }
    return {};
}

Status Session::resolve_hints() {
    if (options_.plain) return {};
    hints_ = options_.hints;
    auto status = set_hints(hints_, options_.pairs, &hint_notes_);
    if (status.ok()) status = read_environment(hints_, &hint_notes_);
    if (status.ok() && hints_ != Hints{}) status = check_separable(listed_hints(hints_));
    if (!status.ok()) return status;
    auto faults = parse_faults(hints_.faults);
    if (faults) faults_ = std::move(*faults);
    return faults.status();
}

// Collective. Rank 0's hints become everybody's, so that no rank decides differently. As a rule all have the same, and one
// vote tells.
Status Session::agree_on_hints() {
    auto const named = path().empty() ? Status{Code::invalid_argument, "a file needs a name"} : Status{};
    auto const mine = first_failure(named, resolve_hints());
    auto const plain = hints_ == Hints{};
    auto const text = mine.ok() && !plain ? join_pairs(changed_hints(listed_hints(hints_))) : std::string{};
    auto const mark = static_cast<Size>(std::hash<std::string>{}(text) >> 2);
    Findings ballots{mine.ok() ? 0 : comm().size - comm().rank, mark, -mark};
    quorum_.vote(ballots, 3);
    if (ballots[0] != 0) return share_failure(comm(), mine, comm().size - static_cast<Rank>(ballots[0]));
    if (ballots[1] != -ballots[2]) {
        return take_hints(broadcast(comm(), text, 0));
    }
    return plain ? Status{} : take_hints(text);
}

// Local. As they are on all ranks; values that a program has set in its code are looked at here.
Status Session::take_hints(std::string const& text) {
    Hints taken;
    auto status = set_hints(taken, split_pairs(text));
    hints_ = std::move(taken);
    if (auto faults = parse_faults(hints_.faults); faults) faults_ = std::move(*faults);
    return status;
}

// Local, on rank 0; the set that was replaced. Its pieces go when the file that takes their place is open: whoever is refused leaves
// them alone.
Result<std::optional<SubfileIndex>> Session::open_what_is_there() {
    auto found = look_for_subfiles(subfiling());
    if (!found) return found.status();
    subfiles_ = std::move(found->set);
    auto status = options_.inode != 0 ? go_to(options_.inode) : Status{};
    if (status.ok()) status = open_storage(options_.open);
    auto const gone = status.ok() || subfiles_;  // the index that led to them
    if (gone && found->replaced) remove_pieces(place_, *found->replaced);
    return status.ok() ? std::move(found->replaced) : Result<std::optional<SubfileIndex>>{std::move(status)};
}

// Collective. Rank 0 has removed what it sees; the first rank of each other node does so there.
void Session::remove_elsewhere(std::string const& index) {
    auto const set = parse_subfile_index(broadcast(comm(), index, 0));
    auto const node = static_cast<std::size_t>(machine_.node_of[static_cast<std::size_t>(comm().rank)]);
    auto const first = machine_.ranks_by_node()[node].front() == comm().rank;
    if (set && first && comm().rank != 0) remove_pieces(place_, *set);
}

// Collective. Rank 0 looks what is there, and opens it at once; one vote tells the others.
Status Session::find_file() {
    Findings found{};
    found.fill(std::numeric_limits<Size>::min());
    Status mine;
    std::string index, replaced;
    if (comm().rank == 0) {
        auto opened = open_what_is_there();
        mine = opened.status();
        if (opened && *opened && !subfiling().all_see(**opened)) replaced = (*opened)->text();
        if (subfiles_) index = subfiles_->text();
        found[failed] = mine.ok() ? 0 : 1;
        note(found, mine.ok() && !subfiles_ ? discover_layout(path()) : FileLayout{});
        note(found, index);
        found[replaced_length] = static_cast<Size>(replaced.size());
        found[inode] = subfiles_ ? 0 : inode_of(place_);
    }
    quorum_.vote(found, found.size());
    if (found[failed] != 0) return share_failure(comm(), mine, 0);
    if (found[replaced_length] != 0) remove_elsewhere(replaced);
    layout_ = layout_in(found);
    inode_ = found[inode];
    return found[index_length] != 0 ? open_set(index_in(comm(), found, std::move(index))) : Status{};
}

// Collective. A file that is, or is to be, a set of pieces.
Status Session::open_set(std::string const& index) {
    auto set = parse_subfile_index(index);
    if (!set) return set.status();
    subfiles_ = std::move(*set);
    auto hints = hints_for_subfiles(subfiling(), *subfiles_);
    if (!hints) return hints.status();
    hints_ = std::move(*hints);
    // Rank 0 has opened it before it was known who sees what.
    if (!all_reach_file()) storage_.reset();
    return {};
}

void Session::use_tier(std::string const& name) {
    if (name == tier_name_) return;
    tier_name_ = name;
    windows.clear();
    tiers = TierStack{machine_.tiers, name};
}

std::vector<Decision> Session::tier_decisions() const {
    std::vector<Decision> decisions;
    if (!tiers.plain() && !tiers.last().empty())
        decisions.push_back({"tier", tiers.last(), "of the windows of this rank"});
    for (auto const& note : tiers.notes()) decisions.push_back({"tier", "passed over", note});
    auto const moved = storage_ ? storage_->notes() : std::vector<std::string>{};
    for (auto const& note : moved) decisions.push_back({"directory of pieces", "passed over", note});
    return decisions;
}

// Local. The name may be another file's by now, or nobody's.
Status Session::go_to(Size inode) {
    if (subfiles_ || inode_of(place_) == inode) return {};
    auto open = find_descriptor(place_, inode);
    if (open.empty()) return {Code::not_found, "the name " + path() + " leads elsewhere by now"};
    place_ = std::move(open);
    return {};
}

Result<Storage*> Session::storage() {
    if (!storage_) {
        if (auto status = go_to(inode_); !status.ok()) return status;
        if (auto status = open_storage(options_.open); !status.ok()) return status;
    }
    return static_cast<Storage*>(storage_.get());
}

Status Session::open_storage(OpenOptions const& options) {
    if (auto status = open_fault(faults_, comm().rank, ++openings_); !status.ok()) return status;
    auto opened = subfiles_ ? open_subfiles(place_, *subfiles_, options, piece_access()) : open_posix(place_, options);
    if (!opened) return opened.status();
    auto const pieces_fail = subfiles_ && !subfiles_->directory.empty();
    storage_ = std::make_unique<CountingStorage>(pieces_fail ? std::move(*opened)
                                                             : inject_faults(std::move(*opened), faults_, comm().rank));
    return {};
}

// Faults hit pieces in a directory of their own, which stands for a device of the node.
PieceAccess Session::piece_access() const {
    auto const with_faults = [faults = faults_, rank = comm().rank](std::unique_ptr<Storage> piece) {
        return inject_faults(std::move(piece), faults, rank);
    };
    return {reachable_pieces(subfiling(), *subfiles_), with_faults};
}

// Collective. Nobody has a declaration under way any more: all have dropped the same ones.
void Session::close_abandoned() {
    for (auto& [number, space] : abandoned) space->close();
    abandoned.clear();
}

// Where a rank has a declaration under way, the file stays open on all of them.
Status Session::close() {
    auto const busy = declarations > 0 ? Status{Code::invalid_argument, under_way} : Status{};
    auto const mine = busy.ok() && storage_ ? storage_->close() : busy;
    if (busy.ok()) storage_.reset();
    auto status = quorum_.agree(mine);
    if (is_busy(status)) return status;
    close_abandoned();
    if (subfiles_ && options_.open.mode != AccessMode::read && !options_.delete_on_close) {
        status = first_failure(status, close_subfiling(subfiling(), *subfiles_));
    }
    if (!options_.delete_on_close) return status;
    if (subfiles_) remove_pieces(place_, *subfiles_);
    auto const removed =
        comm().rank != 0 || unlink(place_.c_str()) == 0 ? Status{} : system_status(errno, "cannot delete " + path());
    return first_failure(status, quorum_.agree(removed));
}

// Where a rank sees only some of the pieces, the one that sees the last byte knows.
Result<Size> Session::size() {
    auto const seen = looks_after_file() ? own_size() : Result<Size>{Size{0}};
    if (auto status = quorum_.agree(seen.status()); !status.ok()) return status;
    std::array<Size, Quorum::votes> ballots{*seen};
    quorum_.vote(ballots, 1);
    return ballots[0];
}

Result<Size> Session::own_size() {
    auto opened = storage();
    return opened ? (*opened)->size() : opened.status();
}

Status Session::resize(Size size) {
    return on_ranks_that_reach(*this, [&](Storage& storage) { return storage.resize(size); });
}

Status Session::reserve(Size size) {
    return on_ranks_that_reach(*this, [&](Storage& storage) { return storage.reserve(size); });
}

Status Session::sync() { return quorum_.agree(sync_own()); }

}  // namespace muster
