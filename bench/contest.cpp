#include "contest.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "doors.hpp"
#include "floor.hpp"
#include "mpi/agree.hpp"
#include "workloads/registry.hpp"

namespace muster::bench {

namespace {

constexpr std::uint64_t prepared_pass = 255;  // of files that are there before
constexpr int least_runs = 5;

// Of an entrant so far.
struct Turns {
    int count{0};
    double lasted{0};    // seconds, the last time
    double measured{0};  // of these, what counts
};

class Contest {
public:
    Contest(Comm const& comm, Job const& job, Access access);

    bool run();

private:
    Status prepare();
    bool run_all(int run);
    bool run_one(int run, Operation operation, std::size_t entrant);
    std::vector<std::size_t> order_of(int run) const;
    bool takes_part(Operation operation, std::size_t entrant);
    bool is_due(Operation operation, std::size_t entrant);
    bool is_rival(Operation operation, Turns const& turns);
    bool is_native(std::size_t entrant) const {
        return entrant < job_.back_ends.size() && job_.back_ends[entrant].kind == Kind::native;
    }
    std::string label_of(std::size_t entrant) const {
        return entrant == job_.back_ends.size() ? "floor" : job_.back_ends[entrant].label;
    }
    Sample run_floor(Operation operation);
    Sample run_back_end(Operation operation, BackEnd const& back_end, int run);
    Status transfer_steps(Door& door, Sample& sample, std::uint64_t pass);
    Measured transfer(Door& door, Operation operation, Size step, std::uint64_t pass);
    Status clear_away(Operation operation, std::string const& path);
    Status on_first(std::function<Status()> const& action);
    std::string path_for(Operation operation, std::string const& label) const;
    void say(std::string const& line) const;
    void end_all(Status const& failure) const;
    // All back ends write the same in a run, and something else in the next one.
    std::uint64_t pass_of(int run) const { return static_cast<std::uint64_t>(run + job_.warm_ups) % prepared_pass; }
    std::size_t entrants() const { return job_.back_ends.size() + (job_.floor ? 1 : 0); }

