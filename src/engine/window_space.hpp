// Windows of aggregators that other ranks fill and empty by themselves, one-sidedly: in shared memory on one node, else in
// MPI windows.
#pragma once

#include <memory>
#include <vector>

#include "engine/session.hpp"

namespace muster {

// Contiguous bytes between this rank's memory and a domain's windows.
struct Placed {
    Offset place{0};  // behind the first window of the domain
    std::byte* memory{nullptr};
    Size length{0};
};

class WindowSpace {
public:
    struct Layout {
        int domains{1};
        int windows{2};  // of each domain
        Size window{1};  // bytes
        int own{-1};     // the domain of this rank
        std::vector<Rank> aggregators;
        std::string tier{};  // memory that the windows should lie in; empty: plain
    };

    // Collective. In shared memory where all ranks are on one node and it is to be had, else by MPI.
    static Result<std::unique_ptr<WindowSpace>> make(Session& session, Layout layout);
    virtual ~WindowSpace() = default;
    // Collective. Nobody may use it any more.
    virtual void close() {}

    // When they return, the bytes have arrived.
    virtual void put(int domain, std::span<Placed const> pieces) = 0;
    virtual void get(int domain, std::span<Placed const> pieces) = 0;

    // Numbers of a domain that all may look at: how far its aggregator is, and a count for each window.
    virtual Size rounds(int domain) = 0;
    virtual void add_rounds(Size amount) = 0;  // own domain
    virtual Size count(int domain, int window) = 0;
    virtual void add_count(int domain, int window, Size amount) = 0;
    // Sleeps until something of the domain has changed, but only for a moment.
    virtual void doze(int domain) = 0;

    // Own domain: what a window holds.
    virtual std::span<std::byte> window(int index) = 0;
    // A thread of its own may look after the windows, without MPI.
    virtual bool autonomous() const = 0;
    virtual char const* name() const = 0;

    Layout const& layout() const { return layout_; }
    // Where the window of a round begins, behind the first window of the domain.
    Offset place_of(Size round) const { return round % layout_.windows * stride(); }

    static constexpr Size page = 4096;

protected:
    explicit WindowSpace(Layout layout) : layout_{std::move(layout)} {}
    Size stride() const { return (layout_.window + page - 1) / page * page; }
    Layout layout_;
};

}  // namespace muster
