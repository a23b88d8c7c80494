// The table of workloads: names, meanings, options.
#pragma once

#include <span>

#include "workloads/options.hpp"
#include "workloads/workload.hpp"

namespace muster {

struct WorkloadInfo {
    std::string_view name;
    std::string_view meaning;
    std::vector<OptionInfo> options;
    int paper_ranks;  // on how many ranks the papers ran it
    Result<Workload> (*make)(int ranks, WorkloadOptions const& options);
};

std::span<WorkloadInfo const> workload_table();
Result<Workload> make_workload(std::string_view name, int ranks, std::span<OptionPair const> options = {});

// The rows of the table, each beside the code that makes the workload.
WorkloadInfo e3sm_f_info();
WorkloadInfo e3sm_g_info();
WorkloadInfo map_info();
WorkloadInfo btio_info();
WorkloadInfo s3d_info();
WorkloadInfo cube_info();
WorkloadInfo flash_info();
WorkloadInfo hacc_info();
WorkloadInfo array1d_info();
WorkloadInfo noncontig_info();
WorkloadInfo contiguous_info();
WorkloadInfo strided_info();
WorkloadInfo capture_info();

}  // namespace muster
