// Networks as the site describes them: SLURM's topology.conf, and which InfiniBand adapters there are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/machine.hpp"

namespace muster {

// A network and where in it the hosts asked for are.
struct FoundNetwork {
    Network network;
    std::vector<int> places;  // of the hosts
};

// "tux[0-2,7],login" -> tux0, tux1, tux2, tux7, login; leading zeros stay.
std::vector<std::string> expand_hosts(std::string const& list);

// Lines such as "SwitchName=s0 Nodes=tux[0-5]" and "SwitchName=s2 Switches=s[0-1]". Hosts are found with or without their
// domain. An error names the host or switch that is missing.
Result<FoundNetwork> parse_slurm_topology(std::string const& text, std::vector<std::string> const& hosts);

// All hosts that SLURM's file names, in the order of its switches.
std::vector<std::string> slurm_hosts(std::string const& text);

// Local. SLURM's file on this node, if there is one: beside $SLURM_CONF, or in /etc/slurm.
std::optional<std::string> find_slurm_topology();

// Local. The InfiniBand adapters of this node with their state, as the kernel tells; empty where there are none.
std::vector<std::string> infiniband_adapters();

Result<std::string> read_text(std::string const& path);

}  // namespace muster
