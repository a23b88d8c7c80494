#include "access.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <new>

#include "mpi/agree.hpp"
#include "workloads/data.hpp"

namespace muster::bench {

namespace {

Datatype filetype_of(Shape const& shape, bool flat) {
    if (shape.empty()) return flat_type(Shape::block(0, 1));
    return flat ? flat_type(shape) : structured_type(shape);
}

std::vector<Shape> shapes_of(Workload const& workload, Rank rank, bool independent) {
    if (!independent) return {workload.file_of(rank).shape};
    std::vector<Shape> shapes;
    for (int i = 0; i < static_cast<int>(workload.variables.size()); ++i) {
        shapes.push_back(workload.file_of(rank, i).shape);
    }
    return shapes;
}

Status reserve_buffer(Access& access, Size bytes) {
    if (bytes > INT_MAX) return {Code::invalid_argument, "a rank has more than 2 GiB: take more ranks, or less data"};
    try {
        access.buffer.resize(static_cast<std::size_t>(bytes));
    } catch (std::bad_alloc const&) {
        return {Code::out_of_memory, "no memory for the buffer"};
    }
    return {};
}

Status mismatch(std::string const& where, Mismatch const& wrong) {
    return {Code::io, where + ": byte " + std::to_string(wrong.offset) + " of the file is " +
                          std::to_string(std::to_integer<int>(wrong.found)) + " instead of " +
                          std::to_string(std::to_integer<int>(wrong.expected))};
}

// The first byte that is not what the step and the pass want.
std::optional<Mismatch> find_wrong(Access const& access, std::span<std::byte const> bytes, Size step,
                                   std::uint64_t pass) {
    for (auto const& part : access.parts) {
        auto const stream = Stream::whole(part.file.shifted(step * access.step_bytes));
        auto const mine = bytes.subspan(static_cast<std::size_t>(part.start), static_cast<std::size_t>(part.bytes()));
        if (auto const wrong = verify(stream, mine, pass)) return wrong;
    }
    return {};
}

// A file in memory, to look at it without MPI and without many small reads.
class Mapped {
public:
    explicit Mapped(std::string const& path) {
        auto const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        struct stat facts {};
        if (file >= 0 && fstat(file, &facts) == 0 && facts.st_size > 0) {
            size_ = facts.st_size;
            bytes_ = mmap(nullptr, static_cast<std::size_t>(size_), PROT_READ, MAP_SHARED, file, 0);
        }
        if (file >= 0) ::close(file);
    }
    ~Mapped() {
        if (bytes_ != MAP_FAILED) munmap(bytes_, static_cast<std::size_t>(size_));
    }
    Mapped(Mapped const&) = delete;
    Mapped& operator=(Mapped const&) = delete;

    Size size() const { return bytes_ == MAP_FAILED ? 0 : size_; }
    std::byte const* at(Offset offset) const { return static_cast<std::byte const*>(bytes_) + offset; }

private:
    void* bytes_{MAP_FAILED};
    Size size_{0};
};

// What the file holds in the places of a step, in the order of the buffer.
std::vector<std::byte> gather(Access const& access, Mapped const& file, Size step) {
    std::vector<std::byte> bytes(access.buffer.size());
    auto* next = bytes.data();
    for (auto const& part : access.parts) {
        part.file.shifted(step * access.step_bytes).for_each([&](Offset offset, Size length) {
            std::memcpy(next, file.at(offset), static_cast<std::size_t>(length));
            next += length;
        });
    }
    return bytes;
}

Offset end_of(Access const& access, Size steps) {
    Offset end = 0;
    for (auto const& part : access.parts) {
        if (!part.file.empty()) end = std::max(end, part.file.high() + (steps - 1) * access.step_bytes);
    }
    return end;
}

void count_all(Comm const& comm, Access& access) {
    std::array<Size, 2> sums{};
    for (auto const& part : access.parts) {
        sums[0] += part.bytes();
        sums[1] += part.file.piece_count();
    }
    reduce_all(comm, sums, MPI_SUM);
    access.all_bytes = sums[0];
    access.all_pieces = sums[1];
}

Size end_of_all(Comm const& comm, std::vector<Shape> const& shapes) {
    Size end = 0;
    for (auto const& shape : shapes) end = std::max(end, shape.high());
    reduce_all(comm, {&end, 1}, MPI_MAX);
    return end;
}

}  // namespace

Result<Access> make_access(Comm const& comm, Workload const& workload, Job const& job) {
    auto const shapes = shapes_of(workload, comm.rank, job.independent);
    Access access;
    access.step_bytes = end_of_all(comm, shapes);
    Size bytes = 0;
    for (auto const& shape : shapes) {
        access.parts.push_back({shape, bytes, {}});
        bytes += shape.size();
    }
    auto const ready = agree(comm, reserve_buffer(access, bytes));
    if (!ready.ok()) return ready;
    access.view_each = job.view_each || shapes.size() > 1;
    renew_types(access, job.flat);
    count_all(comm, access);
    return access;
}

void renew_types(Access& access, bool flat) {
    for (auto& part : access.parts) {
        auto type = filetype_of(part.file, flat);
        part.filetype = access.view_each ? std::move(type) : with_extent(std::move(type), access.step_bytes);
    }
}

void fill_buffer(Access& access, Size step, std::uint64_t pass) {
    for (auto const& part : access.parts) {
        std::span<std::byte> const mine{access.at(part), static_cast<std::size_t>(part.bytes())};
        fill(Stream::whole(part.file.shifted(step * access.step_bytes)), mine, pass);
    }
}

void spoil(std::span<std::byte> bytes) { std::ranges::fill(bytes, std::byte{0xa5}); }

Status verify_buffer(Access const& access, Size step, std::uint64_t pass) {
    auto const wrong = find_wrong(access, access.buffer, step, pass);
    return wrong ? mismatch("read wrongly", *wrong) : Status{};
}

Status verify_file(Access const& access, std::string const& path, Size steps, std::uint64_t pass) {
    Mapped const file{path};
    if (file.size() < end_of(access, steps)) return {Code::io, path + " is too short"};
    for (Size step = 0; step < steps; ++step) {
        auto const wrong = find_wrong(access, gather(access, file, step), step, pass);
        if (wrong) return mismatch("written wrongly", *wrong);
    }
    return {};
}

}  // namespace muster::bench
