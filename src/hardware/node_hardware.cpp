#include "hardware/node_hardware.hpp"

#include <unistd.h>

#include <algorithm>
#include <memory>

#if MUSTER_HAS_HWLOC
#include <hwloc.h>
#endif

namespace muster {

namespace {

// Where nobody tells: orders of magnitude, good enough to rank tiers.
constexpr TierFacts usual(char const* name, double latency, double bandwidth) {
    TierFacts tier;
    tier.name = name;
    tier.latency = latency;
    tier.bandwidth = bandwidth;
    return tier;
}

[[maybe_unused]] NodeHardware ask_system(std::string origin) {
    NodeHardware found;
    found.origin = std::move(origin);
    found.facts.threads = static_cast<int>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L));
    found.tiers.push_back(usual("DRAM", 1e-7, 1e10));
    found.tiers[0].capacity = Size{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
    return found;
}

#if MUSTER_HAS_HWLOC

struct Destroy {
    void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, Destroy>;

int count_of(hwloc_topology* topology, hwloc_obj_type_t type) {
    return std::max(hwloc_get_nbobjs_by_type(topology, type), 0);
}

std::vector<CacheFacts> caches_of(hwloc_topology* topology) {
    std::vector<CacheFacts> caches;
    int level = 0;
    for (auto const type :
         {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE}) {
        ++level;
        if (auto const* cache = hwloc_get_obj_by_type(topology, type, 0)) {
            caches.push_back({level, static_cast<Size>(cache->attr->cache.size), count_of(topology, type)});
        }
    }
    return caches;
}

std::string kind_of(hwloc_obj const& memory) {
    std::string const subtype = memory.subtype == nullptr ? "" : memory.subtype;
    if (subtype.find("MCDRAM") != subtype.npos || subtype.find("HBM") != subtype.npos) return "HBM";
    if (subtype.find("NVM") != subtype.npos) return "NVR";
    return "DRAM";
}

// An attribute of a memory for the cores beside it; 0: not known.
double attribute(hwloc_topology* topology, hwloc_obj* memory, hwloc_memattr_id_t what) {
    hwloc_location initiator{};
    initiator.type = HWLOC_LOCATION_TYPE_CPUSET;
    initiator.location.cpuset = memory->cpuset;
    hwloc_uint64_t value = 0;
    auto const failed = hwloc_memattr_get_value(topology, what, memory, &initiator, 0, &value);
    return failed != 0 ? 0 : static_cast<double>(value);
}

TierFacts usual_tier(std::string const& kind) {
    if (kind == "HBM") return usual("HBM", 1.2e-7, 4e10);
    if (kind == "NVR") return usual("NVR", 4e-7, 2e9);
    return usual("DRAM", 1e-7, 1e10);
}

void add_memory(NodeHardware& found, hwloc_topology* topology, hwloc_obj* memory) {
    auto const kind = kind_of(*memory);
    auto tier = std::find_if(found.tiers.begin(), found.tiers.end(), [&](auto const& t) { return t.name == kind; });
    if (tier == found.tiers.end()) tier = found.tiers.insert(found.tiers.end(), usual_tier(kind));
    tier->capacity += static_cast<Size>(memory->attr->numanode.local_memory);
    auto const bandwidth = attribute(topology, memory, HWLOC_MEMATTR_ID_BANDWIDTH);  // MiB/s
    auto const latency = attribute(topology, memory, HWLOC_MEMATTR_ID_LATENCY);      // ns
    if (bandwidth > 0) tier->bandwidth = bandwidth * 1048576;
    if (latency > 0) tier->latency = latency * 1e-9;
    found.speeds_known = found.speeds_known || bandwidth > 0;
}

void find_distances(NodeHardware& found, hwloc_topology* topology) {
    unsigned count = 1;
    hwloc_distances_s* distances = nullptr;
    if (hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &count, &distances, 0, 0) != 0 || count == 0) return;
    auto const size = std::size_t{distances->nbobjs} * distances->nbobjs;
    for (std::size_t i = 0; i < size; ++i) found.numa_distances.push_back(static_cast<int>(distances->values[i]));
    hwloc_distances_release(topology, distances);
}

NodeHardware ask_hwloc(char const* synthetic) {
    hwloc_topology_t made = nullptr;
    if (hwloc_topology_init(&made) != 0) return ask_system("hwloc does not start");
    Topology const topology{made};
    if (synthetic != nullptr && hwloc_topology_set_synthetic(made, synthetic) != 0) {
        return ask_system("hwloc does not understand '" + std::string{synthetic} + "'");
    }
    if (hwloc_topology_load(made) != 0) return ask_system("hwloc finds nothing");
    NodeHardware found;
    auto const version = hwloc_get_api_version();
    found.origin = "hwloc " + std::to_string(version >> 16) + "." + std::to_string((version >> 8) & 255);
    found.caches = caches_of(made);
    auto const last_cache = found.caches.empty() ? 0 : found.caches.back().size;
    found.facts = {count_of(made, HWLOC_OBJ_PACKAGE), count_of(made, HWLOC_OBJ_NUMANODE),
                   count_of(made, HWLOC_OBJ_CORE), count_of(made, HWLOC_OBJ_PU), last_cache};
    for (hwloc_obj_t memory = nullptr; (memory = hwloc_get_next_obj_by_type(made, HWLOC_OBJ_NUMANODE, memory));) {
        add_memory(found, made, memory);
    }
    auto const faster = [](auto const& left, auto const& right) { return left.bandwidth > right.bandwidth; };
    std::stable_sort(found.tiers.begin(), found.tiers.end(), faster);
    find_distances(found, made);
    return found;
}

#else

NodeHardware ask_hwloc(char const*) { return ask_system("built without hwloc"); }

#endif

}  // namespace

NodeHardware look_at_node() { return ask_hwloc(nullptr); }
NodeHardware look_at_synthetic(std::string const& description) { return ask_hwloc(description.c_str()); }

}  // namespace muster
