#include "bench_request.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "core/hints.hpp"
#include "plan_request.hpp"

namespace muster::tool {

namespace {

namespace fs = std::filesystem;

Status wanted(std::string const& option, std::string const& value, std::string const& what) {
    return {Code::invalid_argument, option + " is '" + value + "', but wants " + what};
}

Status check_word(std::string const& option, std::string const& value, std::vector<std::string> const& words) {
    if (std::find(words.begin(), words.end(), value) != words.end()) return {};
    std::string list;
    for (auto const& word : words) list += (list.empty() ? "" : " or ") + word;
    return wanted(option, value, list);
}

Status check_count(std::string const& option, int value, int least) {
    return value >= least ? Status{} : wanted(option, std::to_string(value), "at least " + std::to_string(least));
}

Status check_operations(std::string const& operations) {
    if (operations.empty()) return wanted("--operations", operations, "write, read or both");
    Status status;
    for (auto const& word : split_list(operations, ',')) {
        status = first_failure(status, check_word("--operations", word, {"write", "read"}));
    }
    return status;
}

Status check(BenchRequest const& request) {
    Status status = check_word("--mpi", request.mpi, {"mpich", "openmpi"});
    status = first_failure(status, check_word("--mode", request.mode, {"multi", "independent"}));
    status = first_failure(status, check_word("--views", request.views, {"once", "each"}));
    status = first_failure(status, check_word("--cache", request.cache, {"warm", "cold"}));
    status = first_failure(status, check_word("--file", request.file, {"fresh", "overwrite"}));
    status = first_failure(status, check_word("--types", request.types, {"structured", "flat"}));
    status = first_failure(status, check_word("--patient", request.patient, {"automatic", "on", "off"}));
    status = first_failure(status, check_count("--ranks", request.ranks, 1));
    status = first_failure(status, check_count("--runs", request.runs, 1));
    status = first_failure(status, check_count("--steps", request.steps, 1));
    status = first_failure(status, check_count("--warm-ups", request.warm_ups, 0));
    status = first_failure(status, check_count("--timeout", request.timeout, 1));
    status = first_failure(status, check_count("--budget", request.budget, 0));
    status = first_failure(status, check_count("--cap", request.cap, 0));
    return first_failure(status, check_operations(request.operations));
}

// --- back ends ---

constexpr auto drop_in = "drop-in";

bool good_label(std::string const& label) {
    auto const good = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'; };
    return !label.empty() && label != "floor" && label != "prepared" && std::all_of(label.begin(), label.end(), good);
}

Result<BackEndRequest> plain_back_end(std::string const& name, BenchRequest const& request) {
    if (name == "native" || name == "muster") return BackEndRequest{name, name, "", ""};
    if (name == "muster-plan") return BackEndRequest{name, "plan", "", ""};
    if (name == drop_in) return BackEndRequest{name, "native", "", name};
    if (name.starts_with("romio") && request.mpi == "openmpi") return BackEndRequest{name, "native", "", name};
    return wanted("--back-ends", name, "native, drop-in, muster, muster-plan, or with Open MPI romio321");
}

// "label:name=value,..." or "kind/label:name=value,...". Without a kind, names of Muster's own mean Muster.
Result<BackEndRequest> tuned_back_end(std::string const& text) {
    auto const colon = text.find(':');
    auto const form = "label:name=value,... with a label of letters and digits";
    if (colon == std::string::npos) return wanted("--hints", text, form);
    BackEndRequest back_end{text.substr(0, colon), "", text.substr(colon + 1), ""};
    if (auto const slash = back_end.label.find('/'); slash != std::string::npos) {
        back_end.kind = back_end.label.substr(0, slash);
        back_end.label.erase(0, slash + 1);
    } else {
        back_end.kind = ("," + back_end.hints).find(",muster_") != std::string::npos ? "muster" : "native";
    }
    if (!good_label(back_end.label)) return wanted("--hints", text, form);
    if (auto const status = check_word("--hints", back_end.kind, {"native", "muster", "plan"}); !status.ok())
        return status;
    return back_end;
}

bool has_label(std::vector<BackEndRequest> const& list, std::string const& label) {
    return std::any_of(list.begin(), list.end(), [&](auto const& known) { return known.label == label; });
}

Status add(std::vector<BackEndRequest>& list, Result<BackEndRequest> back_end) {
    if (!back_end.ok()) return back_end.status();
    if (has_label(list, back_end->label)) {
        return {Code::invalid_argument, "there are two back ends '" + back_end->label + "'"};
    }
    list.push_back(std::move(*back_end));
    return {};
}

// --- launching ---

void append(std::vector<std::string>& words, std::vector<std::string> const& more) {
    words.insert(words.end(), more.begin(), more.end());
}

// In a container, without a network, and with more ranks than cores.
std::vector<std::string> openmpi_options(BenchSite const& site) {
    std::vector<std::string> words{"--oversubscribe", "--bind-to", "none"};
    if (site.root) words.emplace_back("--allow-run-as-root");
    append(words, {"--mca", "plm", "isolated", "--mca", "pml", "ob1", "--mca", "btl", "self,vader"});
    append(words, {"--mca", "btl_vader_single_copy_mechanism", "none", "--mca", "mpi_yield_when_idle", "1"});
    return words;
}

std::vector<std::string> launcher_words(BenchRequest const& request, BenchSite const& site, bool patient) {
    std::vector<std::string> words;
    if (!request.launcher.empty()) {
        words = split_list(request.launcher, ' ');
    } else {
        words = {"mpirun." + request.mpi};
        if (request.mpi == "openmpi") append(words, openmpi_options(site));
        if (request.mpi == "mpich") append(words, {"-launcher", "fork"});
    }
    if (patient) append(words, {"-genv", "LD_PRELOAD", site.patience});
    return words;
}

std::vector<std::string> job_words(BenchRequest const& request, BenchPlan const& plan, std::string const& directory) {
    std::vector<std::string> words{"--workload", request.workload, "--directory", directory};
    for (auto const& [name, value] : plan.options) append(words, {"--option", name + "=" + value});
    for (auto const& operation : split_list(request.operations, ',')) append(words, {"--operation", operation});
    append(words, {"--runs", std::to_string(request.runs), "--warm-ups", std::to_string(request.warm_ups)});
    append(words, {"--steps", std::to_string(request.steps), "--mode", request.mode, "--cache", request.cache});
    append(words, {"--file", request.file, "--types", request.types, "--views", request.views});
    if (request.budget > 0) append(words, {"--budget", std::to_string(request.budget)});
    append(words, {"--sync", request.sync ? "yes" : "no", "--keep", request.keep ? "yes" : "no"});
    return words;
}

std::vector<std::string> io_components(std::vector<BackEndRequest> const& back_ends) {
    std::vector<std::string> list;
    for (auto const& back_end : back_ends) {
        if (std::find(list.begin(), list.end(), back_end.io) == list.end()) list.push_back(back_end.io);
    }
    return list;
}

// What stands before the program for the launcher to start.
std::vector<std::string> preload_words(BenchSite const& site, bool patient) {
    return {"env", "LD_PRELOAD=" + site.drop_in + (patient ? ":" + site.patience : "")};
}

// The floor is measured in the first start.
BenchStart make_start(BenchRequest const& request, BenchSite const& site, BenchPlan const& plan,
                      std::string const& io) {
    BenchStart start{launcher_words(request, site, plan.patient), 0};
    if (!io.empty() && io != drop_in) append(start.words, {"--mca", "io", io});
    append(start.words, {"-n", std::to_string(request.ranks)});
    if (io == drop_in) append(start.words, preload_words(site, plan.patient));
    start.words.push_back(site.program);
    append(start.words, job_words(request, plan, site.directory));
    auto const with_floor = plan.starts.empty();
    auto entrants = with_floor ? 1 : 0;
    append(start.words, {"--floor", with_floor ? "yes" : "no"});
    for (auto const& [label, kind, hints, component] : plan.back_ends) {
        if (component != io) continue;
        append(start.words, {"--back-end", kind + "/" + label + (hints.empty() ? "" : ":" + hints)});
        ++entrants;
    }
    auto const operations = static_cast<int>(split_list(request.operations, ',').size());
    start.samples = entrants * operations * (request.runs + request.warm_ups);
    return start;
}

// MPICH spins while it waits: with more ranks than cores most of the time goes into that.
bool wants_patience(BenchRequest const& request, BenchSite const& site) {
    if (request.mpi != "mpich" || request.patient == "off") return false;
    return request.patient == "on" || request.ranks > site.cores;
}

Status settle_patience(BenchRequest const& request, BenchSite const& site, BenchPlan& plan) {
    auto const wants = wants_patience(request, site);
    plan.patient = wants && !site.patience.empty();
    if (plan.patient) {
        plan.notes.emplace_back("MPICH was made to sleep while it waits (--patient), for native and Muster alike");
    } else if (wants && request.patient == "on") {
        return {Code::not_found, "--patient on: there is no libpatient_mpich.so beside " + site.program};
    } else if (wants || (request.mpi == "mpich" && request.ranks > site.cores)) {
        plan.notes.emplace_back("more ranks than cores, and MPICH spins while it waits: all times are much too long");
    }
    return {};
}

std::string first_existing(std::vector<fs::path> const& paths) {
    std::error_code ignored;
    for (auto const& path : paths) {
        if (fs::exists(path, ignored)) return fs::weakly_canonical(path, ignored).string();
    }
    return {};
}

int core_count() {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

}  // namespace

Result<std::vector<BackEndRequest>> back_ends_of(BenchRequest const& request) {
    std::vector<BackEndRequest> list;
    Status status;
    for (auto const& name : split_list(request.back_ends, ',')) {
        status = first_failure(status, add(list, plain_back_end(name, request)));
    }
    for (auto const& text : request.hints) status = first_failure(status, add(list, tuned_back_end(text)));
    if (status.ok() && list.empty()) status = wanted("--back-ends", request.back_ends, "at least one");
    if (!status.ok()) return status;
    return list;
}

Result<BenchPlan> plan_bench(BenchRequest const& request, BenchSite const& site) {
    if (auto const status = check(request); !status.ok()) return status;
    BenchPlan plan;
    auto options = option_pairs(request.workload_options);
    if (!options.ok()) return options.status();
    plan.options = std::move(*options);
    if (auto const made = make_workload(request.workload, request.ranks, plan.options); !made.ok())
        return made.status();
    auto back_ends = back_ends_of(request);
    if (!back_ends.ok()) return back_ends.status();
    plan.back_ends = std::move(*back_ends);
    if (has_label(plan.back_ends, drop_in) && site.drop_in.empty()) {
        return Status{Code::not_found, "there is no libmuster-mpiio-" + request.mpi + ".so near " + site.program};
    }
    if (auto const status = settle_patience(request, site, plan); !status.ok()) return status;
    for (auto const& io : io_components(plan.back_ends)) plan.starts.push_back(make_start(request, site, plan, io));
    return plan;
}

Result<BenchPlan> plan_exchange_bench(BenchRequest const& request, BenchSite const& site) {
    if (auto const status = check(request); !status.ok()) return status;
    BenchPlan plan;
    auto options = option_pairs(request.workload_options);
    if (!options.ok()) return options.status();
    if (auto const status = settle_patience(request, site, plan); !status.ok()) return status;
    BenchStart start{launcher_words(request, site, plan.patient), 36};
    append(start.words, {"-n", std::to_string(request.ranks), site.program, "--runs", std::to_string(request.runs)});
    for (auto const& [name, value] : *options) {
        static std::vector<std::string> const known{"bytes", "rounds", "aggregators", "throttle", "nodes"};
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            return Status{Code::invalid_argument, "exchange has no --" + name +
                                                      ", but --bytes, --rounds, --aggregators, --throttle and --nodes"};
        }
        auto const number = parse_size(value);
        if (!number.ok()) return number.status();
        append(start.words, {"--" + name, std::to_string(*number)});
    }
    start.words.emplace_back("--json");
    plan.options = std::move(*options);
    plan.starts.push_back(std::move(start));
    return plan;
}

std::string usual_mpi() {
    std::error_code ignored;
    auto const here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    for (auto const& [place, below] : {std::pair{here, false}, std::pair{here.parent_path(), true}}) {
        for (std::string const mpi : {"openmpi", "mpich"}) {
            if (fs::exists((below ? place / mpi : place) / ("muster-bench-" + mpi), ignored)) return mpi;
        }
    }
    return "openmpi";
}

// Beside this tool where both are installed, or in the build directory of that MPI.
Result<BenchSite> find_site(BenchRequest const& request) {
    BenchSite site{core_count(), geteuid() == 0, {}, {}, {}, {}};
    std::error_code ignored;
    auto const here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    auto const name = (is_exchange(request) ? "muster-exchange-" : "muster-bench-") + request.mpi;
    site.program = first_existing(request.program.empty()
                                      ? std::vector<fs::path>{here / name, here.parent_path() / request.mpi / name}
                                      : std::vector<fs::path>{request.program});
    if (site.program.empty()) {
        return Status{Code::not_found, "there is no " + name + " beside this program; build it with 'script/build " +
                                           request.mpi + "', or say where it is with --program"};
    }
    auto const beside = fs::path{site.program}.parent_path();
    auto const library = "libmuster-mpiio-" + request.mpi + ".so";
    site.patience = first_existing({beside / "libpatient_mpich.so"});
    auto const above = beside.parent_path();
    site.drop_in = first_existing({beside / library, above / "lib" / library, above / "lib64" / library});
    return site;
}

}  // namespace muster::tool
