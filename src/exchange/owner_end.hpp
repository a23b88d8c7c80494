// A rank's own end of a round: its bytes in the windows of the other aggregators, one message each.
#pragma once

#include "exchange/party.hpp"

namespace muster {

class OwnerEnd {
public:
    OwnerEnd(Party const& party, Passage const& passage);

    // They refer to this object.
    Lane sending();    // write: packed when due
    Lane receiving();  // read: unpacked on arrival

private:
    struct Parcel {
        Rank aggregator{0};
        std::vector<Stream> cuts;  // of the rank's file stream, one for each part of the window that it touches
        Size bytes{0};
        std::span<std::byte> data;  // in user memory, in the packed buffer, or gathered
        bool packed{false};
    };

    Parcel parcel_for(WindowId window) const;
    Stream memory_of(Stream const& cut) const;
    std::span<std::byte> whole_memory(Parcel const& parcel) const;
    void find_room(Parcel& parcel, std::span<std::byte>& free) const;
    void pack(Parcel const& parcel) const;
    void unpack(Parcel const& parcel) const;
    std::vector<Rank> peers() const;

    Party const& party_;
    std::vector<Parcel> parcels_;
};

// Bytes of Party::packed that a rank needs at most.
Size packed_size(Plan const& plan, Access const& access);

}  // namespace muster
