#include "exchange/rounds.hpp"

#include "access/copy.hpp"
#include "exchange/window_end.hpp"

namespace muster {

namespace {

// The same from what this rank has gathered.
template <class Copy>
void copy_gathered(Party const& party, Passage const& passage, Copy&& copy) {
    auto* memory = passage.gathered->window(party.domain());
    for_each_cut(party.plan.domains, party.access.file, {party.domain(), passage.round},
                 [&](Stream const& cut, Offset place) {
                     party.count(party.domain(), passage.round, cut.size());
                     cut.for_each([&](Offset offset, Size length) {
                         copy(offset + place, memory, length);
                         memory += length;
                     });
                 });
}

// Between this rank's own memory and its own window, without a message: copy(place in the window, memory, length).
template <class Copy>
void copy_own(Party const& party, Passage const& passage, Copy&& copy) {
    if (!passage.serves(party.domain())) return;
    auto const lap = party.watch.phase(Phase::assemble);
    if (passage.gathered != nullptr) return copy_gathered(party, passage, copy);
    for_each_cut(party.plan.domains, party.access.file, {party.domain(), passage.round},
                 [&](Stream const& cut, Offset place) {
                     auto const start = party.access.file.begin;
                     party.count(party.domain(), passage.round, cut.size());
                     zip(party.access, cut.begin - start, cut.end - start,
                         [&](Offset offset, std::byte* memory, Size length) { copy(offset + place, memory, length); });
                 });
}

Terms terms_of(Plan const& plan) { return {plan.data_kernel, plan.throttle, plan.throttle_inside, data_tag}; }

}  // namespace

void gather_round(Party const& party, Passage const& passage, std::span<std::byte> window) {
    OwnerEnd mine{party, passage};
    WindowEnd theirs{party, passage, window.data()};
    auto const lap = party.watch.phase(Phase::exchange);
    exchange(party.courier, terms_of(party.plan), {mine.sending(), theirs.receiving()}, [&] {
        copy_own(party, passage, [&](Offset place, std::byte const* memory, Size length) {
            copy_small(window.data() + place, memory, length);
        });
    });
}

void scatter_round(Party const& party, Passage const& passage, std::span<std::byte const> window) {
    OwnerEnd mine{party, passage};
    WindowEnd theirs{party, passage, const_cast<std::byte*>(window.data())};  // only read from
    auto const lap = party.watch.phase(Phase::exchange);
    exchange(party.courier, terms_of(party.plan), {theirs.sending(), mine.receiving()}, [&] {
        copy_own(party, passage, [&](Offset place, std::byte* memory, Size length) {
            copy_small(memory, window.data() + place, length);
        });
    });
}

}  // namespace muster
