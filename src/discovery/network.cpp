#include "discovery/network.hpp"

#include <array>

#include "hardware/network_files.hpp"
#include "mpi/agree.hpp"

namespace muster {

namespace {

using Name = std::array<char, MPI_MAX_PROCESSOR_NAME + 1>;

// Collective. The names of the nodes, on rank 0.
std::vector<std::string> host_names(Comm const& comm, Machine const& machine) {
    Name mine{};
    int length = 0;
    MPI_Get_processor_name(mine.data(), &length);
    std::vector<Name> all(comm.rank == 0 ? static_cast<std::size_t>(comm.size) : 0);
    MPI_Request request = MPI_REQUEST_NULL;
    int const size = sizeof(Name);
    MPI_Igather(mine.data(), size, MPI_CHAR, all.data(), size, MPI_CHAR, 0, comm.handle, &request);
    wait(request);
    std::vector<std::string> names;
    if (comm.rank != 0) return names;
    for (auto const& ranks : machine.ranks_by_node()) {
        names.emplace_back(all[static_cast<std::size_t>(ranks.front())].data());
    }
    return names;
}

bool is_slurm(std::string const& text) { return text.find("SwitchName=") != text.npos; }

// Collective. What rank 0 makes of SLURM's words, as text of a machine.
Result<std::string> translate_slurm(Comm const& comm, Machine const& machine, std::string const& text) {
    auto const hosts = host_names(comm, machine);
    if (comm.rank != 0) return std::string{};
    auto const found = parse_slurm_topology(text, hosts);
    if (!found) return found.status();
    std::string places;
    for (auto const place : found->places) places += (places.empty() ? "" : ",") + std::to_string(place);
    return "network " + found->network.text() + "; at " + places;
}

// What rank 0 was told: the hint itself, or the file that it names.
Result<std::string> given_text(std::string const& hint) {
    return hint.starts_with("@") ? read_text(hint.substr(1)) : Result<std::string>{hint};
}

// Collective. Rank 0's number, for everyone.
bool shared_truth(Comm const& comm, bool mine) {
    Size truth = mine ? 1 : 0;
    broadcast(comm, std::as_writable_bytes(std::span{&truth, 1}), 0);
    return truth != 0;
}

// Collective. Rank 0's text over the machine.
Result<Machine> describe_for_all(Comm const& comm, Machine machine, std::string const& text) {
    return describe_machine(std::move(machine), broadcast(comm, text, 0));
}

}  // namespace

Machine discover_network(Comm const& comm, Machine machine) {
    if (machine.node_count() < 2) return machine;
    auto const slurm = comm.rank == 0 ? find_slurm_topology() : std::nullopt;
    if (!shared_truth(comm, slurm.has_value())) return machine;
    auto text = translate_slurm(comm, machine, slurm.value_or(""));
    if (!shared_truth(comm, text.ok())) return machine;
    auto described = describe_for_all(comm, machine, text ? *text : "");
    return described ? std::move(*described) : std::move(machine);
}

Result<Machine> described_machine(Comm const& comm, Machine machine, std::string const& hint) {
    if (hint.empty()) return machine;
    auto text = comm.rank == 0 ? given_text(hint) : Result<std::string>{std::string{}};
    if (shared_truth(comm, text && is_slurm(*text))) text = translate_slurm(comm, machine, text ? *text : "");
    if (auto status = agree(comm, text.status()); !status.ok()) return status;
    return describe_for_all(comm, std::move(machine), *text);
}

}  // namespace muster
