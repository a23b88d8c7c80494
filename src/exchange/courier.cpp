#include "exchange/courier.hpp"

namespace muster {

void Courier::count(Size bytes, Rank to, int tag) {
    auto const inside = inside_node(to);
    (inside ? report_.messages_inside_node : report_.messages_between_nodes) += 1;
    (inside ? report_.bytes_inside_node : report_.bytes_between_nodes) += bytes;
    if (tag == list_tag) report_.metadata_bytes += bytes;
}

MPI_Request Courier::send(std::span<std::byte const> bytes, Rank to, int tag, Send mode) {
    count(static_cast<Size>(bytes.size()), to, tag);
    auto& row = unconfirmed_[static_cast<std::size_t>(to)];
    if (mode == Send::plain && ++row == plain_in_a_row) mode = Send::synchronous;
    if (mode == Send::synchronous) row = 0;
    return start_send(comm_, bytes, to, tag, mode);
}

}  // namespace muster
