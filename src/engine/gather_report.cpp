#include "engine/gather_report.hpp"

#include <type_traits>

namespace muster {

Report gather_report(Comm const& comm, Report report) {
    static_assert(std::is_trivially_copyable_v<RankReport>);
    report.by_rank.resize(static_cast<std::size_t>(comm.size));
    MPI_Request request = MPI_REQUEST_NULL;
    int const size = sizeof(RankReport);
    MPI_Iallgather(&report.mine, size, MPI_BYTE, report.by_rank.data(), size, MPI_BYTE, comm.handle, &request);
    wait(request);
    report.total = {};
    for (auto const& rank : report.by_rank) report.total += rank;
    return report;
}

}  // namespace muster
