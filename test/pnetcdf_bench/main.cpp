// Hundreds of variables by PnetCDF, over the MPI's own I/O and over the drop-in: by a call for each, and by calls that only note
// what is to be done, with one ncmpi_wait_all for all of them. Verified and timed.
//   launch 4 preload muster_pnetcdf_bench [--subjects climate,cubes] [--ways native,dropin,native-later,dropin-later] [--runs 5] [--variables 40]
//   [--directory /tmp]
// One line of JSON for each subject, operation and way.
#include <pnetcdf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>

#include "mpi/agree.hpp"
#include "mpi/info.hpp"
#include "workloads/program_options.hpp"
#include "workloads/subject.hpp"

namespace muster::bench {

namespace {

struct Way {
    std::string name;
    bool native() const { return name.starts_with("native"); }
    bool later() const { return name.ends_with("-later"); }
};

Status status_of(int error) { return error == NC_NOERR ? Status{} : Status{Code::io, ncmpi_strerror(error)}; }

unsigned long long value_of(std::size_t variable, Offset element) {
    return (static_cast<unsigned long long>(element) + 1) * 2654435761ULL + variable * 40503ULL;
}

// The blocks of a pattern as PnetCDF takes them.
struct Part {
    std::vector<MPI_Offset> starts, sizes;
    std::vector<MPI_Offset*> start_of, size_of;
    MPI_Offset elements{0};

    explicit Part(Pattern const& pattern)
        : starts(pattern.starts.begin(), pattern.starts.end()),
          sizes(pattern.sizes.begin(), pattern.sizes.end()),
          elements{pattern.elements()} {
        for (std::size_t i = 0; i < pattern.blocks(); ++i) {
            start_of.push_back(starts.data() + i * pattern.dimensions());
            size_of.push_back(sizes.data() + i * pattern.dimensions());
        }
    }
    Part(Part const&) = delete;
    Part& operator=(Part const&) = delete;
    int blocks() const { return static_cast<int>(start_of.size()); }
};

class Stage {
public:
    Stage(Comm const& comm, Subject const& subject) : comm_{comm}, subject_{subject} {
        for (auto const& pattern : subject.patterns) parts_.push_back(std::make_unique<Part>(pattern));
        for (auto const pattern : subject.variables) {
            buffers_.emplace_back(static_cast<std::size_t>(parts_[pattern]->elements * subject.element));
        }
    }

    // Collective.
    Status create(std::string const& path, Way const& way) {
        MPI_Info info = info_for(way);
        auto error = ncmpi_create(comm_.handle, path.c_str(), NC_CLOBBER | NC_64BIT_DATA, info, &file_);
        MPI_Info_free(&info);
        if (error == NC_NOERR) error = define();
        return first_failure(status_of(error), check_way(way));
    }
    Status open(std::string const& path, Way const& way) {
        MPI_Info info = info_for(way);
        auto const error = ncmpi_open(comm_.handle, path.c_str(), NC_NOWRITE, info, &file_);
        MPI_Info_free(&info);
        return status_of(error);
    }
    Status close() { return status_of(ncmpi_close(file_)); }

    // Collective: an error on one rank does not keep it from the calls that the others make.
    Status transfer(Way const& way, bool write) {
        std::vector<int> requests(subject_.variables.size(), NC_REQ_NULL), statuses(subject_.variables.size(), 0);
        Status first;
        auto const keep = [&](int error) { first = first_failure(first, status_of(error)); };
        for (std::size_t i = 0; i < subject_.variables.size(); ++i) {
            keep(way.later() ? note(i, write, &requests[i]) : move(i, write));
        }
        if (way.later()) {
            keep(ncmpi_wait_all(file_, static_cast<int>(requests.size()), requests.data(), statuses.data()));
        }
        for (auto const status : statuses) keep(status);
        return first;
    }