    Comm comm_;
    Job const& job_;
    Access access_;
    Place place_;
    Gate gate_;
    std::optional<Floor> floor_;
    double start_{now()};
    std::map<std::pair<Operation, std::size_t>, Turns> turns_;
    int done_{0};
    int skipped_{0};
};

Contest::Contest(Comm const& comm, Job const& job, Access access)
    : comm_{comm}, job_{job}, access_{std::move(access)}, place_{comm, job, access_.all_bytes}, gate_{comm} {
    if (job.floor)
        floor_.emplace(comm, place_, Floor::Steps{job.steps, access_.all_bytes, access_.step_bytes}, access_.buffer);
    gate_.give_up = [this](Status const& failure) { end_all(failure); };
}

void Contest::say(std::string const& line) const {
    if (comm_.rank != 0) return;
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

// One rank failed alone, and the others wait for it inside the MPI: they cannot be told.
void Contest::end_all(Status const& failure) const {
    auto const where = "rank " + std::to_string(comm_.rank) + " failed while others went on: ";
    std::printf("%s\n", error_line({failure.code(), where + failure.message()}).c_str());
    std::fflush(stdout);
    MPI_Abort(comm_.handle, 1);
}

// Collective. One rank acts, all know how it ended.
Status Contest::on_first(std::function<Status()> const& action) {
    return gate_.agree(comm_.rank == 0 ? action() : Status{});
}

std::string Contest::path_for(Operation operation, std::string const& label) const {
    return job_.directory + "/" + (operation == Operation::read ? "prepared" : label) + ".bin";
}

// What is read exists, and so does what is overwritten.
Status Contest::prepare() {
    std::set<std::string> paths;
    for (auto const operation : job_.operations) {
        if (operation == Operation::write && !job_.overwrite) continue;
        for (auto const& back_end : job_.back_ends) paths.insert(path_for(operation, back_end.label));
        if (job_.floor) paths.insert(path_for(operation, "floor"));
    }
    Status status;
    for (auto const& path : paths) {
        status = first_failure(status, prepare_file(comm_, path, access_.step_bytes * job_.steps, prepared_pass));
    }
    return status;
}

Status Contest::clear_away(Operation operation, std::string const& path) {
    if (operation == Operation::read || job_.keep || job_.overwrite) return {};
    return on_first([&] { return remove_file(path); });
}

Measured Contest::transfer(Door& door, Operation operation, Size step, std::uint64_t pass) {
    operation == Operation::write ? fill_buffer(access_, step, pass) : spoil(access_.buffer);
    place_.before_step(operation);
    auto measured = measure(gate_, comm_, [&] { return door.transfer(access_, step); });
    if (operation == Operation::read && measured.status.ok()) {
        measured.status = gate_.agree(verify_buffer(access_, step, pass));
    }
    return measured;
}

Status Contest::transfer_steps(Door& door, Sample& sample, std::uint64_t pass) {
    for (Size step = 0; step < job_.steps; ++step) {
        auto const measured = transfer(door, sample.operation, step, pass);
        if (!measured.status.ok()) return measured.status;
        sample.step_seconds.push_back(measured.seconds);
        sample.step_cpu_seconds.push_back(measured.cpu_seconds);
    }
    return {};
}

Sample Contest::run_back_end(Operation operation, BackEnd const& back_end, int run) {
    Sample sample{operation, back_end.label, run, 0, {}, 0, {}, {}};
    auto const path = path_for(operation, back_end.label);
    auto const pass = operation == Operation::read ? prepared_pass : pass_of(run);
    sample.status = place_.make_way(gate_, path, operation);
    if (!sample.status.ok()) return sample;
    if (floor_) floor_->level_caches();
    renew_types(access_, job_.flat);
    auto const reported = run == job_.runs - 1;
    auto const door = make_door(back_end, {comm_.handle, path, operation, job_.sync, reported});
    auto const opened = measure(gate_, comm_, [&] { return door->open(); });
    if (sample.status = opened.status; !sample.status.ok()) return sample;
    sample.open_seconds = opened.seconds;
    sample.status = transfer_steps(*door, sample, pass);
    auto const report = reported && sample.status.ok() ? door->report() : std::string{};
    auto const closed = measure(gate_, comm_, [&] { return door->close(); });
    sample.close_seconds = closed.seconds;
    sample.status = first_failure(sample.status, closed.status);
    if (operation == Operation::write && sample.status.ok()) {
        sample.status = gate_.agree(verify_file(access_, path, job_.steps, pass));
    }
    sample.status = first_failure(sample.status, clear_away(operation, path));
    if (!report.empty()) say(report_line(sample, report));
    return sample;
}

Sample Contest::run_floor(Operation operation) {
    Sample sample{operation, "floor", 0, 0, {}, 0, {}, {}};
    auto const path = path_for(operation, "floor");
    for (auto const& step : floor_->run(gate_, job_, path, operation)) {
        sample.step_seconds.push_back(step.seconds);
        sample.step_cpu_seconds.push_back(step.cpu_seconds);
        sample.status = first_failure(sample.status, step.status);
    }
    if (operation == Operation::write && !job_.overwrite) {
        sample.status = first_failure(sample.status, on_first([&] { return remove_file(path); }));
    }
    return sample;
}

// The floor comes after the last back end.
bool Contest::run_one(int run, Operation operation, std::size_t entrant) {
    auto const is_floor = entrant == job_.back_ends.size();
    auto const label = label_of(entrant);
    auto const began = now();
    auto const total = static_cast<int>(job_.operations.size() * entrants()) * (job_.runs + job_.warm_ups);
    say(progress_line(done_++, total, std::string{name_of(operation)} + " by " + label));
    auto sample = is_floor ? run_floor(operation) : run_back_end(operation, job_.back_ends[entrant], run);
    sample.run = run;
    say(sample_line(sample));
    auto& turns = turns_[{operation, entrant}];
    auto const& steps = sample.step_seconds;
    turns = {turns.count + 1, now() - began, std::accumulate(steps.begin(), steps.end(), 0.0)};
    return sample.status.ok();
}

// At first the MPI's own I/O leads, because it may be ended when it takes too long, and all else with it. Then whoever
// came first in one run comes last in the next.
std::vector<std::size_t> Contest::order_of(int run) const {
    std::vector<std::size_t> order(entrants());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return is_native(i); });
    auto const turn = (static_cast<std::size_t>(run) + static_cast<std::size_t>(job_.warm_ups)) % order.size();
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(turn), order.end());
    return order;
}

