#include "engine/node_share.hpp"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "mpi/agree.hpp"

namespace muster {

namespace {

// What a rank has spent so far.
struct Spent {
    long nanoseconds{0};  // of its own: not while others had the core
    long switches{0};     // to another process

    static Spent now() {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        rusage usage{};
        getrusage(RUSAGE_THREAD, &usage);
        return {time.tv_sec * 1'000'000'000L + time.tv_nsec, usage.ru_nvcsw + usage.ru_nivcsw};
    }
};

// A look at MPI that took some time without giving up the core has moved something on, of which there may be more: a large
// message goes in thousands of fragments. An MPI that finds nothing to do is done at once, or lets others have the core.
bool has_moved(Spent const& before, Spent const& after) {
    constexpr long idle = 4'000;
    return after.nanoseconds - before.nanoseconds > idle && after.switches == before.switches;
}

// Lets MPI move on what this rank has under way, and tells the user when the wait gets long. The first look takes long in any case:
// after a sleep, nothing is in the cache.
bool drive_mpi(long waited) {
    constexpr long enough = 2'000'000;
    constexpr long usual = 20'000;  // microseconds that ranks wait for each other's work
    auto const looks = waited < usual ? 2 : 8;
    auto const start = Spent::now();
    auto last = start;
    auto moved = true;
    auto ever = false;
    for (int i = 0; i < looks || (moved && last.nanoseconds - start.nanoseconds < enough); ++i) {
        move_messages_on();
        auto const now = Spent::now();
        moved = has_moved(last, now);
        ever = ever || (moved && i > 0);
        last = now;
    }
    watch_wait(waited);
    return ever || Reachable::now();
}

int online_cores(Comm const& comm) {
    Size cores = sysconf(_SC_NPROCESSORS_ONLN);
    broadcast(comm, std::as_writable_bytes(std::span{&cores, 1}), 0);
    return static_cast<int>(std::max<Size>(cores, 1));
}

// All who wait together may take a tenth of the cores from those who work.
int patience_of(int ranks, int cores) {
    constexpr int least = 1000;
    constexpr int of_a_rank = 250;
    return std::max(least, of_a_rank * ranks / cores);
}

// Collective. Linux may share out the cores among sessions first: who gives way then gives it to its own session alone.
// Some MPIs start each rank in a session of its own.
bool in_one_session(Comm const& comm) {
    std::array<Size, 2> ends{getsid(0), -getsid(0)};
    reduce_all(comm, ends, MPI_MAX);
    return ends[0] == -ends[1];
}

// Collective. Giving way costs a system call even where nobody takes it: ranks in sessions of their own sleep at once. Where there are
// many, each gives way less often: together they fill the time until the last one comes.
int yields_of(Comm const& comm, int ranks, int cores) {
    constexpr int most = 20;
    constexpr int crowd = 8;  // ranks of a core
    if (ranks <= cores || !in_one_session(comm)) return 0;
    return ranks <= crowd * cores ? most : std::max(most * crowd * cores / ranks, 1);
}

}  // namespace

Result<SharedMemory> share_memory(Comm const& comm, Size size) {
    auto made =
        comm.rank == 0 ? SharedMemory::create(size) : Result<SharedMemory>{Status{Code::internal, "not the maker"}};
    auto const name = broadcast(comm, comm.rank == 0 && made ? made->name() : std::string{}, 0);
    if (comm.rank != 0 && !name.empty()) made = SharedMemory::attach(name, size);
    auto status = agree(comm, name.empty() && comm.rank != 0 ? Status{} : made.status());
    if (!status.ok()) return status;
    if (comm.rank == 0) made->remove_name();
    return made;
}

Result<NodeShare> NodeShare::make(Comm const& comm, int neighbours) {
    auto memory = share_memory(comm, Board::size_for(comm.size));
    if (!memory) return memory.status();
    NodeShare share;
    share.cores_ = online_cores(comm);
    auto const spin = neighbours <= share.cores_;
    auto const patience = patience_of(neighbours, share.cores_);
    auto const yields = yields_of(comm, neighbours, share.cores_);
    share.board_ = Board{memory->bytes(), {comm.rank, comm.size, spin, drive_mpi, patience, yields}};
    share.hall_ = std::move(*memory);
    return share;
}

Status NodeShare::provide_slots(Comm const& comm, int count, Size window) {
    if (count <= layout_.count && window <= layout_.window) return {};
    Slots::Layout const wanted{std::max(count, layout_.count), std::max(window, layout_.window), layout_.tallies};
    auto memory = share_memory(comm, Slots::size_for(wanted));
    if (!memory) return memory.status();
    windows_ = std::move(*memory);
    layout_ = wanted;
    slots_ = Slots{windows_.bytes(), layout_, board_.member()};
    SharedMemory::settle(slots_.all_bytes());
    return {};
}

std::optional<NodeMemory> NodeShare::take_spare(std::string const& directory, Size size) {
    auto spare = std::exchange(spare_, {});
    if (!spare || spare->directory != directory || static_cast<Size>(spare->bytes().size()) < size) return {};
    return spare;
}

}  // namespace muster
