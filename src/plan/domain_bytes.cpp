#include "plan/domain_bytes.hpp"

#include <algorithm>

namespace muster {

namespace {

constexpr Size pieces_worth_a_search = 32;  // walking through so many takes as long as finding a place in the stream

void count_contiguous(Domains const& domains, Stream const& stream, std::span<Size> counts) {
    auto const bounds = stream.bounds();
    auto const last = domains.owner_of(bounds.end() - 1);
    for (auto domain = domains.owner_of(bounds.offset); domain <= last; ++domain) {
        auto const extent = domains.domain(domain);
        counts[static_cast<std::size_t>(domain)] += stream.within(extent.offset, extent.end()).size();
    }
}

void count_stripes(Domains const& domains, Stream const& stream, std::span<Size> counts) {
    auto const bounds = stream.bounds();
    for (auto stripe = bounds.offset / domains.unit; stripe * domains.unit < bounds.end(); ++stripe) {
        auto const begin = stripe * domains.unit;
        counts[static_cast<std::size_t>(stripe % domains.count)] += stream.within(begin, begin + domains.unit).size();
    }
}

void count_pieces(Domains const& domains, Stream const& stream, std::span<Size> counts) {
    stream.for_each([&](Offset offset, Size length) {
        while (length > 0) {
            auto const stripe = offset / domains.unit;
            auto const inside = std::min(length, (stripe + 1) * domains.unit - offset);
            counts[static_cast<std::size_t>(stripe % domains.count)] += inside;
            offset += inside;
            length -= inside;
        }
    });
}

}  // namespace

void count_by_domain(Domains const& domains, Stream const& stream, std::span<Size> counts) {
    if (stream.size() == 0) return;
    if (domains.layout != Layout::striped) return count_contiguous(domains, stream, counts);
    auto const stripes = stream.bounds().length / domains.unit + 1;
    if (stream.piece_count() / stripes < pieces_worth_a_search) return count_pieces(domains, stream, counts);
    count_stripes(domains, stream, counts);
}

DomainBytes DomainBytes::of(Rows rows, int row_count, int domains) {
    DomainBytes made{rows, row_count, domains, {}};
    made.bytes.resize(static_cast<std::size_t>(row_count) * static_cast<std::size_t>(domains));
    return made;
}

DomainBytes DomainBytes::by_node(Machine const& machine) const {
    if (rows == Rows::nodes) return *this;
    auto nodes = of(Rows::nodes, machine.node_count(), domains);
    for (Rank rank = 0; rank < row_count; ++rank) {
        auto const sums = nodes.row(machine.node_of[static_cast<std::size_t>(rank)]);
        std::transform(sums.begin(), sums.end(), row(rank).begin(), sums.begin(), std::plus<>{});
    }
    return nodes;
}

}  // namespace muster
