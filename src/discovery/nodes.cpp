#include "discovery/nodes.hpp"

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

}  // namespace muster
