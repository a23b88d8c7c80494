#include "engine/session.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <functional>

#include "core/environment.hpp"
#include "discovery/file_layout.hpp"
#include "discovery/network.hpp"
#include "discovery/nodes.hpp"
#include "mpi/agree.hpp"

namespace muster {

namespace {

// Collective. Runs `work` on rank 0; its outcome for all.
Status on_first_rank(Session& session, std::function<Status(Storage&)> const& work) {
    Status mine;
    if (session.comm().rank == 0) {
        auto storage = session.storage();
        mine = storage ? work(**storage) : storage.status();
    }
    return agree(session.comm(), mine);
}

std::string join_pairs(std::vector<HintPair> const& pairs) {
    std::string text;
    for (auto const& [name, value] : pairs) text += name + '\n' + value + '\n';
    return text;
}

std::vector<HintPair> split_pairs(std::string const& text) {
    std::vector<HintPair> pairs;
    for (std::size_t at = 0; at < text.size();) {
        auto const middle = text.find('\n', at);
        auto const end = text.find('\n', middle + 1);
        pairs.emplace_back(text.substr(at, middle - at), text.substr(middle + 1, end - middle - 1));
        at = end + 1;
    }
    return pairs;
}

// Collective. What rank 0 found out, for all.
FileLayout share_layout(Comm const& comm, FileLayout const& found) {
    std::array<Size, 3> numbers{found.stripe_size, found.stripe_count, found.block_size};
    broadcast(comm, std::as_writable_bytes(std::span{numbers}), 0);
    return {numbers[0], static_cast<int>(numbers[1]), numbers[2], broadcast(comm, found.origin, 0)};
}

// Collective. The nodes that the hints ask for.
Machine machine_for(Context const& context, Hints const& hints) {
    if (hints.ranks_per_node > 0) return block_machine(context.comm.size, hints.ranks_per_node);
    if (hints.numa_nodes == Toggle::on) return discover_numa_domains(context.comm, context.machine);
    return context.machine;
}

}  // namespace

Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::open(MPI_Comm comm, SessionOptions options) {
    std::unique_ptr<Session> session{new Session};
    session->context_ = context_of(comm);
    session->options_ = std::move(options);
    auto const& everyone = session->comm();
    auto const named = session->path().empty() ? Status{Code::invalid_argument, "a file needs a name"} : Status{};
    auto const mine = first_failure(named, session->resolve_hints());
    if (auto status = agree(everyone, mine); !status.ok()) return status;
    if (auto status = session->share_hints(); !status.ok()) return status;
    auto const& hints = session->hints_;
    watchdog() = {hints.watchdog, everyone.rank};
    auto& context = *session->context_;
    auto machine = described_machine(everyone, machine_for(context, hints), hints.machine);
    if (!machine) return machine.status();
    session->machine_ = std::move(*machine);
    session->windows.draw_from([own = session.get()](Size size) { return own->tiers.allocate(size); });
    if (session->machine_.node_count() == 1 && context.share) session->share_ = &*context.share;
    session->quorum_ = {everyone, session->share_ != nullptr ? &session->share_->board() : nullptr};
    if (auto status = session->find_subfiles(); !status.ok()) return status;
    auto const first = everyone.rank == 0 ? session->open_storage(session->options_.open) : Status{};
    if (auto status = agree(everyone, first); !status.ok()) return status;
    session->options_.open.create = session->options_.open.exclusive = session->options_.open.truncate = false;
    auto layout = everyone.rank == 0 ? discover_layout(session->path()) : FileLayout{};
    session->layout_ = apply_layout_hints(share_layout(everyone, layout), hints);
    return session;
}

Status Session::resolve_hints() {
    hints_ = options_.hints;
    auto status = set_hints(hints_, options_.pairs, &hint_notes_);
    if (status.ok()) status = read_environment(hints_, &hint_notes_);
    if (!status.ok()) return status;
    auto faults = parse_faults(hints_.faults);
    if (faults) faults_ = std::move(*faults);
    return faults.status();
}

// Collective. Rank 0's hints become everybody's, so that no rank decides differently.
Status Session::share_hints() {
    auto const text = broadcast(comm(), comm().rank == 0 ? join_pairs(list_hints(hints_)) : std::string{}, 0);
    Hints shared;
    auto status = set_hints(shared, split_pairs(text));
    hints_ = std::move(shared);
    if (auto faults = parse_faults(hints_.faults); faults) faults_ = std::move(*faults);
    return status;
}

// Collective. Whether the file is, or is to be, a set of pieces.
Status Session::find_subfiles() {
    auto found = open_subfiling(subfiling());
    if (!found) return found.status();
    subfiles_ = std::move(*found);
    if (!subfiles_) return {};
    auto hints = hints_for_subfiles(subfiling(), *subfiles_);
    if (hints) hints_ = std::move(*hints);
    return hints.status();
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
    return decisions;
}

Result<Storage*> Session::storage() {
    if (!storage_) {
        if (auto status = open_storage(options_.open); !status.ok()) return status;
    }
    return static_cast<Storage*>(storage_.get());
}

Status Session::open_storage(OpenOptions const& options) {
    if (auto status = open_fault(faults_, comm().rank, ++openings_); !status.ok()) return status;
    auto opened = subfiles_ ? open_subfiles(path(), *subfiles_, options) : open_posix(path(), options);
    if (!opened) return opened.status();
    storage_ = std::make_unique<CountingStorage>(inject_faults(std::move(*opened), faults_, comm().rank));
    return {};
}

Status Session::close() {
    auto const mine = storage_ ? storage_->close() : Status{};
    storage_.reset();
    auto status = agree(comm(), mine);
    if (subfiles_ && options_.open.mode != AccessMode::read && !options_.delete_on_close) {
        status = first_failure(status, close_subfiling(subfiling(), *subfiles_));
    }
    if (!options_.delete_on_close) return status;
    if (subfiles_) remove_pieces(path(), *subfiles_);
    auto const removed =
        comm().rank != 0 || unlink(path().c_str()) == 0 ? Status{} : system_status(errno, "cannot delete " + path());
    return first_failure(status, agree(comm(), removed));
}

Result<Size> Session::size() {
    Size found = 0;
    auto const status = on_first_rank(*this, [&](Storage& storage) {
        auto size = storage.size();
        if (size) found = *size;
        return size.status();
    });
    if (!status.ok()) return status;
    broadcast(comm(), std::as_writable_bytes(std::span{&found, 1}), 0);
    return found;
}

Status Session::resize(Size size) {
    return on_first_rank(*this, [&](Storage& storage) { return storage.resize(size); });
}

Status Session::reserve(Size size) {
    return on_first_rank(*this, [&](Storage& storage) { return storage.reserve(size); });
}

Status Session::sync() { return agree(comm(), sync_own()); }

}  // namespace muster