    void fill() {
        each_value([&](std::size_t variable, Offset element, std::byte* place) {
            auto const value = value_of(variable, element);
            std::memcpy(place, &value, static_cast<std::size_t>(subject_.element));
        });
    }
    void clear() {
        for (auto& buffer : buffers_) std::fill(buffer.begin(), buffer.end(), std::byte{0});
    }
    bool verify() {
        auto right = true;
        each_value([&](std::size_t variable, Offset element, std::byte const* place) {
            auto const value = value_of(variable, element);
            right = right && std::memcmp(place, &value, static_cast<std::size_t>(subject_.element)) == 0;
        });
        return right;
    }

private:
    static MPI_Info info_for(Way const& way) {
        MPI_Info info = MPI_INFO_NULL;
        MPI_Info_create(&info);
        if (way.native()) MPI_Info_set(info, "muster_enable", "off");
        return info;
    }

    Status check_way(Way const& way) const {
        if (way.native()) return {};
        MPI_Info info = MPI_INFO_NULL;
        ncmpi_inq_file_info(file_, &info);
        auto const pairs = pairs_of(info);
        MPI_Info_free(&info);
        auto const ours =
            std::any_of(pairs.begin(), pairs.end(), [](HintPair const& pair) { return pair.first == "muster_window"; });
        return ours ? Status{} : Status{Code::unsupported, "the drop-in is not loaded"};
    }

    int define() {
        std::vector<std::vector<int>> dimensions(subject_.patterns.size());
        auto error = NC_NOERR;
        for (std::size_t i = 0; i < dimensions.size(); ++i) {
            for (auto const size : subject_.patterns[i].extent) {
                auto const name = "d" + std::to_string(i) + "_" + std::to_string(dimensions[i].size());
                if (error == NC_NOERR) error = ncmpi_def_dim(file_, name.c_str(), size, &dimensions[i].emplace_back());
            }
        }
        for (std::size_t i = 0; i < subject_.variables.size() && error == NC_NOERR; ++i) {
            auto const& own = dimensions[subject_.variables[i]];
            int variable = 0;
            error = ncmpi_def_var(file_, ("v" + std::to_string(i)).c_str(), subject_.element == 8 ? NC_UINT64 : NC_UINT,
                                  static_cast<int>(own.size()), own.data(), &variable);
        }
        return error == NC_NOERR ? ncmpi_enddef(file_) : error;
    }

    MPI_Datatype type() const { return subject_.element == 8 ? MPI_UNSIGNED_LONG_LONG : MPI_UNSIGNED; }

    int move(std::size_t variable, bool write) {
        auto& part = *parts_[subject_.variables[variable]];
        auto** const starts = part.start_of.data();
        auto** const sizes = part.size_of.data();
        auto* const bytes = buffers_[variable].data();
        auto const number = static_cast<int>(variable);
        return write ? ncmpi_put_varn_all(file_, number, part.blocks(), starts, sizes, bytes, part.elements, type())
                     : ncmpi_get_varn_all(file_, number, part.blocks(), starts, sizes, bytes, part.elements, type());
    }

    int note(std::size_t variable, bool write, int* request) {
        auto& part = *parts_[subject_.variables[variable]];
        auto** const starts = part.start_of.data();
        auto** const sizes = part.size_of.data();
        auto* const bytes = buffers_[variable].data();
        auto const number = static_cast<int>(variable);
        return write
                   ? ncmpi_iput_varn(file_, number, part.blocks(), starts, sizes, bytes, part.elements, type(), request)
                   : ncmpi_iget_varn(file_, number, part.blocks(), starts, sizes, bytes, part.elements, type(),
                                     request);
    }

    // Calls visit(variable, element in the array, its place in memory) for everything this rank has.
    template <class Visit>
    void each_value(Visit const& visit) {
        for (std::size_t i = 0; i < subject_.variables.size(); ++i) {
            auto* place = buffers_[i].data();
            subject_.patterns[subject_.variables[i]].for_each_row([&](Offset first, Size count) {
                for (Size k = 0; k < count; ++k, place += subject_.element) visit(i, first + k, place);
            });
        }
    }

