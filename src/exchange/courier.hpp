// Sends and receives for one rank during a call, and keeps count of it.
#pragma once

#include <vector>

#include "machine/machine.hpp"
#include "mpi/message.hpp"
#include "muster/report.hpp"

namespace muster {

class Courier {
public:
    Courier(Comm const& comm, Machine const& machine, RankReport& report) : comm_{comm}, machine_{machine}, report_{report} {}

    Comm const& comm() const { return comm_; }
    RankReport& report() { return report_; }
    MPI_Request send(std::span<std::byte const> bytes, Rank to, int tag, Send mode);
    MPI_Request receive(std::span<std::byte> bytes, Rank from, int tag) { return start_receive(comm_, bytes, from, tag); }

private:
    Comm comm_;
    Machine const& machine_;
    RankReport& report_;
};

// Tags of our own communicator.
inline constexpr int list_tag = 1;
inline constexpr int data_tag = 2;

}  // namespace muster
