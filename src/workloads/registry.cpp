#include "workloads/registry.hpp"

#include <algorithm>

namespace muster {

namespace {

Status unknown_workload(std::string_view name) {
    std::string known;
    for (auto const& info : workload_table()) known += " " + std::string{info.name};
    return {Code::not_found, "there is no workload '" + std::string{name} + "'; there are:" + known};
}

}  // namespace

std::span<WorkloadInfo const> workload_table() {
    static std::vector<WorkloadInfo> const table{
        e3sm_f_info(), e3sm_g_info(),  map_info(),       btio_info(),       s3d_info(),     flash_info(),   hacc_info(),
        cube_info(),   array1d_info(), noncontig_info(), contiguous_info(), strided_info(), capture_info(),
    };
    return table;
}

Result<Workload> make_workload(std::string_view name, int ranks, std::span<OptionPair const> given) {
    auto const table = workload_table();
    auto const info = std::find_if(table.begin(), table.end(), [&](auto const& row) { return row.name == name; });
    if (info == table.end()) return unknown_workload(name);
    if (ranks < 1) return Status{Code::invalid_argument, "a workload needs at least one rank"};
    auto const options = WorkloadOptions::read(info->options, given);
    if (!options.ok()) return options.status();
    auto workload = info->make(ranks, *options);
    if (workload.ok()) workload->name = name;
    return workload;
}

}  // namespace muster
