#include "exchange/window_end.hpp"

#include "access/copy.hpp"

namespace muster {

WindowEnd::WindowEnd(Party const& party, Passage const& passage, std::span<std::byte> window)
    : party_{party},
      id_{party.domain(), passage.round},
      window_{window},
      staging_{party.staging, party.itinerary.contributors.size()} {
    if (!passage.serves(party.domain())) return;
    for (auto const* contributor : party.itinerary.contributors) {
        auto const load = load_of(*contributor);
        if (load.bytes > 0) loads_.push_back(load);
    }
}

WindowEnd::Load WindowEnd::load_of(Contributor const& contributor) const {
    Load load{&contributor, 0, nullptr};
    int cuts = 0;
    for_each_cut(party_.plan.domains, contributor.stream, id_, [&](Stream const& cut, Offset place) {
        load.bytes += cut.size();
        auto const single = ++cuts == 1 && cut.piece_count() == 1;
        load.in_window = single ? window_.data() + cut.bounds().offset + place : nullptr;
    });
    return load;
}

template <class Visitor>
void WindowEnd::copy_load(std::size_t load, Visitor visitor) const {
    auto const lap = party_.watch.phase(Phase::assemble);
    auto* staged = staging_.of(load).data();
    for_each_cut(party_.plan.domains, loads_[load].from->stream, id_, [&](Stream const& cut, Offset place) {
        visitor.window.start = -place;
        zip(cut, staged, visitor);
        staged += cut.size();
    });
}

std::span<std::byte> WindowEnd::room_for(std::size_t load) {
    auto const bytes = static_cast<std::size_t>(loads_[load].bytes);
    if (loads_[load].in_window != nullptr) return {loads_[load].in_window, bytes};
    return staging_.take(load, bytes);
}

std::vector<Rank> WindowEnd::peers() const {
    std::vector<Rank> ranks;
    for (auto const& load : loads_) ranks.push_back(load.from->rank);
    return ranks;
}

// Not always: ranks may access the same bytes.
bool WindowEnd::fits_at_once() const {
    Size staged = 0;
    for (auto const& load : loads_) staged += load.in_window == nullptr ? load.bytes : 0;
    return staged <= static_cast<Size>(party_.staging.size());
}

Lane WindowEnd::receiving() {
    auto const unload = [this](std::size_t i) {
        if (loads_[i].in_window != nullptr) return;
        copy_load(i, PlaceInWindow{{window_}});
        staging_.give_back(i);
    };
    return {peers(), [this](std::size_t i) { return room_for(i); }, unload, fits_at_once()};
}

Lane WindowEnd::sending() {
    auto const load = [this](std::size_t i) {
        auto const room = room_for(i);
        if (!room.empty() && loads_[i].in_window == nullptr) copy_load(i, FetchFromWindow{{window_}});
        return room;
    };
    return {peers(), load, [this](std::size_t i) { staging_.give_back(i); }, fits_at_once()};
}

}  // namespace muster