    Comm comm_;
    Subject const& subject_;
    std::vector<std::unique_ptr<Part>> parts_;
    std::vector<std::vector<std::byte>> buffers_;
    int file_{-1};
};

class Contest {
public:
    Contest(Comm const& comm, Options const& options, Subject const& subject)
        : comm_{comm},
          options_{options},
          subject_{subject},
          stage_{comm, subject},
          path_{options.given.at("directory") + "/muster_pnetcdf_bench.nc"} {}

    Status run() {
        auto const runs = options_.number("runs");
        for (Size i = 0; i <= runs; ++i) {  // the first one warms up
            for (auto const& name : options_.list("ways")) {
                if (auto status = run_way({name}, i > 0); !status.ok()) return status;
            }
        }
        if (comm_.rank == 0) ::unlink(path_.c_str());
        for (auto& [key, seconds] : seconds_) tell(key, seconds);
        return {};
    }

private:
    Status run_way(Way const& way, bool counts) {
        if (auto status = agree(comm_, stage_.create(path_, way)); !status.ok()) return status;
        stage_.fill();
        if (auto status = measure("write", way, counts); !status.ok()) return status;
        if (auto status = agree(comm_, stage_.open(path_, way)); !status.ok()) return status;
        stage_.clear();
        if (auto status = measure("read", way, counts); !status.ok()) return status;
        return agree(comm_, stage_.verify() ? Status{} : Status{Code::io, "wrong values"});
    }

    // Collective. With the closing of the file, which is not timed.
    Status measure(std::string const& operation, Way const& way, bool counts) {
        barrier(comm_);
        auto const start = MPI_Wtime();
        auto const status = stage_.transfer(way, operation == "write");
        auto nanoseconds = static_cast<Size>((MPI_Wtime() - start) * 1e9);
        reduce_all(comm_, {&nanoseconds, 1}, MPI_MAX);
        if (counts) seconds_[{operation, way.name}].push_back(static_cast<double>(nanoseconds) * 1e-9);
        return agree(comm_, first_failure(status, stage_.close()));
    }

    void tell(std::pair<std::string, std::string> const& key, std::vector<double>& seconds) const {
        if (comm_.rank != 0) return;
        std::string runs;
        for (auto const each : seconds) runs += (runs.empty() ? "" : ", ") + std::to_string(each);
        std::sort(seconds.begin(), seconds.end());
        std::printf(
            "{\"subject\": \"%s\", \"operation\": \"%s\", \"way\": \"%s\", \"ranks\": %d, \"datasets\": %zu, \"bytes\": %lld, "
            "\"median\": %.6f, \"seconds\": [%s]}\n",
            subject_.name.c_str(), key.first.c_str(), key.second.c_str(), comm_.size, subject_.variables.size(),
            static_cast<long long>(subject_.bytes()), seconds[seconds.size() / 2], runs.c_str());
        std::fflush(stdout);
    }

    Comm comm_;
    Options const& options_;
    Subject const& subject_;
    Stage stage_;
    std::string path_;
    std::map<std::pair<std::string, std::string>, std::vector<double>> seconds_;
};

Status run(Comm const& comm, int count, char** words) {
    Options options{{{"subjects", "climate,cubes"},
                     {"ways", "native,dropin,native-later,dropin-later"},
                     {"runs", "5"},
                     {"variables", "100000"},
                     {"directory", "/tmp"}}};
    if (auto status = options.parse(count, words); !status.ok()) return status;
    for (auto const& name : options.list("subjects")) {
        auto subject = make_subject({name, comm.rank, comm.size, 1});
        if (!subject) return subject.status();
        auto const most = static_cast<std::size_t>(options.number("variables"));
        if (subject->variables.size() > most) subject->variables.resize(most);
        if (auto status = Contest{comm, options, *subject}.run(); !status.ok()) return status;
    }
    return {};
}

}  // namespace

}  // namespace muster::bench

int main(int count, char** words) {
    MPI_Init(&count, &words);
    auto const comm = muster::Comm::of(MPI_COMM_WORLD);
    auto const status = muster::bench::run(comm, count, words);
    if (!status.ok() && comm.rank == 0) std::fprintf(stderr, "%s\n", status.text().c_str());
    MPI_Finalize();
    return status.ok() ? 0 : 1;
}
