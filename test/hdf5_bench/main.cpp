// Hundreds of HDF5 datasets, written and read one by one through HDF5 and together through Muster, verified and timed.
//   launch 4 muster_hdf5_bench [--subjects climate,cubes] [--ways hdf5,multi] [--runs 5] [--scale 1] [--variables 40] [--directory /tmp]
//   launch 4 preload muster_hdf5_bench --ways hdf5,dropin,multi
// One line of JSON for each subject, operation and way: seconds of each run, the median, and Muster's last report.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "mpi/agree.hpp"
#include "ways.hpp"
#include "workloads/program_options.hpp"

namespace muster::bench {

namespace {

struct Outcome {
    std::vector<double> seconds;
    std::string report{"null"};
};

class Contest {
public:
    Contest(Comm const& comm, Options const& options, Subject const& subject)
        : comm_{comm}, options_{options}, subject_{subject}, stage_{comm, subject} {
        path_ = options.given.at("directory") + "/muster_hdf5_bench.h5";
    }

    Status run() {
        auto const runs = options_.number("runs");
        for (Size i = 0; i <= runs; ++i) {  // the first one warms up
            for (auto const way : ways()) {
                if (auto status = run_way(way, i > 0); !status.ok()) return status;
            }
        }
        if (comm_.rank == 0) ::unlink(path_.c_str());
        for (auto const& [key, outcome] : outcomes_) tell(key, outcome);
        return {};
    }

private:
    std::vector<Way> ways() const {
        std::vector<Way> all;
        for (auto const way : {Way::hdf5, Way::dropin, Way::single, Way::multi, Way::blocks}) {
            auto const wanted = options_.list("ways");
            if (std::find(wanted.begin(), wanted.end(), name_of(way)) != wanted.end()) all.push_back(way);
        }
        return all;
    }

    Status run_way(Way way, bool counts) {
        if (auto status = stage_.create(path_, way); !status.ok()) return status;
        stage_.fill(way);
        auto const wrote = measure([&] { return stage_.write(way); });
        note("write", way, counts ? wrote.second : -1);
        stage_.close();
        if (!wrote.first.ok()) return wrote.first;
        if (auto status = stage_.open(path_, way); !status.ok()) return status;
        stage_.clear();
        auto const read = measure([&] { return stage_.read(way); });
        note("read", way, counts ? read.second : -1);
        stage_.close();
        auto const right = read.first.ok() && stage_.verify(way) ? read.first : Status{Code::io, "wrong values"};
        return agree(comm_, first_failure(read.first, right));
    }

    template <class Work>
    std::pair<Status, double> measure(Work const& work) {
        barrier(comm_);
        auto const start = MPI_Wtime();
        auto status = work();
        auto nanoseconds = static_cast<Size>((MPI_Wtime() - start) * 1e9);
        reduce_all(comm_, {&nanoseconds, 1}, MPI_MAX);
        return {status, static_cast<double>(nanoseconds) * 1e-9};
    }

    // Collective.
    void note(char const* operation, Way way, double seconds) {
        auto& outcome = outcomes_[{operation, way}];
        if (seconds >= 0) outcome.seconds.push_back(seconds);
        if (way != Way::hdf5 && way != Way::dropin) outcome.report = stage_.report();
    }

    void tell(std::pair<std::string, Way> const& key, Outcome outcome) const {
        if (comm_.rank != 0 || outcome.seconds.empty()) return;
        std::string runs;
        for (auto const seconds : outcome.seconds) runs += (runs.empty() ? "" : ", ") + std::to_string(seconds);
        std::sort(outcome.seconds.begin(), outcome.seconds.end());
        auto const median = outcome.seconds[outcome.seconds.size() / 2];
        std::printf(
            "{\"subject\": \"%s\", \"operation\": \"%s\", \"way\": \"%s\", \"ranks\": %d, \"datasets\": %zu, "
            "\"bytes\": %lld, \"median\": %.6f, \"seconds\": [%s], \"seconds_selecting\": %.6f, \"report\": %s}\n",
            subject_.name.c_str(), key.first.c_str(), name_of(key.second), comm_.size, subject_.variables.size(),
            static_cast<long long>(subject_.bytes()), median, runs.c_str(), stage_.seconds_selecting(),
            outcome.report.c_str());
        std::fflush(stdout);
    }

    Comm comm_;
    Options const& options_;
    Subject const& subject_;
    Stage stage_;
    std::string path_;
    std::map<std::pair<std::string, Way>, Outcome> outcomes_;
};

Status run(Comm const& comm, int count, char** arguments) {
    Options options{{{"subjects", "climate,cubes,slabs,small,one"},
                     {"ways", "hdf5,single,multi,blocks"},
                     {"runs", "5"},
                     {"scale", "1"},
                     {"directory", "/tmp"},
                     {"variables", "100000"}}};
    if (auto status = options.parse(count, arguments); !status.ok()) return status;
    for (auto const& name : options.list("subjects")) {
        auto subject = make_subject({name, comm.rank, comm.size, options.number("scale")});
        if (!subject) return subject.status();
        auto const most = static_cast<std::size_t>(options.number("variables"));
        if (subject->variables.size() > most) subject->variables.resize(most);
        if (auto status = Contest{comm, options, *subject}.run(); !status.ok()) return status;
    }
    return {};
}

}  // namespace

}  // namespace muster::bench

int main(int count, char** arguments) {
    MPI_Init(&count, &arguments);
    auto const comm = muster::Comm::of(MPI_COMM_WORLD);
    auto const status = muster::bench::run(comm, count, arguments);
    if (!status.ok() && comm.rank == 0) std::fprintf(stderr, "%s\n", status.text().c_str());
    MPI_Finalize();
    return status.ok() ? 0 : 1;
}
