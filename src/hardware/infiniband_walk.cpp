// Walks an InfiniBand network with its library. Needs the right to talk to its switches, which sites may keep to themselves.
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "hardware/infiniband.hpp"

#if MUSTER_HAS_IBNETDISC
#include <endian.h>
#include <infiniband/ibnetdisc.h>
#include <infiniband/umad.h>
#endif

namespace muster {

#if MUSTER_HAS_IBNETDISC

namespace {

// A port of this node from which a fabric can be walked.
struct Door {
    std::string adapter;
    int port;
    std::uint64_t guid;  // of the adapter
};

bool leads_somewhere(umad_port_t const* port) {
    constexpr unsigned initialized = 2;
    return port != nullptr && port->state >= initialized && std::string{port->link_layer} != "Ethernet";
}

std::vector<Door> doors_of(std::string const& name) {
    std::vector<Door> doors;
    umad_ca_t adapter{};
    if (umad_get_ca(name.c_str(), &adapter) < 0) return doors;
    for (int i = 0; i < UMAD_CA_MAX_PORTS; ++i) {
        if (leads_somewhere(adapter.ports[i])) {
            doors.push_back({name, adapter.ports[i]->portnum, be64toh(adapter.node_guid)});
        }
    }
    umad_release_ca(&adapter);
    return doors;
}

std::vector<std::string> adapter_names() {
    char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN]{};
    if (umad_init() < 0) return {};
    auto const count = umad_get_cas_names(names, UMAD_MAX_DEVICES);
    std::vector<std::string> all;
    for (int i = 0; i < count; ++i) all.emplace_back(names[i]);
    return all;
}

// Tried before the library does, which would complain on standard error.
bool may_open(Door const& door) {
    auto const opened = umad_open_port(door.adapter.c_str(), door.port);
    if (opened >= 0) umad_close_port(opened);
    return opened >= 0;
}

// --- the library's words for speed ---

std::string width_of(ibnd_port_t* port) {
    switch (mad_get_field(port->info, 0, IB_PORT_LINK_WIDTH_ACTIVE_F)) {
        case 1: return "1x";
        case 2: return "4x";
        case 4: return "8x";
        case 8: return "12x";
        case 16: return "2x";
        default: return "";
    }
}

std::string speed_of(ibnd_port_t* port) {
    switch (mad_get_field(port->info, 0, IB_PORT_LINK_SPEED_EXT_ACTIVE_F)) {
        case 1: return "FDR";
        case 2: return "EDR";
        case 4: return "HDR";
        case 8: return "NDR";
        case 16: return "XDR";
        default: break;
    }
    if ((mad_get_field(port->ext_info, 0, IB_MLNX_EXT_PORT_LINK_SPEED_ACTIVE_F) & 1U) != 0) return "FDR10";
    switch (mad_get_field(port->info, 0, IB_PORT_LINK_SPEED_ACTIVE_F)) {
        case 1: return "SDR";
        case 2: return "DDR";
        case 4: return "QDR";
        default: return "";
    }
}

// --- what the library found, as ours ---

// Devices by GUID, so that what was reached from two ports is there once.
class Collector {
public:
    bool knows(std::uint64_t guid) const { return numbers_.contains(guid); }

    void take(ibnd_fabric_t* fabric) {
        auto const known = fabric_.devices.size();
        for (auto* node = fabric->nodes; node != nullptr; node = node->next) {
            if (!numbers_.try_emplace(node->guid, fabric_.devices.size()).second) continue;
            fabric_.devices.push_back({node->guid, trimmed(node->nodedesc), node->type != IB_NODE_CA});
        }
        for (auto* node = fabric->nodes; node != nullptr; node = node->next) {
            if (numbers_[node->guid] >= known) take_ports(*node);
        }
    }
    FoundFabric finish() { return in_order(std::move(fabric_)); }

private:
    static std::string trimmed(char const* description) {
        std::string text{description};
        auto const end = text.find_last_not_of(" \t\n");
        return end == text.npos ? std::string{} : text.substr(0, end + 1);
    }

    // A cable is taken at its lower end.
    void take_ports(ibnd_node_t const& node) {
        for (int i = 1; i <= node.numports; ++i) {
            auto* const port = node.ports[i];
            if (port == nullptr || port->remoteport == nullptr) continue;
            auto const far_guid = port->remoteport->node->guid;
            if (far_guid <= node.guid || !knows(far_guid)) continue;
            fabric_.cables.push_back(
                {numbers_[node.guid], numbers_[far_guid], cable_bandwidth(width_of(port) + speed_of(port))});
        }
    }

    FoundFabric fabric_;
    std::map<std::uint64_t, std::size_t> numbers_;
};

Result<std::vector<Door>> find_doors() {
    std::vector<Door> doors;
    for (auto const& name : adapter_names()) {
        for (auto& door : doors_of(name)) doors.push_back(std::move(door));
    }
    if (doors.empty()) return Status{Code::not_found, "there is no InfiniBand adapter with a cable"};
    std::erase_if(doors, [](Door const& door) { return !may_open(door); });
    if (doors.empty()) return Status{Code::permission_denied, "no right to walk the InfiniBand network"};
    return doors;
}

Result<FoundFabric> walk() {
    auto const doors = find_doors();
    if (!doors) return doors.status();
    Collector found;
    for (auto const& door : *doors) {
        if (found.knows(door.guid)) continue;
        ibnd_config_t config{};
        config.max_smps = 8;
        config.timeout_ms = 500;
        config.retries = 2;
        auto name = door.adapter;
        auto* const fabric = ibnd_discover_fabric(name.data(), door.port, nullptr, &config);
        if (fabric == nullptr) continue;
        found.take(fabric);
        ibnd_destroy_fabric(fabric);
    }
    auto fabric = found.finish();
    if (fabric.devices.empty()) return Status{Code::io, "the InfiniBand network does not answer"};
    return fabric;
}

// Where the walker leaves what it found. Nobody may be there any more to take it.
struct Table {
    std::mutex mutex;
    std::condition_variable ready;
    std::optional<Result<FoundFabric>> found;
};

}  // namespace

Result<FoundFabric> walk_fabric(int seconds) {
    if (seconds <= 0) return Status{Code::not_found, "the InfiniBand network is not to be walked"};
    auto const table = std::make_shared<Table>();
    std::thread{[table] {
        auto found = walk();
        std::lock_guard const lock{table->mutex};
        table->found = std::move(found);
        table->ready.notify_one();
    }}.detach();
    std::unique_lock lock{table->mutex};
    auto const in_time =
        table->ready.wait_for(lock, std::chrono::seconds{seconds}, [&] { return table->found.has_value(); });
    if (!in_time)
        return Status{Code::io, "walking the InfiniBand network took more than " + std::to_string(seconds) + " s"};
    return std::move(*table->found);
}

#else

Result<FoundFabric> walk_fabric(int) {
    return Status{Code::unsupported, "built without the library that walks InfiniBand networks"};
}

#endif

}  // namespace muster
