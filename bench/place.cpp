#include "place.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "posix.hpp"

namespace muster::bench {

namespace {

// Twice what a step writes: not all that is freed is taken next.
constexpr Size for_a_byte = 2;

std::size_t free_memory() {
    auto const pages = sysconf(_SC_AVPHYS_PAGES);
    return pages > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace

SpareMemory::SpareMemory(Size steps, Size step_bytes)
    : steps_{static_cast<std::size_t>(steps)}, bytes_{static_cast<std::size_t>(for_a_byte * step_bytes)} {
    if (steps_ * bytes_ > free_memory() / 4) steps_ = 0;
}

SpareMemory::~SpareMemory() {
    while (!held_.empty()) free_for_step();
}

// In huge pages: smaller ones come back in pieces that are taken last.
void SpareMemory::hold() {
    while (held_.size() < steps_) {
        auto* const pages = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED) return;
        madvise(pages, bytes_, MADV_HUGEPAGE);
        std::memset(pages, 1, bytes_);
        held_.push_back(pages);
    }
}

void SpareMemory::free_for_step() {
    if (held_.empty()) return;
    munmap(held_.back(), bytes_);
    held_.pop_back();
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
