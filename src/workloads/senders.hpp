// Who sends to the aggregators: every rank for itself, or local aggregators for their groups.
#pragma once

#include <span>

#include "machine/machine.hpp"
#include "workloads/workload.hpp"

namespace muster {

struct Sender {
    Rank rank{0};
    std::vector<Rank> members;  // itself alone without node step
};

// `local_aggregators` on all nodes together, evenly over the nodes, at least one each; 0: every rank for itself.
std::vector<Sender> make_senders(Machine const& machine, int local_aggregators);

// What a sender has of each pattern, or (interleaved workloads, one call) of everything.
class SenderParts {
public:
    // `merge`: the members' pieces merged, and neighbours joined.
    SenderParts(Workload const& workload, Sender const& sender, bool merge);

    Shape variable(int index) const;
    Shape all() const;
    // Pieces of these calls; merged ones are joined over the edges of copies and variables too.
    Size variable_pieces(int index) const;
    Size all_pieces() const;

private:
    Shape merged(std::function<Shape(Rank)> const& part) const;
    Size joined_pieces(std::span<Variable const> variables) const;
    Shape const& of(Variable const& variable) const { return patterns_[static_cast<std::size_t>(variable.pattern)]; }

    Workload const& workload_;
    Sender const& sender_;
    bool merge_;
    std::vector<Shape> patterns_;
};

}  // namespace muster
