#include "floor.hpp"

#include <sched.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "access.hpp"
#include "mpi/agree.hpp"
#include "workloads/data.hpp"
#include "workloads/sizes.hpp"

namespace muster::bench {

namespace {

constexpr Size mebibyte = Size{1} << 20;
constexpr std::size_t trials = 3;  // of each block size; then the best one stays
constexpr Size block_sizes[] = {mebibyte, 4 * mebibyte, 16 * mebibyte};

// Two ranks, far from each other.
Extent half_of(Comm const& comm, Size bytes) {
    auto const middle = comm.size > 1 ? bytes / 2 : bytes;
    if (comm.rank == 0) return {0, middle};
    if (comm.rank == comm.size / 2) return {middle, bytes - middle};
    return {};
}

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Each of the two stays on a core of its own while it lives: among many ranks that wake at the same time, both would often be put on
// the same one, and the floor would be twice as high.
class OwnCore {
public:
    OwnCore(bool wanted, bool first) : kept_{wanted && sched_getaffinity(0, sizeof before_, &before_) == 0} {
        if (!kept_) return;
        auto core = first ? 0 : CPU_SETSIZE - 1;
        while (!CPU_ISSET(core, &before_)) core += first ? 1 : -1;
        cpu_set_t own;
        CPU_ZERO(&own);
        CPU_SET(core, &own);
        sched_setaffinity(0, sizeof own, &own);
    }
    ~OwnCore() {
        if (kept_) sched_setaffinity(0, sizeof before_, &before_);
    }
    OwnCore(OwnCore const&) = delete;
    OwnCore& operator=(OwnCore const&) = delete;

private:
    cpu_set_t before_{};
    bool kept_;
};

// Nothing for ranks that have nothing to do.
Result<std::optional<PosixFile>> open_where(bool wanted, std::string const& path, bool write) {
    if (!wanted) return std::optional<PosixFile>{};
    auto file = PosixFile::open(path, write);
    if (!file.ok()) return file.status();
    return std::optional<PosixFile>{std::move(*file)};
}

}  // namespace

Floor::Floor(Comm const& comm, Place& place, Steps const& steps, std::span<std::byte> others)
    : comm_{comm}, place_{place}, steps_{steps}, mine_{half_of(comm, steps.bytes)}, others_{others} {
    buffer_.resize(static_cast<std::size_t>(mine_.length));
}

void Floor::level_caches() {
    spoil(others_);
    spoil(buffer_);
}

// As the back ends find theirs: just made, or to be replaced. Memory that nobody touched since the last step is stored faster.
void Floor::renew_buffer(Attempt const& attempt, Size step) {
    if (attempt.writes()) {
        fill(Stream::whole(Shape::block(offset_of(step), mine_.length)), buffer_);
    } else {
        spoil(buffer_);
    }
}

Status Floor::transfer(PosixFile& file, Attempt const& attempt, Size step) {
    auto const offset = offset_of(step);
    return attempt.writes() ? file.write(offset, buffer_, attempt.block) : file.read(offset, buffer_, attempt.block);
}

std::vector<Measured> Floor::run_once(Gate& gate, Job const& job, Attempt const& attempt) {
    auto const ready = place_.make_way(gate, attempt.path, attempt.operation);
    if (!ready.ok()) return {{0, 0, ready}};
    level_caches();
    auto file = open_where(mine_.length > 0, attempt.path, attempt.writes());
    if (auto const status = gate.agree(file.status()); !status.ok()) return {{0, 0, status}};
    OwnCore const core{file->has_value(), comm_.rank == 0};
    std::vector<Measured> steps;
    for (Size step = 0; step < steps_.count && (steps.empty() || steps.back().status.ok()); ++step) {
        renew_buffer(attempt, step);
        place_.before_step(attempt.operation);
        steps.push_back(measure(gate, comm_, [&]() -> Status {
            if (!file->has_value()) return {};
            auto const status = transfer(**file, attempt, step);
            return job.sync && attempt.writes() ? first_failure(status, (*file)->sync()) : status;
        }));
    }
    return steps;
}

// The least of three times would be shorter than any block size deserves: the best one is that with the least median.
Size Floor::best_block(Operation operation) {
    return std::ranges::min(block_sizes, {}, [&](Size block) { return median(times_[operation][block]); });
}

// The run that counts comes first, after somebody else's, as everybody's does: a second one in a row would find more of the file in the
// processor's caches. Block sizes are tried after it.
std::vector<Measured> Floor::run(Gate& gate, Job const& job, std::string const& path, Operation operation) {
    auto counted = run_once(gate, job, {path, operation, best_block(operation)});
    if (!counted.back().status.ok() || times_[operation][block_sizes[0]].size() == trials) return counted;
    for (auto const block : block_sizes) {
        auto const steps = run_once(gate, job, {path, operation, block});
        if (!steps.back().status.ok()) return steps;
        auto const add = [](double sum, Measured const& step) { return sum + step.seconds; };
        times_[operation][block].push_back(std::accumulate(steps.begin(), steps.end(), 0.0, add));
    }
    return counted;
}

Status prepare_file(Comm const& comm, std::string const& path, Size bytes, std::uint64_t pass) {
    auto const begin = share_begin(bytes, comm.size, comm.rank);
    auto const end = share_begin(bytes, comm.size, comm.rank + 1);
    auto file = PosixFile::open(path, true);
    auto status = file.status();
    std::vector<std::byte> buffer;
    for (auto offset = begin; offset < end && status.ok(); offset += mebibyte) {
        buffer.resize(static_cast<std::size_t>(std::min(mebibyte, end - offset)));
        fill(Stream::whole(Shape::block(offset, static_cast<Size>(buffer.size()))), buffer, pass);
        status = file->write(offset, buffer, mebibyte);
    }
    return agree(comm, status);
}

}  // namespace muster::bench
