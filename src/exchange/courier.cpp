#include "exchange/courier.hpp"

namespace muster {

MPI_Request Courier::send(std::span<std::byte const> bytes, Rank to, int tag, Send mode) {
    auto const node = [&](Rank rank) { return machine_.node_of[static_cast<std::size_t>(rank)]; };
    auto const inside = node(to) == node(comm_.rank);
    auto const size = static_cast<Size>(bytes.size());
    (inside ? report_.messages_inside_node : report_.messages_between_nodes) += 1;
    (inside ? report_.bytes_inside_node : report_.bytes_between_nodes) += size;
    if (tag == list_tag) report_.metadata_bytes += size;
    return start_send(comm_, bytes, to, tag, mode);
}

}  // namespace muster
