// The messages and bytes of one call's exchange, sender by sender.
#pragma once

#include <vector>

#include "core/shape.hpp"
#include "plan/plan.hpp"

namespace muster {

class Traffic {
public:
    // Both must outlive this.
    Traffic(Plan const& plan, Machine const& machine);

    // One sender's bytes; each sender once.
    void add(Rank sender, Shape const& ordered);

    Size messages{0};  // without those of aggregators to themselves
    Size messages_inside_nodes{0};
    Size bytes_inside_nodes{0};  // without what stays in a rank
    Size bytes_between_nodes{0};
    Size largest_packet{0};  // bytes that one sender has in one round, for all aggregators

    Flow flow;

    Size senders_per_round_max() const;  // to one aggregator
    std::vector<Size> const& messages_by_aggregator() const { return by_aggregator_; }

private:
    struct Place {
        int domain{0};
        Size round{0};
        Offset end{-1};  // of the part of the file that is served there and then
    };
    // What came last, so that several parts of a window are one message.
    struct Last {
        int sender{-1};
        Size round{-1};
        Size bytes{0};
    };

    Place place_of(Offset offset) const;
    void walk_pieces(Shape const& shape);
    void walk_parts(Shape const& shape);
    void visit(Offset offset, Size length);
    void finish_part();
    void count_message(Place const& place);
    void count_bytes(Rank aggregator, Size bytes);

    Plan const& plan_;
    Machine const& machine_;
    std::vector<std::uint32_t> senders_;  // by round and domain
    std::vector<Size> by_aggregator_;     // by domain
    std::vector<Last> by_domain_;
    std::vector<Last> by_round_;
    Rank sender_{0};
    int turn_{-1};  // of the sender
    Place place_;
    Size bytes_{0};  // of the sender in the current part
};

}  // namespace muster
