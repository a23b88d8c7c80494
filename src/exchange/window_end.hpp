// An aggregator's end of a round: what the other ranks have in its window, one message each.
#pragma once

#include "exchange/party.hpp"
#include "exchange/staging.hpp"

namespace muster {

class WindowEnd {
public:
    // On ranks whose window is not served in this passage, and on those that are no aggregators, the lanes are empty.
    WindowEnd(Party const& party, Passage const& passage, std::span<std::byte> window);

    // They refer to this object.
    Lane receiving();  // write: each piece is placed on arrival
    Lane sending();    // read: pieces are taken when due

private:
    // A contributor's bytes in the window.
    struct Load {
        Contributor const* from{nullptr};
        Size bytes{0};
        std::byte* in_window{nullptr};  // where all of it lies in one piece; else it goes through staging
    };

    Load load_of(Contributor const& contributor) const;
    std::span<std::byte> room_for(std::size_t load);
    // Between staging and the window, by a visitor of zip with a window.
    template <class Visitor>
    void copy_load(std::size_t load, Visitor visitor) const;
    std::vector<Rank> peers() const;
    bool fits_at_once() const;

    Party const& party_;
    WindowId id_;
    std::span<std::byte> window_;
    std::vector<Load> loads_;
    Staging staging_;
};

}  // namespace muster
