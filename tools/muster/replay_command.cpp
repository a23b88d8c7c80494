// 'muster replay': a captured program's file access again, without the program.
#include <fmt/core.h>

#include "bench_run.hpp"
#include "command.hpp"
#include "core/hints.hpp"
#include "replay_parts.hpp"
#include "table.hpp"

namespace muster::tool {

namespace {

// --- what there is ---

Json list_json(Replay const& replay) {
    Json json{{"ranks", replay.capture->ranks()}, {"complete", replay.capture->complete()}, {"parts", Json::array()}};
    for (auto const& part : replay.parts) {
        json["parts"].push_back({{"file", replay.file(part).path},
                                 {"which", part.file + 1},
                                 {"operation", part.write ? "write" : "read"},
                                 {"ranks", replay.file(part).ranks()},
                                 {"calls", part.calls},
                                 {"bytes", part.bytes},
                                 {"pieces", part.pieces}});
    }
    return json;
}

void print_list(Replay const& replay) {
    std::vector<Row> rows{{"", "FILE", "RANKS", "CALLS", "BYTES", "PIECES", "BY SINGLE RANKS"}};
    for (auto const& part : replay.parts) {
        auto const& file = replay.file(part);
        auto const way = static_cast<std::size_t>(part.write ? 1 : 0);
        rows.push_back(
            {fmt::format("{} {}", part.file + 1, part.write ? "write" : "read"), file.path, with_commas(file.ranks()),
             with_commas(part.calls), format_size(part.bytes), with_commas(part.pieces),
             fmt::format("{} accesses, {}", with_commas(file.alone[way]), format_size(file.alone_bytes[way]))});
    }
    fmt::print("{} ranks{}\n\n{}", replay.capture->ranks(),
               replay.capture->complete() ? "" : "; the end is missing, because a rank had no more room",
               table_text(rows, terminal_width()));
}

// --- planning ---

Status plan_all(Replay const& replay, Json& parts) {
    for (auto const& part : replay.parts) {
        auto const planned = plan_part(replay, part);
        if (!planned.ok()) return planned.status();
        if (replay.request.json) {
            parts.push_back(to_json(replay, part, *planned));
        } else {
            fmt::print("{}: ", replay.file(part).path);
            print_plan(planned->request, planned->subject, planned->study);
            fmt::print("\n");
        }
    }
    return {};
}

// --- running ---

std::string amounts(Json const& report) {
    return fmt::format("{} calls, {} in {} pieces, {} rounds\n", with_commas(report.value("calls", Size{1})),
                       format_size(report.value("bytes", Size{0})), with_commas(report.value("pieces", Size{0})),
                       with_commas(report.value("rounds", Size{0})));
}

void show(Replay const& replay, ReplayPart const& part, BenchSummary const& summary, Json& parts) {
    auto json = bench_json(summary);
    json["file"] = replay.file(part).path;
    auto const* const operation = part.write ? "write" : "read";
    if (!replay.request.json) {
        fmt::print("{}\n{}", replay.title(part), bench_text(summary));
        if (json[operation].contains("report")) fmt::print("\n{}\n", amounts(json[operation]["report"]));
    }
    parts.push_back(std::move(json));
}

Status run_all(Replay const& replay, Json& parts) {
    Status status;
    for (auto const& part : replay.parts) {
        status = first_failure(status, run_bench(bench_of(replay, part), [&](BenchSummary const& summary) {
                                   show(replay, part, summary, parts);
                               }));
    }
    return status;
}

Status run(ReplayRequest const& request) {
    auto const replay = open_replay(request);
    if (!replay.ok()) return replay.status();
    if (request.list) {
        request.json ? fmt::print("{}\n", list_json(*replay).dump(2)) : print_list(*replay);
        return {};
    }
    if (replay->parts.empty()) return {Code::invalid_argument, "there is no collective access in " + request.capture};
    if (replay->left_out > 0) {
        fmt::print(stderr, "muster: {} with fewer bytes are left out (--most)\n", replay->left_out);
    }
    Json json{{"schema", "muster.replay"}, {"version", 1}, {"capture", request.capture}, {"parts", Json::array()}};
    auto const status = request.plan ? plan_all(*replay, json["parts"]) : run_all(*replay, json["parts"]);
    if (request.json) fmt::print("{}\n", json.dump(2));
    return status;
}

void add_options(CLI::App& command, ReplayRequest& request) {
    command.add_option("CAPTURE", request.capture, "What 'muster capture' has written")->required();
    command.add_flag("--list", request.list, "Only tell what is in it");
    command.add_flag("--plan", request.plan, "Tell what would happen, as 'muster plan' does, without running it");
    command.add_option("--only", request.only, "Only files with this in their names");
    command.add_option("--most", request.most, "At most so many files and operations, those with most bytes; 0: all")
        ->capture_default_str();
    command.add_option("--calls", request.calls, "Only the first so many calls of each file and operation; 0: all")
        ->capture_default_str();
    command.add_option(
        "--rank-order", request.order,
        "Which rank does what which rank of the program did: as-is, reversed, cyclic/NODES, random/SEED, or "
        "a list, as in 3,0,1,2");
    command.add_option("--ranks-per-node", request.ranks_per_node,
                       "Treat so many ranks as a node; if not given, the nodes are those of the program");
    command.add_option("--machine", request.machine, "With --plan: network, tiers, storage; see docs/placement.md");
    command
        .add_option("--hint", request.hints,
                    "For Muster, on top of those that the program had, as in --hint muster_window=1MiB")
        ->type_size(1)
        ->allow_extra_args(false);
    command.add_flag("--json", request.json, "As JSON, and nothing else");
}

void add_bench_options(CLI::App& command, BenchRequest& request) {
    command.add_option("--hints", request.hints, "One more back end, as with 'muster bench': label:muster_window=1MiB")
        ->type_size(1)
        ->allow_extra_args(false);
    command.add_option("--mpi", request.mpi, "mpich or openmpi")->capture_default_str();
    command.add_option("--target", request.target, "Directory for the files")->capture_default_str();
    command.add_option("--runs", request.runs, "Runs that count")->capture_default_str();
    command.add_option("--warm-ups", request.warm_ups, "Runs before them")->capture_default_str();
    command
        .add_option("--cap", request.cap, "Seconds after which a measurement of the MPI's own I/O is ended; 0: never")
        ->capture_default_str();
    command.add_option("--launcher", request.launcher, "Instead of mpirun and its options, as in \"srun --mpi=pmix\"");
    command.add_option("--program", request.program, "muster-bench of the MPI, where it is not found");
}

constexpr auto footer =
    R"(For each file of the program, its collective writes and then its collective reads are done again, call by call, by as many ranks as had the
file open: with the MPI's own I/O and the hints that the program gave, and with Muster. Contents are made up, and every byte is verified. What the
program does between its calls, and what single ranks access, is left out.
The workload 'capture' is the same for 'muster plan' and 'muster bench'.
Examples:
  muster replay app.capture --list
  muster replay app.capture --target /dev/shm --hints small:muster_window=256KiB
  muster replay app.capture --plan --ranks-per-node 4 --rank-order cyclic/4)";

}  // namespace

void add_replay_command(CLI::App& app, Run& chosen) {
    auto* const command =
        app.add_subcommand("replay", "Runs or plans what 'muster capture' has recorded, with other hints");
    auto const request = std::make_shared<ReplayRequest>();
    request->bench.runs = 3;
    request->bench.mpi = usual_mpi();
    add_options(*command, *request);
    add_bench_options(*command, request->bench);
    command->footer(footer);
    command->callback([&chosen, request] { chosen = [request] { return run(*request); }; });
}

}  // namespace muster::tool
