// An InfiniBand network: walked with its library, or as the program ibnetdiscover has printed it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hardware/network_files.hpp"

namespace muster {

// An adapter, or a switch or router, which pass on what is not theirs.
struct FabricDevice {
    std::uint64_t guid{0};
    std::string name;  // what it calls itself: "node7 mlx5_0" where an adapter knows its host
    bool passes_on{false};
    bool operator==(FabricDevice const&) const = default;
};

struct FabricCable {
    std::size_t one{0};  // indices of devices, the smaller first
    std::size_t other{0};
    double bandwidth{0};  // bytes per second in each direction; 0: not known
    bool operator==(FabricCable const&) const = default;
};

struct FoundFabric {
    std::vector<FabricDevice> devices;  // by GUID
    std::vector<FabricCable> cables;    // each once, sorted
    bool operator==(FoundFabric const&) const = default;
};

// A node of the job, and how its adapters may be known.
struct FabricHost {
    std::string name;
    std::vector<std::uint64_t> guids;  // of its adapters, where it could tell
};

// Whether text looks like the output of ibnetdiscover.
bool is_ibnetdiscover(std::string const& text);
Result<FoundFabric> parse_ibnetdiscover(std::string const& text);

// All hosts that have adapters in the fabric: those of one name are one host, adapters without a name are one each.
std::vector<FabricHost> hosts_of(FoundFabric const& fabric);
// The switches and cables, and where the hosts are. An error names a host that has no adapter in it.
Result<FoundNetwork> place_hosts(FoundFabric const& fabric, std::vector<FabricHost> const& hosts);

// Local. Walks the fabric from this node's adapters, for at most so many seconds. Where there is no adapter, nothing is
// done, and the code is not_found.
Result<FoundFabric> walk_fabric(int seconds);

// Local. The GUIDs of this node's adapters, as the kernel tells.
std::vector<std::uint64_t> own_adapters();

// --- for both ways to a fabric ---

// Sorts devices and cables, as FoundFabric promises.
FoundFabric in_order(FoundFabric fabric);
// Bytes per second of a cable: "4xEDR".
double cable_bandwidth(std::string const& speed);

}  // namespace muster
