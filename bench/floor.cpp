#include "floor.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "mpi/agree.hpp"
#include "workloads/data.hpp"
#include "workloads/sizes.hpp"

namespace muster::bench {

namespace {

constexpr Size mebibyte = Size{1} << 20;
constexpr Size block_sizes[] = {mebibyte, 4 * mebibyte, 16 * mebibyte};

// Two ranks, far from each other.
Extent half_of(Comm const& comm, Size bytes) {
    auto const middle = comm.size > 1 ? bytes / 2 : bytes;
    if (comm.rank == 0) return {0, middle};
    if (comm.rank == comm.size / 2) return {middle, bytes - middle};
    return {};
}

// Collective. As the job wants to find the file that is written.
Status make_way(Comm const& comm, std::string const& path, Job const& job, bool write) {
    Status status;
    if (comm.rank == 0 && write && !job.overwrite) status = remove_file(path);
    if (comm.rank == 0 && job.cold && (!write || job.overwrite)) status = first_failure(status, drop_cache(path));
    return agree(comm, status);
}

double median(std::vector<double> values) {
    auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Nothing for ranks that have nothing to do.
Result<std::optional<PosixFile>> open_where(bool wanted, std::string const& path, bool write) {
    if (!wanted) return std::optional<PosixFile>{};
    auto file = PosixFile::open(path, write);
    if (!file.ok()) return file.status();
    return std::optional<PosixFile>{std::move(*file)};
}

}  // namespace

Floor::Floor(Comm const& comm, Size bytes) : comm_{comm}, mine_{half_of(comm, bytes)} {
    buffer_.resize(static_cast<std::size_t>(mine_.length));
    fill(Stream::whole(Shape::block(mine_.offset, mine_.length)), buffer_);
}

Status Floor::transfer(PosixFile& file, Attempt const& attempt) {
    return attempt.write ? file.write(mine_.offset, buffer_, attempt.block)
                         : file.read(mine_.offset, buffer_, attempt.block);
}

Measured Floor::run_once(Gate& gate, Job const& job, Attempt const& attempt) {
    if (auto const status = make_way(comm_, attempt.path, job, attempt.write); !status.ok()) return {0, 0, status};
    auto file = open_where(mine_.length > 0, attempt.path, attempt.write);
    if (auto const status = agree(comm_, file.status()); !status.ok()) return {0, 0, status};
    return measure(gate, comm_, [&]() -> Status {
        if (!file->has_value()) return {};
        auto const status = transfer(**file, attempt);
        return job.sync && attempt.write ? first_failure(status, (*file)->sync()) : status;
    });
}

// The least of three times would be shorter than any block size deserves: the best one is that with the least median.
Measured Floor::run(Gate& gate, Job const& job, std::string const& path, Operation operation) {
    auto& before = times_[operation];
    std::pair<double, Measured> best{std::numeric_limits<double>::max(), {}};
    for (auto const block : block_sizes) {
        auto const measured = run_once(gate, job, {path, operation == Operation::write, block});
        if (!measured.status.ok()) return measured;
        before[block].push_back(measured.seconds);
        if (auto const usual = median(before[block]); usual < best.first) best = {usual, measured};
    }
    return best.second;
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
