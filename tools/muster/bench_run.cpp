#include "bench_run.hpp"

#include <fmt/core.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>

#include "bench_start.hpp"
#include "progress.hpp"

namespace muster::tool {

namespace {

// A directory of our own below the target, gone when we are; or with --keep the target itself.
class Scratch {
public:
    Scratch(std::string const& target, bool keep) : path_{target}, keep_{keep} {
        std::error_code ignored;
        std::filesystem::create_directories(target, ignored);
        if (keep) return;
        path_ += "/muster-bench.XXXXXX";
        if (mkdtemp(path_.data()) == nullptr) status_ = system_status(errno, "cannot make a directory in " + target);
    }
    ~Scratch() {
        std::error_code ignored;
        if (!keep_ && status_.ok()) std::filesystem::remove_all(path_, ignored);
    }
    Scratch(Scratch const&) = delete;
    Scratch& operator=(Scratch const&) = delete;

    std::string const& path() const { return path_; }
    Status const& status() const { return status_; }

private:
    std::string path_;
    bool keep_;
    Status status_;
};

using Clock = std::chrono::steady_clock;

// Who is at work, and since when.
struct AtWork {
    std::string operation;
    std::string label;
    Clock::time_point since{Clock::now()};

    void note(std::string const& doing) {
        auto const by = doing.find(" by ");
        if (by == std::string::npos || doing == operation + " by " + label) return;
        *this = {doing.substr(0, by), doing.substr(by + 4)};
    }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - since).count(); }
};

bool is_native(BenchPlan const& plan, std::string const& label) {
    auto const matches = [&](BackEndRequest const& each) { return each.label == label && each.kind == "native"; };
    return std::any_of(plan.back_ends.begin(), plan.back_ends.end(), matches);
}

// The MPI's own I/O may take so long that it is ended; then the rest goes on without it.
class Session {
public:
    Session(BenchRequest const& request, BenchPlan const& plan, BenchResults& results)
        : request_{request}, plan_{plan}, results_{results} {}

    // What went wrong on the ranks tells more than how their launcher ended.
    Status run_all() {
        for (auto const& start : plan_.starts) {
            if (auto const status = run(start); !status.ok()) return status;
        }
        if (!results_.any_capped()) return {};
        return {Code::io, "the MPI's own I/O was ended where it took more than " + std::to_string(request_.cap) +
                              " s (--cap); all else was verified"};
    }

private:
    Status run(BenchStart start) {
        for (;;) {
            auto const heard = results_.heard() + results_.skipped();
            capped_ = false;
            auto const status = run_once(start);
            if (!results_.error().empty()) return {Code::io, results_.error()};
            if (!capped_)
                return status.ok() ? check_count(results_.heard() + results_.skipped() - heard, start) : status;
            results_.cap(at_work_.operation, at_work_.label, request_.cap);
            start.words.insert(start.words.end(), {"--skip", at_work_.operation + "/" + at_work_.label});
        }
    }

    Status run_once(BenchStart const& start) {
        auto const before = results_.heard();
        ProgressLine line{"measuring"};
        at_work_ = {};
        Listener listener;
        listener.timeout = request_.timeout;
        listener.hear = [&](std::string const& said) {
            if (!results_.hear(said)) fmt::print(stderr, "{}\n", said);
            at_work_.note(results_.doing());
            line.show(static_cast<double>(results_.heard() - before) / start.samples, results_.doing());
        };
        listener.check = [&] { return check_cap(); };
        return run_program(start.words, listener);
    }

    Status check_cap() {
        if (request_.cap == 0 || at_work_.seconds() < request_.cap || !is_native(plan_, at_work_.label)) return {};
        capped_ = true;
        return {Code::io, "too slow"};
    }

    static Status check_count(int heard, BenchStart const& start) {
        if (heard == start.samples) return {};
        return {Code::internal, fmt::format("{} measurements instead of {}", heard, start.samples)};
    }

    BenchRequest const& request_;
    BenchPlan const& plan_;
    BenchResults& results_;
    AtWork at_work_;
    bool capped_{false};
};

}  // namespace

Status run_bench(BenchRequest const& request, std::function<void(BenchSummary const&)> const& show) {
    SignalWatch const watch;
    auto site = find_site(request);
    if (!site.ok()) return site.status();
    Scratch const scratch{request.target, request.keep};
    if (!scratch.status().ok()) return scratch.status();
    site->directory = scratch.path();
    auto const plan = plan_bench(request, *site);
    if (!plan.ok()) return plan.status();
    BenchResults results;
    auto const status = Session{request, *plan, results}.run_all();
    if (results.heard() > 0) show({request, *plan, *site, results, status.ok()});
    return status;
}

}  // namespace muster::tool
