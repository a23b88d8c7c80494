// Kernel "alltoallw": the MPI orders and throttles the messages itself.
#include <algorithm>

#include "exchange/exchange.hpp"

namespace muster {

namespace {

// Counts, places and types as Ialltoallw wants them: for every message one of a type with absolute addresses. No size
// or distance has to fit an int.
class Side {
public:
    explicit Side(int ranks)
        : counts(static_cast<std::size_t>(ranks)), places(counts.size()), types(counts.size(), MPI_BYTE) {}
    Side(Side const&) = delete;
    Side& operator=(Side const&) = delete;
    ~Side() {
        for (auto& type : types) {
            if (type != MPI_BYTE) MPI_Type_free(&type);
        }
    }

    void add(Rank peer, std::span<std::byte> bytes) {
        auto const i = static_cast<std::size_t>(peer);
        counts[i] = 1;
        types[i] = type_of(bytes);
    }

    std::vector<int> counts;
    std::vector<int> places;
    std::vector<MPI_Datatype> types;

private:
    static constexpr std::size_t longest_block = std::size_t{1} << 30;

    static MPI_Datatype type_of(std::span<std::byte> bytes) {
        std::vector<int> lengths;
        std::vector<MPI_Aint> addresses;
        for (std::size_t from = 0; from < bytes.size(); from += longest_block) {
            lengths.push_back(static_cast<int>(std::min(longest_block, bytes.size() - from)));
            MPI_Get_address(bytes.data() + from, &addresses.emplace_back());
        }
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), addresses.data(), MPI_BYTE, &type);
        MPI_Type_commit(&type);
        return type;
    }
};

void unload_all(Lane const& lane) {
    for (std::size_t i = 0; i < lane.peers.size(); ++i) lane.unload(i);
}

}  // namespace

void exchange_at_once(Courier& courier, Terms const& terms, Lanes const& lanes, Work const& meanwhile) {
    auto const& comm = courier.comm();
    Side sent{comm.size};
    Side received{comm.size};
    for (std::size_t i = 0; i < lanes.outgoing.peers.size(); ++i) {
        auto const bytes = lanes.outgoing.load(i);
        courier.count(static_cast<Size>(bytes.size()), lanes.outgoing.peers[i], terms.tag);
        sent.add(lanes.outgoing.peers[i], bytes);
    }
    for (std::size_t i = 0; i < lanes.incoming.peers.size(); ++i)
        received.add(lanes.incoming.peers[i], lanes.incoming.load(i));
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ialltoallw(MPI_BOTTOM, sent.counts.data(), sent.places.data(), sent.types.data(), MPI_BOTTOM,
                   received.counts.data(), received.places.data(), received.types.data(), comm.handle, &request);
    meanwhile();
    wait(request);
    unload_all(lanes.outgoing);
    unload_all(lanes.incoming);
}

}  // namespace muster
