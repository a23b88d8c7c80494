#include "discovery/network.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <set>

#include "hardware/description.hpp"
#include "mpi/agree.hpp"

namespace muster {

namespace {

// What a rank says about its node.
struct Card {
    std::array<char, MPI_MAX_PROCESSOR_NAME + 1> name{};
    std::array<std::uint64_t, 8> guids{};
};

Card own_card() {
    Card card;
    int length = 0;
    MPI_Get_processor_name(card.name.data(), &length);
    auto const guids = own_adapters();
    std::copy_n(guids.begin(), std::min(guids.size(), card.guids.size()), card.guids.begin());
    return card;
}

FabricHost host_of(Card const& card) {
    FabricHost host{card.name.data(), {}};
    for (auto const guid : card.guids) {
        if (guid != 0) host.guids.push_back(guid);
    }
    return host;
}

// Collective. The nodes of the machine, on rank 0.
std::vector<FabricHost> gather_hosts(Comm const& comm, Machine const& machine) {
    auto const mine = own_card();
    std::vector<Card> all(comm.rank == 0 ? static_cast<std::size_t>(comm.size) : 0);
    MPI_Request request = MPI_REQUEST_NULL;
    int const size = sizeof(Card);
    MPI_Igather(&mine, size, MPI_CHAR, all.data(), size, MPI_CHAR, 0, comm.handle, &request);
    wait(request);
    std::vector<FabricHost> hosts;
    if (comm.rank != 0) return hosts;
    for (auto const& ranks : machine.ranks_by_node()) {
        hosts.push_back(host_of(all[static_cast<std::size_t>(ranks.front())]));
    }
    return hosts;
}

// Nodes that are parts of a host have no places of their own.
bool differ(std::vector<FabricHost> const& hosts) {
    std::set<std::string> names;
    for (auto const& host : hosts) names.insert(host.name);
    return names.size() == hosts.size();
}

// Collective. Rank 0's number, for everyone.
bool shared_truth(Comm const& comm, bool mine) {
    Size truth = mine ? 1 : 0;
    broadcast(comm, std::as_writable_bytes(std::span{&truth, 1}), 0);
    return truth != 0;
}

// What rank 0 knows of networks.
struct Sources {
    Result<FoundFabric> fabric{Status{Code::not_found, "there is no InfiniBand network"}};
    std::optional<std::string> slurm;

    bool any() const { return fabric.ok() || slurm; }
};

// Local. Walks once in a process, whichever communicator asks.
Result<FoundFabric> walked_fabric(int seconds) {
    static std::mutex mutex;
    static std::optional<Result<FoundFabric>> walked;
    if (seconds <= 0) return Status{Code::not_found, "the InfiniBand network is not to be walked"};
    std::lock_guard const lock{mutex};
    if (!walked) walked = walk_fabric(seconds);
    return *walked;
}

struct Words {
    std::string network;
    std::string origin;
};

// Local. The first source that knows all hosts.
Words words_from(Sources const& sources, std::vector<FabricHost> const& hosts) {
    if (!differ(hosts)) return {};
    if (sources.fabric) {
        if (auto const found = place_hosts(*sources.fabric, hosts)) return {network_words(*found), "InfiniBand"};
    }
    if (!sources.slurm) return {};
    auto const words = words_for({Description::Kind::slurm, *sources.slurm, {}}, hosts);
    return words ? Words{*words, "SLURM"} : Words{};
}

}  // namespace

NetworkedMachine discover_network(Comm const& comm, Machine machine, int seconds) {
    if (machine.node_count() < 2) return {std::move(machine), {}};
    auto const sources = comm.rank == 0 ? Sources{walked_fabric(seconds), find_slurm_topology()} : Sources{};
    if (!shared_truth(comm, sources.any())) return {std::move(machine), {}};
    auto const hosts = gather_hosts(comm, machine);
    auto words = comm.rank == 0 ? words_from(sources, hosts) : Words{};
    words = {broadcast(comm, words.network, 0), broadcast(comm, words.origin, 0)};
    auto described = describe_machine(machine, words.network);
    return described ? NetworkedMachine{std::move(*described), words.origin} : NetworkedMachine{std::move(machine), {}};
}

Result<NetworkedMachine> described_machine(Comm const& comm, Machine machine, std::string const& hint) {
    if (hint.empty()) return NetworkedMachine{std::move(machine), {}};
    auto const given = comm.rank == 0 ? read_description(hint) : Result<Description>{Description{}};
    auto const needs_hosts = shared_truth(comm, given && given->needs_hosts());
    auto const hosts = needs_hosts ? gather_hosts(comm, machine) : std::vector<FabricHost>{};
    auto const words = !given || comm.rank != 0 ? Result<std::string>{std::string{}} : words_for(*given, hosts);
    if (auto status = agree(comm, first_failure(given.status(), words.status())); !status.ok()) return status;
    auto const text = broadcast(comm, *words, 0);
    auto described = describe_machine(std::move(machine), text);
    if (!described) return described.status();
    return NetworkedMachine{std::move(*described), text.find("network") != text.npos ? "a description" : ""};
}

}  // namespace muster
