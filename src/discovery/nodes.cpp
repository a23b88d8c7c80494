#include "discovery/nodes.hpp"

#include <sched.h>

#include <algorithm>

namespace muster {

Machine discover_nodes(Comm const& comm) {
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(comm.handle, MPI_COMM_TYPE_SHARED, comm.rank, MPI_INFO_NULL, &node);
    Size lowest = comm.rank;
    reduce_all(Comm::of(node), std::span{&lowest, 1}, MPI_MIN);
    MPI_Comm_free(&node);
    auto const labels = gather_all(comm, lowest);
    return machine_from_labels({labels.begin(), labels.end()});
}

int numa_domain() {
    unsigned core = 0;
    unsigned domain = 0;
    return getcpu(&core, &domain) == 0 ? static_cast<int>(domain) : 0;
}

Machine discover_numa_domains(Comm const& comm, Machine const& nodes) {
    return split_nodes(nodes, gather_all(comm, numa_domain()));
}

Machine split_nodes(Machine const& nodes, std::vector<Size> const& domains) {
    auto const most = *std::max_element(domains.begin(), domains.end()) + 1;
    std::vector<int> labels;
    for (std::size_t rank = 0; rank < domains.size(); ++rank) {
        labels.push_back(static_cast<int>(nodes.node_of[rank] * most + domains[rank]));
    }
    return machine_from_labels(labels);
}

}  // namespace muster
