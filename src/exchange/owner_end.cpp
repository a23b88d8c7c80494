#include "exchange/owner_end.hpp"

#include "access/copy.hpp"

namespace muster {

Size packed_size(Plan const& plan, Access const& access) {
    if (access.memory.piece_count() <= 1 && plan.domains.parts() == 1) return 0;
    return std::min(access.file.size(), plan.domains.count * plan.domains.window);
}

OwnerEnd::OwnerEnd(Party const& party, Passage const& passage) : party_{party} {
    auto free = party.packed;
    for (auto const domain : party.itinerary.domains) {
        if (!passage.serves(domain)) continue;
        auto parcel = parcel_for({domain, passage.round});
        if (parcel.bytes == 0) continue;
        party.count(domain, passage.round, parcel.bytes);
        if (passage.gathered != nullptr) {
            parcel.data = {passage.gathered->window(domain), static_cast<std::size_t>(parcel.bytes)};
        } else {
            find_room(parcel, free);
        }
        parcels_.push_back(std::move(parcel));
    }
}

// Where the parcel lies in user memory, or will be packed.
void OwnerEnd::find_room(Parcel& parcel, std::span<std::byte>& free) const {
    parcel.data = whole_memory(parcel);
    if (!parcel.data.empty()) return;
    parcel.packed = true;
    parcel.data = free.first(static_cast<std::size_t>(parcel.bytes));
    free = free.subspan(parcel.data.size());
}

OwnerEnd::Parcel OwnerEnd::parcel_for(WindowId window) const {
    Parcel parcel{party_.plan.aggregators[static_cast<std::size_t>(window.domain)], {}, 0, {}, false};
    for_each_cut(party_.plan.domains, party_.access.file, window, [&](Stream const& cut, Offset) {
        parcel.cuts.push_back(cut);
        parcel.bytes += cut.size();
    });
    return parcel;
}

// The part of the memory stream that belongs to a part of the file stream.
Stream OwnerEnd::memory_of(Stream const& cut) const {
    auto const& access = party_.access;
    auto const shift = access.memory.begin - access.file.begin;
    return {access.memory.shape, cut.begin + shift, cut.end + shift};
}

// The memory of a parcel when it is one piece: it needs no packing.
std::span<std::byte> OwnerEnd::whole_memory(Parcel const& parcel) const {
    if (parcel.cuts.size() != 1) return {};
    auto const memory = memory_of(parcel.cuts[0]);
    if (memory.piece_count() != 1) return {};
    return {party_.access.base + memory.bounds().offset, static_cast<std::size_t>(parcel.bytes)};
}

void OwnerEnd::pack(Parcel const& parcel) const {
    auto const lap = party_.watch.phase(Phase::pack);
    auto* out = parcel.data.data();
    for (auto const& cut : parcel.cuts) {
        gather(memory_of(cut), party_.access.base, out);
        out += cut.size();
    }
}

void OwnerEnd::unpack(Parcel const& parcel) const {
    auto const lap = party_.watch.phase(Phase::pack);
    auto const* in = parcel.data.data();
    for (auto const& cut : parcel.cuts) {
        scatter(in, memory_of(cut), party_.access.base);
        in += cut.size();
    }
}

std::vector<Rank> OwnerEnd::peers() const {
    std::vector<Rank> ranks;
    for (auto const& parcel : parcels_) ranks.push_back(parcel.aggregator);
    return ranks;
}

Lane OwnerEnd::sending() {
    auto const load = [this](std::size_t i) {
        if (parcels_[i].packed) pack(parcels_[i]);
        return parcels_[i].data;
    };
    return {peers(), load, [](std::size_t) {}};
}

Lane OwnerEnd::receiving() {
    auto const unload = [this](std::size_t i) {
        if (parcels_[i].packed) unpack(parcels_[i]);
    };
    return {peers(), [this](std::size_t i) { return parcels_[i].data; }, unload};
}

}  // namespace muster
