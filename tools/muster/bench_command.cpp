#include <fmt/core.h>

#include <memory>

#include "bench_exchange.hpp"
#include "bench_run.hpp"
#include "command.hpp"

namespace muster::tool {

namespace {

void print(BenchSummary const& summary) {
    if (summary.request.json) {
        fmt::print("{}\n", bench_json(summary).dump(2));
    } else {
        fmt::print("{}", summary.request.csv ? bench_csv(summary) : bench_text(summary));
    }
}

void add_subject_options(CLI::App& command, BenchRequest& request) {
    command
        .add_option(
            "WORKLOAD", request.workload,
            "One of 'muster workloads'; its own options may follow. Or exchange: the kernels against each other, without files")
        ->required();
    command.add_option("--ranks", request.ranks, "Ranks")->capture_default_str();
    command.add_option("--mpi", request.mpi, "mpich or openmpi")->capture_default_str();
    command.add_option("--target", request.target, "Directory for the files")->capture_default_str();
    command.add_option("--runs", request.runs, "Runs that count")->capture_default_str();
    command.add_option("--warm-ups", request.warm_ups, "Runs before them")->capture_default_str();
    command.add_option("--steps", request.steps, "Time steps in a run, one behind the other in the file")
        ->capture_default_str();
    command.add_option("--operations", request.operations, "write, read or both")->capture_default_str();
    command.add_option("--mode", request.mode, "multi: one call for all variables; independent: one for each")
        ->capture_default_str();
    command
        .add_option("--views", request.views,
                    "once: one file view for all steps; each: every call sets its own, as PnetCDF and HDF5 do")
        ->capture_default_str();
    command.add_option("--cache", request.cache, "warm, or cold: what is read is not in the page cache")
        ->capture_default_str();
    command.add_option("--file", request.file, "fresh, or overwrite: what is written is there before")
        ->capture_default_str();
    command.add_option("--types", request.types, "File types: structured as the data is, or flat lists of pieces")
        ->capture_default_str();
    command.add_flag("--sync", request.sync, "Writing ends when the storage has the bytes");
}

void add_back_end_options(CLI::App& command, BenchRequest& request) {
    command
        .add_option(
            "--back-ends", request.back_ends,
            "native (the MPI's own I/O), drop-in (the same calls on the drop-in library), muster, muster-plan (a plan that is kept over the steps), and "
            "for Open MPI romio321")
        ->capture_default_str();
    command
        .add_option(
            "--hints", request.hints,
            "A back end with hints: label:muster_window=1MiB,muster_aggregators=2 or label:cb_nodes=4 for native; native/, muster/ or "
            "plan/ before the label says which")
        ->type_size(1)
        ->allow_extra_args(false);
    command
        .add_option("--patient", request.patient,
                    "MPICH sleeps while it waits: on, off, or automatic (with more ranks than cores)")
        ->capture_default_str();
}

void add_start_options(CLI::App& command, BenchRequest& request) {
    command.add_option("--launcher", request.launcher,
                       "Instead of mpirun and its options, as in \"srun --mpi=pmix\"; -n RANKS follows");
    command.add_option("--program", request.program, "muster-bench of the MPI, where it is not found");
    command.add_option("--timeout", request.timeout, "Seconds without news until we give up")->capture_default_str();
    command
        .add_option("--budget", request.budget,
                    "Seconds for all runs: everything is measured once, and again while it fits; 0: no end")
        ->capture_default_str();
    command
        .add_option(
            "--cap", request.cap,
            "Seconds after which a measurement of the MPI's own I/O is ended and told as more than that; 0: never")
        ->capture_default_str();
    command.add_flag("--keep", request.keep, "Leave what was written in the target, as LABEL.bin");
    command.add_flag("--report", request.report, "Tell where Muster's time goes");
    auto* const json = command.add_flag("--json", request.json, "As JSON, and nothing else");
    command.add_flag("--csv", request.csv, "As CSV, and nothing else")->excludes(json);
}

constexpr auto footer =
    R"(Back ends take turns, use the same file types and buffers, and every byte is verified. Times run from the first rank's start to the last
rank's end. The floor is two processes that write or read the same bytes contiguously, with the best of three block sizes.
Exit status 0 means that everything was done and verified.
'muster bench exchange' sends messages only: every kernel on three patterns, as ratios to ascending. Its options: --bytes of a message [16KiB],
--rounds [20], --aggregators [a quarter of the ranks], --throttle [32], --nodes [2].
Examples:
  muster bench e3sm-f --ne 16 --levels 10 --d2 5 --d3 2 --ranks 16 --target /dev/shm
  muster bench btio --grid 64 --variables 4 --ranks 16 --mpi mpich --steps 5 --back-ends native,muster,muster-plan
  muster bench cube --grid 100 --hints tuned:cb_nodes=4,cb_buffer_size=16777216 --json
  muster bench e3sm-g --cells 40000 --edges 0 --vertices 0 --ranks 64 --budget 60 --cap 10
  muster bench exchange --ranks 64 --mpi mpich --bytes 4KiB)";

}  // namespace

void add_bench_command(CLI::App& app, Run& chosen) {
    auto* const command = app.add_subcommand("bench", "Times and verifies Muster against the MPI's own I/O");
    auto const request = std::make_shared<BenchRequest>();
    request->mpi = usual_mpi();
    add_subject_options(*command, *request);
    add_back_end_options(*command, *request);
    add_start_options(*command, *request);
    command->allow_extras();
    command->footer(footer);
    command->callback([&chosen, request, command] {
        request->workload_options = command->remaining();
        chosen = [request] {
            return is_exchange(*request) ? run_exchange_bench(*request) : run_bench(*request, print);
        };
    });
}

}  // namespace muster::tool
