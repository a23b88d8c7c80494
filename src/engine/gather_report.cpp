#include "engine/gather_report.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/flow.hpp"

namespace muster {

namespace {

// Collective. All ranks have flows of the same sizes, each in one row.
Flow gather_flow(Comm const& comm, Flow const& mine) {
    if (mine.empty()) return {};
    auto const each = flow_share(comm.size);
    auto const columns = mine.bytes.front().size(), steps = mine.by_round.size();
    auto const rows = static_cast<std::size_t>((comm.size + each - 1) / each);
    std::vector<Size> sums(rows * columns + steps), longest;
    auto const row = static_cast<std::size_t>(comm.rank / each) * columns;
    for (std::size_t i = 0; i < columns; ++i) sums[row + i] = mine.bytes.front()[i];
    std::copy(mine.by_round.begin(), mine.by_round.end(), sums.end() - static_cast<std::ptrdiff_t>(steps));
    for (auto const seconds : mine.seconds_by_round) longest.push_back(std::llround(seconds * 1e9));
    reduce_all(comm, sums, MPI_SUM);
    reduce_all(comm, longest, MPI_MAX);
    auto all = mine;
    all.ranks_per_row = each;
    all.bytes.clear();
    for (auto at = sums.begin(); all.bytes.size() < rows; at += static_cast<std::ptrdiff_t>(columns)) {
        all.bytes.emplace_back(at, at + static_cast<std::ptrdiff_t>(columns));
    }
    all.by_round.assign(sums.end() - static_cast<std::ptrdiff_t>(steps), sums.end());
    for (std::size_t i = 0; i < longest.size(); ++i) all.seconds_by_round[i] = static_cast<double>(longest[i]) * 1e-9;
    return all;
}

}  // namespace

Report gather_report(Comm const& comm, Report report) {
    static_assert(std::is_trivially_copyable_v<RankReport>);
    report.by_rank.resize(static_cast<std::size_t>(comm.size));
    MPI_Request request = MPI_REQUEST_NULL;
    int const size = sizeof(RankReport);
    MPI_Iallgather(&report.mine, size, MPI_BYTE, report.by_rank.data(), size, MPI_BYTE, comm.handle, &request);
    wait(request);
    report.total = {};
    for (auto const& rank : report.by_rank) report.total += rank;
    report.flow = gather_flow(comm, report.flow);
    return report;
}

}  // namespace muster
