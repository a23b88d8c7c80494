// Sends and receives for one rank during a call, and keeps count of it.
#pragma once

#include <vector>

#include "machine/machine.hpp"
#include "mpi/message.hpp"
#include "muster/report.hpp"

namespace muster {

class Courier {
public:
    Courier(Comm const& comm, Machine const& machine, RankReport& report)
        : comm_{comm}, machine_{machine}, report_{report}, unconfirmed_(static_cast<std::size_t>(comm.size)) {}

    Comm const& comm() const { return comm_; }
    Machine const& machine() const { return machine_; }
    RankReport& report() { return report_; }
    bool inside_node(Rank peer) const { return node_of(peer) == node_of(comm_.rank); }

    // Of plain sends to one peer every few are synchronous after all: nobody runs ahead of a peer by more than
    // `plain_in_a_row` messages that the MPI has to keep there.
    MPI_Request send(std::span<std::byte const> bytes, Rank to, int tag, Send mode);
    MPI_Request receive(std::span<std::byte> bytes, Rank from, int tag) {
        return start_receive(comm_, bytes, from, tag);
    }
    // For the report: a message of so many bytes leaves, whoever sends it.
    void count(Size bytes, Rank to, int tag);

    static constexpr int plain_in_a_row = 8;

private:
    int node_of(Rank rank) const { return machine_.node_of[static_cast<std::size_t>(rank)]; }

    Comm comm_;
    Machine const& machine_;
    RankReport& report_;
    std::vector<std::uint8_t> unconfirmed_;  // plain sends in a row, by peer
};

// Tags of our own communicator.
inline constexpr int list_tag = 1;
inline constexpr int data_tag = 2;

}  // namespace muster
