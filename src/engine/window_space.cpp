#include "engine/window_space.hpp"

#include <cstring>
#include <optional>

#include "core/copy.hpp"
#include "engine/shared_space.hpp"
#include "mpi/agree.hpp"
#include "mpi/datatype.hpp"

namespace muster {

namespace {

constexpr Size page = WindowSpace::page;

Size round_up(Size value) { return (value + page - 1) / page * page; }

// --- MPI windows: the numbers first, then the windows ---

constexpr Size longest_transfer = Size{1} << 30;

// Pieces as a type; none is longer than an int can say.
Datatype type_of(std::span<Placed const> pieces) {
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    for (auto const& piece : pieces) {
        lengths.push_back(static_cast<int>(piece.length));
        places.push_back(static_cast<MPI_Aint>(piece.place));
    }
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), MPI_BYTE, &made);
    MPI_Type_commit(&made);
    return Datatype{made};
}

class RemoteSpace final : public WindowSpace {
public:
    explicit RemoteSpace(Layout layout) : WindowSpace{std::move(layout)} {}

    // Collective. In a tier where one was asked for and the MPI can expose it, else in memory of the MPI's own choice.
    Status open(Session& session) {
        auto const& comm = session.comm();
        auto const size = layout_.own < 0 ? 0 : windows_at() + round_up(layout_.window) * layout_.windows;
        MPI_Errhandler usual = MPI_ERRHANDLER_NULL;
        MPI_Comm_get_errhandler(comm.handle, &usual);
        MPI_Comm_set_errhandler(comm.handle, MPI_ERRORS_RETURN);
        auto status = layout_.tier.empty() ? allocate(comm, size) : expose_or_allocate(session, size);
        MPI_Comm_set_errhandler(comm.handle, usual);
        MPI_Errhandler_free(&usual);
        if (!status.ok()) return status;
        if (size > 0) std::memset(memory_, 0, static_cast<std::size_t>(windows_at()));
        reachable_.emplace();
        MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
        MPI_Win_sync(window_);
        barrier(comm);
        return {};
    }
    void close() override {
        MPI_Win_unlock_all(window_);
        MPI_Win_free(&window_);
        reachable_.reset();
    }

    bool outlives_its_users() const override { return true; }

    void put(int domain, std::span<Placed const> pieces) override {
        for_each_batch(pieces, [&](std::span<Placed const> batch, Size bytes) {
            packed_.resize(static_cast<std::size_t>(bytes));
            auto* out = packed_.data();
            for (auto const& piece : batch) {
                copy_small(out, piece.memory, piece.length);
                out += piece.length;
            }
            auto const type = type_of(batch);
            MPI_Put(packed_.data(), static_cast<int>(bytes), MPI_BYTE, owner(domain), windows_at(), 1, type.get(),
                    window_);
            MPI_Win_flush(owner(domain), window_);
        });
    }
    void get(int domain, std::span<Placed const> pieces) override {
        for_each_batch(pieces, [&](std::span<Placed const> batch, Size bytes) {
            packed_.resize(static_cast<std::size_t>(bytes));
            auto const type = type_of(batch);
            MPI_Get(packed_.data(), static_cast<int>(bytes), MPI_BYTE, owner(domain), windows_at(), 1, type.get(),
                    window_);
            MPI_Win_flush(owner(domain), window_);
            auto const* in = packed_.data();
            for (auto const& piece : batch) {
                copy_small(piece.memory, in, piece.length);
                in += piece.length;
            }
        });
    }

