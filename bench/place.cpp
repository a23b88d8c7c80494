#include "place.hpp"

#include <unistd.h>

#include <algorithm>
#include <vector>

#include "posix.hpp"

namespace muster::bench {

namespace {

// Twice what a step writes: not all that is freed is taken next.
constexpr Size for_a_byte = 2;
constexpr Size block = Size{1} << 20;

Size free_memory() { return Size{sysconf(_SC_AVPHYS_PAGES)} * sysconf(_SC_PAGESIZE); }

Status write_anything(std::string const& path, Size bytes) {
    auto file = PosixFile::open(path, true);
    auto status = file.status();
    std::vector<std::byte> const anything(static_cast<std::size_t>(std::min(block, bytes)), std::byte{1});
    for (Size offset = 0; offset < bytes && status.ok(); offset += block) status = file->write(offset, anything, block);
    return status;
}

}  // namespace

SpareMemory::SpareMemory(std::string const& directory, Size steps, Size step_bytes)
    : stem_{directory + "/spare"}, steps_{steps}, bytes_{for_a_byte * step_bytes} {
    auto const kept_here = on_local_disk(directory) || in_memory(directory);
    if (!kept_here || bytes_ > free_memory() / 4 / std::max<Size>(steps, 1)) steps_ = 0;
}

SpareMemory::~SpareMemory() {
    while (held_ > 0) free_for_step();
}

void SpareMemory::hold() {
    while (held_ < steps_ && write_anything(path(held_), bytes_).ok()) ++held_;
    if (held_ < steps_) (void)remove_file(path(held_));
}

void SpareMemory::free_for_step() {
    if (held_ > 0) (void)remove_file(path(--held_));
}

Status Place::make_way(Gate& gate, std::string const& path, Operation operation) {
    Status status;
    if (comm_.rank == 0 && is_new(operation)) {
        status = remove_file(path);
        spare_.hold();
    } else if (comm_.rank == 0 && job_.cold) {
        status = drop_cache(path);
    }
    return gate.agree(status);
}

void Place::before_step(Operation operation) {
    if (comm_.rank == 0 && is_new(operation)) spare_.free_for_step();
}

}  // namespace muster::bench
