// Windows of aggregators that other ranks fill and empty by themselves, one-sidedly: in shared memory on one node, else in
// MPI windows.
#pragma once

#include <memory>
#include <vector>

#include "core/fingerprint.hpp"
#include "engine/session.hpp"

namespace muster {

// Contiguous bytes between this rank's memory and a domain's windows.
struct Placed {
    Offset place{0};  // behind the first window of the domain
    std::byte* memory{nullptr};
    Size length{0};
};

// What a rank, or all of them together, have in a window.
struct WindowShare {
    Size bytes{0};
    Fingerprint::Lanes lanes{};  // of the extents
};

class WindowSpace {
public:
    struct Layout {
        int domains{1};
        int windows{2};  // of each domain
        Size window{1};  // bytes
        Size rounds{0};
        int own{-1};  // the domain of this rank
        std::vector<Rank> aggregators;
        std::string tier{};  // memory that the windows should lie in; empty: plain
    };

    // Collective. In shared memory where all ranks are on one node and it is to be had, else by MPI.
    static Result<std::unique_ptr<WindowSpace>> make(Session& session, Layout layout);
    virtual ~WindowSpace() = default;
    // Collective. Nobody may use it any more.
    virtual void close() {}
    // Whether it must be closed: memory goes by itself.
    virtual bool outlives_its_users() const { return false; }

    // When they return, the bytes have arrived.
    virtual void put(int domain, std::span<Placed const> pieces) = 0;
    virtual void get(int domain, std::span<Placed const> pieces) = 0;
    // The first window of a domain, where it lies in this rank's own memory: then neither is needed.
    virtual std::byte* reach(int) const { return nullptr; }

    // Whether what the ranks have can be added up without a message.
    virtual bool adds_up() const { return false; }
    // Collective, once. What the ranks have in each window together, in the order of index_of.
    virtual std::vector<WindowShare> add_up(std::span<WindowShare const>) { return {}; }
    // Less than that will come.
    virtual void forget_sums() {}
    std::size_t index_of(int domain, Size round) const {
        return static_cast<std::size_t>(round * layout_.domains + domain);
    }

    // Numbers of a domain that all may look at: how far its aggregator is, and a count for the window of each round.
    virtual Size rounds(int domain) = 0;
    virtual void add_rounds(Size amount) = 0;  // own domain
    virtual Size count(int domain, Size round) = 0;
    virtual void add_count(int domain, Size round, Size amount) = 0;
    // Sleeps until something of the domain has changed since the look, but only for a moment.
    virtual std::uint32_t look(int) { return 0; }
    virtual void doze(int domain, std::uint32_t seen) = 0;

    // Own domain: what a round's window holds.
    virtual std::span<std::byte> window(Size round) = 0;
    // A thread of its own may look after the windows, without MPI.
    virtual bool autonomous() const = 0;
    virtual char const* name() const = 0;

    Layout const& layout() const { return layout_; }
    // Where the window of a round begins, behind the first window of the domain.
    Offset place_of(Size round) const { return slot(round) * stride(); }

    static constexpr Size page = 4096;

protected:
    explicit WindowSpace(Layout layout) : layout_{std::move(layout)} {}
    Size stride() const { return (layout_.window + page - 1) / page * page; }
    Size slot(Size round) const { return round % layout_.windows; }
    Layout layout_;
};

}  // namespace muster
