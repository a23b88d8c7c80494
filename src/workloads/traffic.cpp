#include "workloads/traffic.hpp"

#include <algorithm>

#include "core/flow.hpp"

namespace muster {

namespace {

constexpr Size pieces_worth_a_search = 64;  // walking through so many takes as long as finding a place in the stream

}  // namespace

Traffic::Traffic(Plan const& plan, Machine const& machine)
    : flow{make_flow(machine.rank_count(), static_cast<Size>(plan.aggregators.size()), plan.rounds)},
      plan_{plan},
      machine_{machine},
      senders_(static_cast<std::size_t>(plan.rounds * plan.domains.count)),
      by_aggregator_(plan.aggregators.size()),
      by_domain_(plan.aggregators.size()),
      by_round_(static_cast<std::size_t>(plan.rounds)) {}

void Traffic::add(Rank sender, Shape const& ordered) {
    sender_ = sender;
    ++turn_;
    place_ = {};
    bytes_ = 0;
    auto const parts = (ordered.high() - ordered.low()) / plan_.domains.part_size() + 1;
    if (ordered.piece_count() / parts < pieces_worth_a_search) {
        walk_pieces(ordered);
    } else {
        walk_parts(ordered);
    }
}

void Traffic::walk_pieces(Shape const& shape) {
    shape.for_each([this](Offset offset, Size length) {
        if (offset + length <= place_.end) {  // nearly always, when pieces are small
            bytes_ += length;
        } else {
            visit(offset, length);
        }
    });
    finish_part();
}

void Traffic::walk_parts(Shape const& shape) {
    Size position = 0;
    for (auto offset = shape.low(); offset < shape.high(); offset = place_.end) {
        place_ = place_of(offset);
        auto const next = shape.position_of(place_.end);
        bytes_ = next - position;
        position = next;
        finish_part();
    }
}

// A piece that reaches beyond the current part.
void Traffic::visit(Offset offset, Size length) {
    while (length > 0) {
        if (offset >= place_.end) {
            finish_part();
            place_ = place_of(offset);
        }
        auto const inside = std::min(length, place_.end - offset);
        bytes_ += inside;
        offset += inside;
        length -= inside;
    }
}

Traffic::Place Traffic::place_of(Offset offset) const {
    auto const& domains = plan_.domains;
    Place place{domains.owner_of(offset), domains.round_of(offset), 0};
    if (domains.layout == Layout::striped) {
        auto const stripe = offset - offset % domains.unit;
        auto const slice = stripe + offset % domains.unit / domains.part_size() * domains.part_size();
        place.end = std::min(slice + domains.part_size(), stripe + domains.unit);
    } else {
        place.end = domains.part(place.domain, place.round, 0).end();
    }
    return place;
}

void Traffic::finish_part() {
    if (bytes_ == 0) return;
    count_message(place_);
    count_bytes(plan_.aggregators[static_cast<std::size_t>(place_.domain)], bytes_);
    auto& row = flow.bytes[static_cast<std::size_t>(sender_ / flow.ranks_per_row)];
    row[static_cast<std::size_t>(place_.domain / flow.aggregators_per_column)] += bytes_;
    flow.by_round[static_cast<std::size_t>(place_.round / flow.rounds_per_step)] += bytes_;
    auto& round = by_round_[static_cast<std::size_t>(place_.round)];
    if (round.sender != turn_) round = {turn_, place_.round, 0};
    round.bytes += bytes_;
    largest_packet = std::max(largest_packet, round.bytes);
    bytes_ = 0;
}

// Parts come in file order, so those of one aggregator come round by round.
void Traffic::count_message(Place const& place) {
    auto const domain = static_cast<std::size_t>(place.domain);
    auto& last = by_domain_[domain];
    if (last.sender == turn_ && last.round == place.round) return;
    last = {turn_, place.round, 0};
    ++senders_[static_cast<std::size_t>(place.round * plan_.domains.count + place.domain)];
    auto const aggregator = plan_.aggregators[domain];
    if (aggregator == sender_) return;
    ++messages;
    ++by_aggregator_[domain];
    auto const& node_of = machine_.node_of;
    if (node_of[static_cast<std::size_t>(aggregator)] == node_of[static_cast<std::size_t>(sender_)])
        ++messages_inside_nodes;
}

void Traffic::count_bytes(Rank aggregator, Size bytes) {
    if (aggregator == sender_) return;
    auto const& node_of = machine_.node_of;
    auto const inside = node_of[static_cast<std::size_t>(aggregator)] == node_of[static_cast<std::size_t>(sender_)];
    (inside ? bytes_inside_nodes : bytes_between_nodes) += bytes;
}

Size Traffic::senders_per_round_max() const {
    auto const most = std::max_element(senders_.begin(), senders_.end());
    return most == senders_.end() ? 0 : *most;
}

}  // namespace muster
