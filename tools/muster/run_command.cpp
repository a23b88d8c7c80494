#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench_start.hpp"
#include "command.hpp"
#include "core/environment.hpp"
#include "core/hints.hpp"
#include "run_words.hpp"
#include "table.hpp"

namespace muster::tool {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct RunRequest {
    Words words;
    std::string report{"muster-run.json"};
    std::string capture;  // empty: none
    std::string mpi;
    std::string library;
};

// --- what to start ---

std::string version_of(std::string const& launcher) {
    std::string text;
    Listener listener;
    listener.hear = [&](std::string const& line) { text += line + "\n"; };
    listener.timeout = 20;
    return run_program({launcher, "--version"}, listener).ok() ? text : "";
}

bool is_launcher(std::string const& word) {
    auto const name = fs::path{word}.filename().string();
    return name.starts_with("mpirun") || name.starts_with("mpiexec") || name == "orterun" || name == "prterun";
}

Result<fs::path> find_library(std::string const& mpi) {
    std::error_code ignored;
    auto const here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    auto const name = "libmuster-mpiio-" + mpi + ".so";
    std::vector<fs::path> places{here, here.parent_path() / mpi, here.parent_path() / "lib",
                                 here.parent_path() / "lib64"};
    for (auto const& entry : fs::directory_iterator{here.parent_path() / "lib", ignored}) places.push_back(entry);
    for (auto const& place : places) {
        if (fs::exists(place / name, ignored)) return place / name;
    }
    return Status{Code::not_found, "there is no " + name + " beside this program; build it with 'script/build " + mpi +
                                       "', or say where it is with --library"};
}

Result<fs::path> choose_library(RunRequest const& request, std::string const& mpi) {
    if (!request.library.empty()) return fs::absolute(request.library);
    if (mpi.empty()) {
        return Status{Code::invalid_argument,
                      "cannot tell from " + request.words[0] + " which MPI this is; say --mpi openmpi or mpich"};
    }
    return find_library(mpi);
}

Result<RankCommand> prepare(RunRequest const& request) {
    auto const& name = request.words[0];
    auto const launcher = recognise_launcher(name, is_launcher(name) ? version_of(name) : "");
    auto const library = choose_library(request, request.mpi.empty() ? mpi_of(launcher) : request.mpi);
    if (!library.ok()) return library.status();
    auto const before = environment_variable("LD_PRELOAD").value_or("");
    Variables variables{{"LD_PRELOAD", library->string() + (before.empty() ? "" : ":" + before)},
                        {"MUSTER_REPORT", fs::absolute(request.report).string()}};
    if (!request.capture.empty()) variables.emplace_back("MUSTER_CAPTURE", fs::absolute(request.capture).string());
    return with_variables(launcher, request.words, std::move(variables));
}

// --- starting it ---

volatile std::sig_atomic_t child_id = 0;

// A key on the terminal reaches the child anyway; what is sent to us alone goes on to it.
void pass_signals_on() {
    struct sigaction action {};
    sigemptyset(&action.sa_mask);
    action.sa_handler = SIG_IGN;
    for (auto const signal : {SIGINT, SIGQUIT}) sigaction(signal, &action, nullptr);
    action.sa_handler = [](int signal) {
        if (child_id > 0) kill(child_id, signal);
    };
    for (auto const signal : {SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

[[noreturn]] void become(RankCommand const& command) {
    for (auto const& [name, value] : command.environment) setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> arguments;
    for (auto const& word : command.words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    std::perror(("muster: cannot start " + command.words[0]).c_str());
    _exit(127);
}

// As a shell would tell it.
int exit_status_of(int result) { return WIFEXITED(result) ? WEXITSTATUS(result) : 128 + WTERMSIG(result); }

Result<int> run_to_its_end(RankCommand const& command) {
    std::fflush(stdout);
    auto const child = fork();
    if (child < 0) return system_status(errno, "cannot start " + command.words[0]);
    if (child == 0) become(command);
    child_id = child;
    pass_signals_on();
    int result = 0;
    while (waitpid(child, &result, 0) < 0 && errno == EINTR) {
    }
    return exit_status_of(result);
}

// --- what it did ---

struct Count {
    Size handled{0};
    Size passed{0};
};

Count count_accesses(Json const& file) {
    Count count;
    for (auto const& call : file["calls"]) {
        auto const name = call["call"].get<std::string>();
        if (name.find("read") == name.npos && name.find("write") == name.npos) continue;
        if (name.ends_with("_end")) continue;
        count.handled += call["handled"].get<Size>();
        count.passed += call["passed"].get<Size>();
    }
    return count;
}

std::string costliest_phase(Json const& phases) {
    std::string name;
    double most = 0;
    for (auto const& [phase, seconds] : phases.items()) {
        if (seconds["mean"].get<double>() <= most) continue;
        most = seconds["mean"].get<double>();
        name = phase;
    }
    return name.empty() ? "" : fmt::format("mostly {}, {:.4f} s", name, most);
}

void add_file(std::vector<Row>& rows, Json const& file) {
    auto const [handled, passed] = count_accesses(file);
    auto const left = file["left_to_the_mpi"].get<std::string>();
    rows.push_back({file["file"], with_commas(handled), with_commas(passed), "", "", "",
                    left.empty() ? "" : "left to the MPI: " + left});
    for (auto const& pattern : file["patterns"]) {
        rows.push_back({"  " + pattern["operation"].get<std::string>() + " x " + with_commas(pattern["calls"]), "", "",
                        format_size(pattern["bytes"]), with_commas(pattern["pieces"]),
                        fmt::format("{:.4f}", pattern["seconds"].get<double>()), costliest_phase(pattern["phases"])});
    }
}

double seconds_of(Json const& file) {
    double seconds = 0;
    for (auto const& pattern : file["patterns"]) seconds += pattern["seconds"].get<double>();
    return seconds;
}

constexpr std::size_t most_files = 12;

// Those that took longest.
std::vector<Json> files_to_show(Json const& report) {
    std::vector<Json> files(report["files"].begin(), report["files"].end());
    std::stable_sort(files.begin(), files.end(),
                     [](Json const& a, Json const& b) { return seconds_of(a) > seconds_of(b); });
    files.resize(std::min(files.size(), most_files));
    return files;
}

void print_summary(Json const& report) {
    std::vector<Row> rows{{"FILE", "BY MUSTER", "BY THE MPI", "BYTES", "PIECES", "SECONDS", "WHERE THE TIME GOES"}};
    for (auto const& file : files_to_show(report)) add_file(rows, file);
    if (auto const count = report["files"].size(); count > most_files) {
        rows.push_back({fmt::format("and {} files that took less time", count - most_files)});
    }
    if (report["files"].empty()) {
        fmt::print(stderr, "muster: the program has closed no file of MPI's\n");
    } else {
        fmt::print(stderr, "\n{}", table_text(rows, terminal_width()));
    }
}

void tell(std::string const& name) {
    std::ifstream in{name};
    auto const report = Json::parse(in, nullptr, false);
    if (report.is_discarded() || !report.contains("files")) {
        fmt::print(stderr,
                   "muster: there is no report: the program has not come to MPI_Finalize, uses another MPI than the "
                   "drop-in was built for, or is linked statically\n");
        return;
    }
    print_summary(report);
    fmt::print(stderr, "\nmuster: the report is {}; 'muster report {}' makes a page of it\n", name, name);
}

void tell_capture(std::string const& name) {
    std::error_code failed;
    auto const size = fs::file_size(name, failed);
    if (failed) return;
    fmt::print(
        stderr,
        "muster: the capture is {}, {}; 'muster replay {}' runs it again, 'muster replay --list {}' tells what it has\n",
        name, format_size(static_cast<Size>(size)), name, name);
}

Status run(RunRequest const& request, int& exit_status) {
    auto const command = prepare(request);
    if (!command.ok()) return command.status();
    std::error_code ignored;
    fs::remove(request.report, ignored);
    if (!request.capture.empty()) fs::remove(request.capture, ignored);
    auto const ended = run_to_its_end(*command);
    if (!ended.ok()) return ended.status();
    exit_status = *ended;
    if (exit_status == 127) return {};
    tell(request.report);
    if (!request.capture.empty()) tell_capture(request.capture);
    return {};
}

void add_common_options(CLI::App& command, RunRequest& request) {
    command.add_option("--report", request.report, "Where to keep the report")->capture_default_str();
    command.add_option("--mpi", request.mpi, "mpich or openmpi, where the command does not tell")
        ->check(CLI::IsMember({"mpich", "openmpi"}));
    command.add_option("--library", request.library, "The drop-in library, where it is not found");
    command.add_option("COMMAND", request.words, "What starts the ranks, after --")->required();
    command.positionals_at_end();
}

constexpr auto footer =
    R"(The collective MPI_File calls of the program are done by Muster, without compiling or linking it again. Hints come from the environment,
as in MUSTER_WINDOW=8MiB. The exit status is the program's.
BY MUSTER and BY THE MPI count accesses, on every rank; SECONDS are those of the slowest rank.
Examples:
  muster run -- mpirun -n 16 ./program input.nml
  muster run --report before.json -- mpirun.mpich -n 4 ./program
  muster run --mpi openmpi -- ./job.sh)";

constexpr auto capture_footer =
    R"(The program runs as with 'muster run'. Of every collective access it is recorded where its bytes lie, by every rank, in a few bytes; not the
data. Accesses of single ranks are counted. At most 64 MiB for each rank are kept.
Examples:
  muster capture -o app.capture -- mpirun -n 16 ./program input.nml
  muster replay app.capture
  muster advise app.capture)";

}  // namespace

void add_capture_command(CLI::App& app, Run& chosen, int& exit_status) {
    auto* const command =
        app.add_subcommand("capture", "Runs an MPI program and records its collective file access, to be replayed");
    auto const request = std::make_shared<RunRequest>();
    request->capture = "muster.capture";
    command->add_option("-o,--output", request->capture, "The capture")->capture_default_str();
    add_common_options(*command, *request);
    command->footer(capture_footer);
    command->callback(
        [&chosen, &exit_status, request] { chosen = [request, &exit_status] { return run(*request, exit_status); }; });
}

void add_run_command(CLI::App& app, Run& chosen, int& exit_status) {
    auto* const command =
        app.add_subcommand("run", "Runs an MPI program with its collective file access done by Muster");
    auto const request = std::make_shared<RunRequest>();
    add_common_options(*command, *request);
    command->footer(footer);
    command->callback(
        [&chosen, &exit_status, request] { chosen = [request, &exit_status] { return run(*request, exit_status); }; });
}

}  // namespace muster::tool
