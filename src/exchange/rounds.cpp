#include "exchange/rounds.hpp"

#include "access/copy.hpp"
#include "core/copy.hpp"
#include "core/merge.hpp"

namespace muster {

namespace {

auto index_of(int value) { return static_cast<std::size_t>(value); }
auto length_of(Size value) { return static_cast<std::size_t>(value); }

// What this rank exchanges with one aggregator in this round.
struct Parcel {
    int domain{0};
    std::vector<Size> begins;  // cuts of the rank's stream, one per part of the window that it touches
    std::vector<Size> ends;
    Size bytes{0};
    std::span<std::byte> data;  // in user memory, or in the packed buffer
    bool packed{false};
};

// The part of the memory stream that belongs to the bytes [begin, end) of the file stream.
Stream memory_of(Access const& access, Size begin, Size end) {
    auto const shift = access.memory.begin - access.file.begin;
    return {access.memory.shape, begin + shift, end + shift};
}

// The memory of a parcel when it is one piece: it needs no packing.
std::span<std::byte> whole_memory(Access const& access, Parcel const& parcel) {
    if (parcel.begins.size() != 1) return {};
    auto const memory = memory_of(access, parcel.begins[0], parcel.ends[0]);
    if (memory.piece_count() != 1) return {};
    std::span<std::byte> whole;
    memory.for_each([&](Offset offset, Size length) { whole = {access.base + offset, length_of(length)}; });
    return whole;
}

Parcel parcel_for(Party const& party, WindowId window) {
    Parcel parcel{window.domain, {}, {}, 0, {}, false};
    for_each_cut(party.plan.domains, party.access.file, window, [&](Stream const& cut, Offset) {
        parcel.begins.push_back(cut.begin);
        parcel.ends.push_back(cut.end);
        parcel.bytes += cut.size();
    });
    return parcel;
}

// This rank's parcels of the round, each with its place in user memory or in the packed buffer; its own window left out.
std::vector<Parcel> parcels_of(Party const& party, Size round) {
    std::vector<Parcel> parcels;
    auto const own = party.domain();
    std::size_t used = 0;
    for (int domain = 0; domain < party.plan.domains.count; ++domain) {
        if (domain == own) continue;
        auto parcel = parcel_for(party, {domain, round});
        if (parcel.bytes == 0) continue;
        parcel.data = whole_memory(party.access, parcel);
        if (parcel.data.empty()) {
            parcel.packed = true;
            parcel.data = party.packed.subspan(used, length_of(parcel.bytes));
            used += parcel.data.size();
        }
        parcels.push_back(std::move(parcel));
    }
    return parcels;
}

void pack(Access const& access, Parcel const& parcel) {
    auto* out = parcel.data.data();
    for (std::size_t i = 0; i < parcel.begins.size(); ++i) {
        gather(memory_of(access, parcel.begins[i], parcel.ends[i]), access.base, out);
        out += parcel.ends[i] - parcel.begins[i];
    }
}

void unpack(Access const& access, Parcel const& parcel) {
    auto const* in = parcel.data.data();
    for (std::size_t i = 0; i < parcel.begins.size(); ++i) {
        scatter(in, memory_of(access, parcel.begins[i], parcel.ends[i]), access.base);
        in += parcel.ends[i] - parcel.begins[i];
    }
}

// A contributor's bytes in this aggregator's window: one message.
struct Load {
    Contributor const* from{nullptr};
    Size bytes{0};
    std::byte* in_window{nullptr};  // where all of it lies in one piece of the window; else it goes through staging
};

Load load_of(Party const& party, Contributor const& contributor, WindowId id, std::byte* window) {
    Load load{&contributor, 0, nullptr};
    int cuts = 0;
    for_each_cut(party.plan.domains, contributor.stream, id, [&](Stream const& cut, Offset place) {
        load.bytes += cut.size();
        auto const single = ++cuts == 1 && cut.piece_count() == 1;
        load.in_window = single ? window + cut.bounds().offset + place : nullptr;
    });
    return load;
}

std::vector<Load> loads_of(Party const& party, Size round, std::byte* window) {
    std::vector<Load> loads;
    WindowId const id{party.domain(), round};
    for (auto const& contributor : party.contributors) {
        if (contributor.rank == party.courier.comm().rank) continue;
        auto const load = load_of(party, contributor, id, window);
        if (load.bytes > 0) loads.push_back(load);
    }
    return loads;
}

// Visits (place in the window, length) of a contributor's pieces.
template <class Visit>
void for_each_place(Party const& party, Contributor const& contributor, WindowId id, Visit&& visit) {
    for_each_cut(party.plan.domains, contributor.stream, id, [&](Stream const& cut, Offset place) {
        cut.for_each([&](Offset offset, Size length) { visit(offset + place, length); });
    });
}

// Between this rank's own memory and its own window, without a message.
template <class Copy>
void copy_own(Party const& party, Size round, Copy&& copy) {
    if (party.domain() < 0) return;
    for_each_cut(party.plan.domains, party.access.file, {party.domain(), round}, [&](Stream const& cut, Offset place) {
        auto const start = party.access.file.begin;
        zip(party.access, cut.begin - start, cut.end - start, [&](Offset offset, std::byte* memory, Size length) {
            copy(offset + place, memory, length);
        });
    });
}

// Messages that share the staging buffer at one time: bounded by its size and by the throttle.
class Batch {
public:
    explicit Batch(Party const& party) : staging_{party.staging}, limit_{party.plan.throttle} {}