    Size rounds(int domain) override { return fetch(domain, 0); }
    void add_rounds(Size amount) override {
        MPI_Win_sync(window_);
        add(layout_.own, 0, amount);
    }
    Size count(int domain, Size round) override {
        auto const value = fetch(domain, 1 + slot(round));
        if (domain == layout_.own) MPI_Win_sync(window_);
        return value;
    }
    void add_count(int domain, Size round, Size amount) override { add(domain, 1 + slot(round), amount); }
    void doze(int, std::uint32_t) override { patience_.pause(); }
    std::span<std::byte> window(Size round) override {
        return {memory_ + windows_at() + place_of(round), static_cast<std::size_t>(layout_.window)};
    }
    bool autonomous() const override { return false; }
    char const* name() const override { return "MPI windows"; }

private:
    // Collective.
    Status allocate(Comm const& comm, Size size) {
        auto const error = MPI_Win_allocate(static_cast<MPI_Aint>(size), 1, MPI_INFO_NULL, comm.handle,
                                            static_cast<void*>(&memory_), &window_);
        if (error == MPI_SUCCESS) return agree(comm, {});
        return agree(comm, {Code::unsupported, "the MPI has no windows here (" + error_text(error) + ")"});
    }
    // Collective. Not every MPI can expose memory that it has not allocated itself.
    Status expose(Session& session, Size size) {
        auto buffer = session.tiers.allocate(size);
        if (buffer) buffer_ = std::move(*buffer);
        memory_ = buffer_.data();
        auto const error = MPI_Win_create(memory_, static_cast<MPI_Aint>(buffer_.size()), 1, MPI_INFO_NULL,
                                          session.comm().handle, &window_);
        auto const exposed =
            error == MPI_SUCCESS ? Status{} : Status{Code::unsupported, "this MPI cannot expose memory of a tier"};
        return agree(session.comm(), first_failure(buffer.status(), exposed));
    }
    Status expose_or_allocate(Session& session, Size size) {
        auto const exposed = expose(session, size);
        if (exposed.ok()) return exposed;
        session.tiers.note(layout_.tier + ": " + exposed.message());
        if (window_ != MPI_WIN_NULL) MPI_Win_free(&window_);
        buffer_ = Buffer{};
        return allocate(session.comm(), size);
    }

    Rank owner(int domain) const { return layout_.aggregators[static_cast<std::size_t>(domain)]; }
    MPI_Aint windows_at() const {
        return static_cast<MPI_Aint>(round_up(static_cast<Size>(sizeof(Size)) * (layout_.windows + 1)));
    }

    Size fetch(int domain, Size word) {
        Size const nothing = 0;
        Size value = 0;
        MPI_Fetch_and_op(&nothing, &value, MPI_INT64_T, owner(domain), word * MPI_Aint{sizeof(Size)}, MPI_NO_OP,
                         window_);
        MPI_Win_flush(owner(domain), window_);
        return value;
    }
    void add(int domain, Size word, Size amount) {
        MPI_Accumulate(&amount, 1, MPI_INT64_T, owner(domain), word * MPI_Aint{sizeof(Size)}, 1, MPI_INT64_T, MPI_SUM,
                       window_);
        MPI_Win_flush(owner(domain), window_);
        patience_.reset();
    }

    // As many pieces at a time as an int can count the bytes of.
    template <class Move>
    void for_each_batch(std::span<Placed const> pieces, Move&& move) {
        std::vector<Placed> batch;
        Size bytes = 0;
        for (auto piece : pieces) {
            while (piece.length > 0) {
                auto const length = std::min(piece.length, longest_transfer - bytes);
                batch.push_back({piece.place, piece.memory, length});
                bytes += length;
                piece = {piece.place + length, piece.memory + length, piece.length - length};
                if (bytes < longest_transfer) continue;
                move(std::span<Placed const>{batch}, bytes);
                batch.clear();
                bytes = 0;
            }
        }
        if (bytes > 0) move(std::span<Placed const>{batch}, bytes);
    }

    Buffer buffer_;  // of a tier
    std::byte* memory_{nullptr};
    MPI_Win window_{MPI_WIN_NULL};
    std::vector<std::byte> packed_;
    Patience patience_;
    std::optional<Reachable> reachable_;  // while it is open
};

// Collective.
Result<std::unique_ptr<WindowSpace>> make_remote(Session& session, WindowSpace::Layout layout) {
    auto space = std::make_unique<RemoteSpace>(std::move(layout));
    if (auto status = space->open(session); !status.ok()) return status;
    return std::unique_ptr<WindowSpace>{std::move(space)};
}

}  // namespace

Result<std::unique_ptr<WindowSpace>> WindowSpace::make(Session& session, Layout layout) {
    session.use_tier(layout.tier);
    auto const shared = session.share() != nullptr && session.hints().shared_memory != Toggle::off;
    auto space = shared ? SharedSpace::make(session, layout)
                        : Result<std::unique_ptr<WindowSpace>>{Status{Code::unsupported, "no node in common"}};
    return space ? std::move(space) : make_remote(session, std::move(layout));
}

}  // namespace muster
