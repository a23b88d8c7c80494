#include "exchange/rounds.hpp"

#include "access/copy.hpp"
#include "exchange/window_end.hpp"

namespace muster {

namespace {

// The same with what this rank has gathered.
template <class Visitor>
void copy_gathered(Party const& party, Passage const& passage, Visitor visitor) {
    auto* memory = passage.gathered->window(party.domain());
    for_each_cut(party.plan.domains, party.access.file, {party.domain(), passage.round},
                 [&](Stream const& cut, Offset place) {
                     party.count(party.domain(), passage.round, cut.size());
                     visitor.window.start = -place;
                     zip(cut, memory, visitor);
                     memory += cut.size();
                 });
}

// Between this rank's own memory and its own window, without a message, by a visitor of zip with a window.
template <class Visitor>
void copy_own(Party const& party, Passage const& passage, Visitor visitor) {
    if (!passage.serves(party.domain())) return;
    auto const lap = party.watch.phase(Phase::assemble);
    if (passage.gathered != nullptr) return copy_gathered(party, passage, visitor);
    for_each_cut(party.plan.domains, party.access.file, {party.domain(), passage.round},
                 [&](Stream const& cut, Offset place) {
                     auto const start = party.access.file.begin;
                     party.count(party.domain(), passage.round, cut.size());
                     visitor.window.start = -place;
                     zip(party.access, cut.begin - start, cut.end - start, visitor);
                 });
}

Terms terms_of(Plan const& plan) { return {plan.data_kernel, plan.throttle, plan.throttle_inside, data_tag}; }

}  // namespace

void gather_round(Party const& party, Passage const& passage, std::span<std::byte> window) {
    OwnerEnd mine{party, passage};
    WindowEnd theirs{party, passage, window};
    auto const lap = party.watch.phase(Phase::exchange);
    exchange(party.courier, terms_of(party.plan), {mine.sending(), theirs.receiving()},
             [&] { copy_own(party, passage, PlaceInWindow{{window}}); });
}

void scatter_round(Party const& party, Passage const& passage, std::span<std::byte const> window) {
    // Only read from.
    std::span<std::byte> const source{const_cast<std::byte*>(window.data()), window.size()};
    OwnerEnd mine{party, passage};
    WindowEnd theirs{party, passage, source};
    auto const lap = party.watch.phase(Phase::exchange);
    exchange(party.courier, terms_of(party.plan), {theirs.sending(), mine.receiving()},
             [&] { copy_own(party, passage, FetchFromWindow{{source}}); });
}

}  // namespace muster
