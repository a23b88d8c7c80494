// The commands of the tool. Each adds itself to the command line, and when it is chosen sets what is to be run.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "muster/status.hpp"

namespace muster::tool {

using Run = std::function<Status()>;

void add_hints_command(CLI::App& app, Run& chosen);
void add_workloads_command(CLI::App& app, Run& chosen);
void add_plan_command(CLI::App& app, Run& chosen);
void add_bench_command(CLI::App& app, Run& chosen);
void add_topo_command(CLI::App& app, Run& chosen);
void add_placement_command(CLI::App& app, Run& chosen);
void add_advise_command(CLI::App& app, Run& chosen);
void add_report_command(CLI::App& app, Run& chosen);
// The program that is run has an exit status of its own.
void add_run_command(CLI::App& app, Run& chosen, int& exit_status);
void add_capture_command(CLI::App& app, Run& chosen, int& exit_status);
void add_replay_command(CLI::App& app, Run& chosen);
void add_subfiles_commands(CLI::App& app, Run& chosen);
void add_manual_command(CLI::App& app, Run& chosen);
void add_completion_command(CLI::App& app, Run& chosen);

}  // namespace muster::tool