    bool fits(Load const& load) const {
        auto const full = limit_ > 0 && requests.size() >= index_of(limit_);
        return !full && (load.in_window != nullptr || used_ + length_of(load.bytes) <= staging_.size());
    }
    std::span<std::byte> place(Load const& load) {
        if (load.in_window != nullptr) return {load.in_window, length_of(load.bytes)};
        auto const space = staging_.subspan(used_, length_of(load.bytes));
        used_ += space.size();
        return space;
    }
    void clear() {
        requests.clear();
        used_ = 0;
    }

    std::vector<MPI_Request> requests;

private:
    std::span<std::byte> staging_;
    int limit_;
    std::size_t used_{0};
};

void place_in_window(Party const& party, Load const& load, WindowId id, std::span<std::byte const> from, std::byte* window) {
    auto const* in = from.data();
    for_each_place(party, *load.from, id, [&](Offset place, Size length) {
        copy_small(window + place, in, length);
        in += length;
    });
}

void take_from_window(Party const& party, Load const& load, WindowId id, std::byte const* window, std::span<std::byte> to) {
    auto* out = to.data();
    for_each_place(party, *load.from, id, [&](Offset place, Size length) {
        copy_small(out, window + place, length);
        out += length;
    });
}

// The aggregator's side of a write round: receive in batches, put every piece in its place.
void receive_window(Party const& party, Size round, std::span<std::byte> window) {
    auto const loads = loads_of(party, round, window.data());
    WindowId const id{party.domain(), round};
    Batch batch{party};
    for (std::size_t first = 0; first < loads.size();) {
        std::vector<std::span<std::byte>> places;
        auto next = first;
        for (; next < loads.size() && batch.fits(loads[next]); ++next) {
            places.push_back(batch.place(loads[next]));
            batch.requests.push_back(party.courier.receive(places.back(), loads[next].from->rank, data_tag));
        }
        {
            auto const lap = party.watch.phase(Phase::exchange);
            wait_all(batch.requests);
        }
        auto const lap = party.watch.phase(Phase::assemble);
        for (auto i = first; i < next; ++i) {
            if (loads[i].in_window == nullptr) place_in_window(party, loads[i], id, places[i - first], window.data());
        }
        batch.clear();
        first = next;
    }
}

// The aggregator's side of a read round.
void send_window(Party const& party, Size round, std::span<std::byte const> window) {
    auto* bytes = const_cast<std::byte*>(window.data());  // only read from: Load serves both directions
    auto const loads = loads_of(party, round, bytes);
    WindowId const id{party.domain(), round};
    Batch batch{party};
    auto const flush = [&] {
        auto const lap = party.watch.phase(Phase::exchange);
        wait_all(batch.requests);
        batch.clear();
    };
    for (auto const& load : loads) {
        if (!batch.fits(load)) flush();
        auto const message = batch.place(load);
        if (load.in_window == nullptr) {
            auto const lap = party.watch.phase(Phase::assemble);
            take_from_window(party, load, id, window.data(), message);
        }
        batch.requests.push_back(party.courier.send(message, load.from->rank, data_tag, Send::synchronous));
    }
    flush();
}

}  // namespace

Size packed_size(Plan const& plan, Access const& access) {
    if (access.memory.piece_count() <= 1 && plan.domains.parts() == 1) return 0;
    return std::min(access.file.size(), plan.domains.count * plan.domains.window);
}

void gather_round(Party const& party, Size round, std::span<std::byte> window) {
    auto const parcels = parcels_of(party, round);
    std::vector<MPI_Request> sends;
    for (auto const& parcel : parcels) {
        if (parcel.packed) {
            auto const lap = party.watch.phase(Phase::pack);
            pack(party.access, parcel);
        }
        auto const to = party.plan.aggregators[index_of(parcel.domain)];
        sends.push_back(party.courier.send(parcel.data, to, data_tag, Send::synchronous));
    }
    {
        auto const lap = party.watch.phase(Phase::assemble);
        copy_own(party, round, [&](Offset place, std::byte const* memory, Size length) {
            copy_small(window.data() + place, memory, length);
        });
    }
    if (party.domain() >= 0) receive_window(party, round, window);
    auto const lap = party.watch.phase(Phase::exchange);
    wait_all(sends);
}

void scatter_round(Party const& party, Size round, std::span<std::byte const> window) {
    auto const parcels = parcels_of(party, round);
    std::vector<MPI_Request> receives;
    for (auto const& parcel : parcels) {
        auto const from = party.plan.aggregators[index_of(parcel.domain)];
        receives.push_back(party.courier.receive(parcel.data, from, data_tag));
    }
    {
        auto const lap = party.watch.phase(Phase::assemble);
        copy_own(party, round, [&](Offset place, std::byte* memory, Size length) {
            copy_small(memory, window.data() + place, length);
        });
    }
    if (party.domain() >= 0) send_window(party, round, window);
    {
        auto const lap = party.watch.phase(Phase::exchange);
        wait_all(receives);
    }
    auto const lap = party.watch.phase(Phase::pack);
    for (auto const& parcel : parcels) {
        if (parcel.packed) unpack(party.access, parcel);
    }
}

std::vector<Extent> covered_extents(std::vector<Contributor> const& contributors, Extent part) {
    if (part.length <= 0) return {};
    Fingerprint fingerprint;
    for (auto const& contributor : contributors) {
        contributor.stream.within(part.offset, part.end()).for_each([&](Offset offset, Size length) {
            fingerprint.add({offset, length});
        });
    }
    if (fingerprint.tiles(part)) return {part};
    CoverBuilder cover;
    for (auto const& contributor : contributors) {
        std::vector<Extent> list;
        contributor.stream.within(part.offset, part.end()).for_each([&](Offset offset, Size length) {
            list.push_back({offset, length});
        });
        cover.add(list);
    }
    return cover.take();
}

}  // namespace muster
