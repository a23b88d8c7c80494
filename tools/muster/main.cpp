// muster: shows hints and workloads, and tells what a collective call would do on a machine that need not exist.
#include <cstdio>
#include <exception>

#include "command.hpp"

namespace {

using muster::Status;

Status flush_output() {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return {};
    return {muster::Code::io, "cannot write to standard output"};
}

// Printing throws when it cannot write.
Status run_guarded(muster::tool::Run const& chosen) {
    try {
        return chosen();
    } catch (std::exception const& error) {
        return {muster::Code::io, error.what()};
    }
}

int finish(Status const& status, int exit_status) {
    auto const verdict = muster::first_failure(status, flush_output());
    if (verdict.ok()) return exit_status;
    std::fprintf(stderr, "muster: %s\n", verdict.text().c_str());
    return 1;
}

}  // namespace

// What the option parser throws while it is set up is a mistake in this program, and may end it.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int count, char** arguments) {
    CLI::App app{"Muster: fast collective file I/O for MPI programs."};
    app.name("muster");
    app.require_subcommand(1);
    app.footer("'muster COMMAND --help' tells more about a command.");
    muster::tool::Run chosen;
    int exit_status = 0;
    muster::tool::add_run_command(app, chosen, exit_status);
    muster::tool::add_capture_command(app, chosen, exit_status);
    muster::tool::add_replay_command(app, chosen);
    muster::tool::add_advise_command(app, chosen);
    muster::tool::add_report_command(app, chosen);
    muster::tool::add_plan_command(app, chosen);
    muster::tool::add_bench_command(app, chosen);
    muster::tool::add_topo_command(app, chosen);
    muster::tool::add_placement_command(app, chosen);
    muster::tool::add_subfiles_commands(app, chosen);
    muster::tool::add_workloads_command(app, chosen);
    muster::tool::add_hints_command(app, chosen);
    muster::tool::add_manual_command(app, chosen);
    muster::tool::add_completion_command(app, chosen);
    try {
        app.parse(count, arguments);
    } catch (CLI::ParseError const& error) {
        return app.exit(error);
    }
    auto const status = run_guarded(chosen);
    return finish(status, exit_status);
}