// Whoever is not clearly slower than Muster was: which of the two is faster takes more than one run to tell.
bool Contest::is_rival(Operation operation, Turns const& turns) {
    for (std::size_t other = 0; other < job_.back_ends.size(); ++other) {
        if (!is_native(other) && turns.measured < 2 * turns_[{operation, other}].measured) return true;
    }
    return false;
}

// Everybody has one turn; Muster, the floor, rivals and whoever is quick have as many as a median needs; more only while they
// fit into the time.
bool Contest::is_due(Operation operation, std::size_t entrant) {
    auto const& turns = turns_[{operation, entrant}];
    auto const wanted = !is_native(entrant) || turns.lasted * 6 < job_.budget || is_rival(operation, turns);
    auto const due = wanted && turns.count < least_runs + job_.warm_ups;
    return job_.budget == 0 || turns.count == 0 || due || now() - start_ + turns.lasted <= job_.budget;
}

// Collective.
bool Contest::takes_part(Operation operation, std::size_t entrant) {
    auto const name = std::string{name_of(operation)} + "/" + label_of(entrant);
    if (std::find(job_.skipped.begin(), job_.skipped.end(), name) != job_.skipped.end()) return false;
    auto late = comm_.rank == 0 && !is_due(operation, entrant) ? Size{1} : Size{0};
    reduce_all(comm_, {&late, 1}, MPI_MAX);
    return late == 0;
}

bool Contest::run_all(int run) {
    auto verified = true;
    for (auto const operation : job_.operations) {
        for (auto const entrant : order_of(run)) {
            if (takes_part(operation, entrant)) {
                verified = run_one(run, operation, entrant) && verified;
            } else {
                ++skipped_;
            }
        }
    }
    return verified;
}

bool Contest::run() {
    auto const prepared = prepare();
    if (!prepared.ok()) say(error_line(prepared));
    auto verified = prepared.ok();
    for (auto run = -job_.warm_ups; run < job_.runs && verified; ++run) verified = run_all(run);
    if (!job_.keep) verified = on_first([&] { return remove_file(path_for(Operation::read, "")); }).ok() && verified;
    say(end_line(verified, skipped_));
    gate_.close();
    return verified;
}

Result<Access> understand(Comm const& comm, Job const& job) {
    auto const workload = make_workload(job.workload, comm.size, job.options);
    if (auto const status = agree(comm, workload.status()); !status.ok()) return status;
    if (job.cold && in_memory(job.directory)) {
        return Status{Code::invalid_argument, job.directory + " is memory: there is no cold cache"};
    }
    return make_access(comm, *workload, job);
}

}  // namespace

bool run_contest(Comm const& comm, Job const& job) {
    auto access = understand(comm, job);
    if (comm.rank == 0) {
        auto const line = access.ok() ? job_line(comm, *access, in_memory(job.directory)) : error_line(access.status());
        std::printf("%s\n", line.c_str());
        std::fflush(stdout);
    }
    return access.ok() && Contest{comm, job, std::move(*access)}.run();
}

}  // namespace muster::bench
