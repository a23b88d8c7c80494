#include "preload/record_sums.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <span>

#include "core/hints.hpp"
#include "engine/gather_report.hpp"

namespace muster::preload {

namespace {

constexpr std::array members{
    &RankReport::bytes,
    &RankReport::pieces,
    &RankReport::messages_inside_node,
    &RankReport::messages_between_nodes,
    &RankReport::bytes_inside_node,
    &RankReport::bytes_between_nodes,
    &RankReport::metadata_bytes,
    &RankReport::file_reads,
    &RankReport::file_writes,
    &RankReport::file_bytes_read,
    &RankReport::file_bytes_written,
    &RankReport::read_modify_writes,
    &RankReport::kernel_fallbacks,
};
static_assert(sizeof(RankReport) == sizeof(Size) * members.size() + sizeof(double) * (phase_count + 3));

constexpr std::size_t most_detailed = 6;  // patterns
constexpr int most_ranks_detailed = 128;

using Times = std::vector<double>;

Times reduced(Comm const& comm, Times times, MPI_Op operation) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, times.data(), static_cast<int>(times.size()), MPI_DOUBLE, operation, comm.handle,
                   &request);
    wait(request);
    return times;
}

Times times_of(std::vector<PatternAccount> const& patterns) {
    Times times;
    for (auto const& pattern : patterns) {
        auto const& mine = pattern.report.mine;
        times.insert(times.end(), mine.seconds.begin(), mine.seconds.end());
        times.push_back(mine.total_seconds);
    }
    return times;
}

// Those that move most; the same on all ranks.
std::vector<std::size_t> largest(std::vector<PatternAccount> const& patterns) {
    std::vector<std::size_t> order(patterns.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
        auto const bytes = [&](std::size_t i) { return patterns[i].calls * patterns[i].summary.bytes; };
        return bytes(left) > bytes(right);
    });
    order.resize(std::min(order.size(), most_detailed));
    return order;
}

// Collective.
void add_details(Comm const& comm, std::vector<PatternAccount> const& patterns, std::vector<PatternSums>& sums) {
    for (auto const i : largest(patterns)) {
        auto gathered = gather_report(comm, patterns[i].report);
        sums[i].flow = std::move(gathered.flow);
        if (comm.size <= most_ranks_detailed) sums[i].by_rank = std::move(gathered.by_rank);
    }
}

std::vector<Size> counters_of(std::vector<PatternAccount> const& patterns) {
    std::vector<Size> counters;
    for (auto const& pattern : patterns) {
        for (auto const member : members) counters.push_back(pattern.report.mine.*member);
    }
    return counters;
}

}  // namespace

std::vector<PatternSums> add_up(Comm const& comm, std::vector<PatternAccount> const& patterns) {
    std::vector<PatternSums> sums(patterns.size());
    if (patterns.empty()) return sums;
    auto const times = times_of(patterns);
    auto const lowest = reduced(comm, times, MPI_MIN);
    auto const highest = reduced(comm, times, MPI_MAX);
    auto const all = reduced(comm, times, MPI_SUM);
    auto counters = counters_of(patterns);
    reduce_all(comm, counters, MPI_SUM);
    for (std::size_t p = 0; p < sums.size(); ++p) {
        auto& sum = sums[p];
        for (std::size_t i = 0; i < PatternSums::times; ++i) {
            auto const at = p * PatternSums::times + i;
            sum.lowest[i] = lowest[at];
            sum.highest[i] = highest[at];
            sum.mean[i] = all[at] / comm.size;
            if (i < phase_count) sum.total.seconds[i] = all[at];
        }
        sum.total.total_seconds = all[p * PatternSums::times + phase_count];
        for (std::size_t i = 0; i < members.size(); ++i) sum.total.*members[i] = counters[p * members.size() + i];
    }
    add_details(comm, patterns, sums);
    return sums;
}

Totals& Totals::operator+=(Totals const& other) {
    files += other.files;
    collective += other.collective;
    handled += other.handled;
    independent += other.independent;
    bytes_written += other.bytes_written;
    bytes_read += other.bytes_read;
    microseconds += other.microseconds;
    return *this;
}

namespace {

// Functions that move data, each once.
bool counts_as_access(CallName call) {
    auto const name = name_of(call);
    auto const moves = name.find("read") != name.npos || name.find("write") != name.npos;
    return moves && facts(call).form != Form::end;
}

}  // namespace

Totals totals_of(std::vector<Size> const& counts, std::vector<PatternAccount> const& patterns,
                 std::vector<PatternSums> const& sums) {
    Totals totals;
    totals.files = 1;
    for (std::size_t i = 0; i < call_count; ++i) {
        auto const call = static_cast<CallName>(i);
        if (!counts_as_access(call)) continue;
        Size all = 0;
        for (std::size_t reason = 0; reason < reason_count; ++reason) all += counts[i * reason_count + reason];
        (facts(call).collective ? totals.collective : totals.independent) += all;
        if (facts(call).collective) totals.handled += counts[i * reason_count];
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
        auto const write = patterns[i].report.operation == "write";
        (write ? totals.bytes_written : totals.bytes_read) += sums[i].total.bytes;
        totals.microseconds += static_cast<Size>(sums[i].highest[phase_count] * 1e6);
    }
    return totals;
}

Totals add_up(Comm const& comm, Totals totals) {
    std::array<Size, 7> numbers{totals.files,         totals.collective, totals.handled,     totals.independent,
                                totals.bytes_written, totals.bytes_read, totals.microseconds};
    reduce_all(comm, numbers, MPI_SUM);
    return {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6]};
}

std::string summary_of(Totals const& totals) {
    std::array<char, 32> seconds{};
    std::snprintf(seconds.data(), seconds.size(), "%.3f s", static_cast<double>(totals.microseconds) / 1e6);
    return "muster: " + std::to_string(totals.handled) + " of " + std::to_string(totals.collective) +
           " collective accesses (counted on every rank) to " + std::to_string(totals.files) +
           (totals.files == 1 ? " file" : " files") + ": " + format_size(totals.bytes_written) + " written, " +
           format_size(totals.bytes_read) + " read in " + seconds.data() + "; " + std::to_string(totals.independent) +
           " independent accesses left to the MPI";
}

}  // namespace muster::preload
