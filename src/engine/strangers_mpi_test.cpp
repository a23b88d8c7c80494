// Somebody else writes into the holes of what we write, at the same time: no byte of either may be lost.
#include <fcntl.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>
#include <thread>

#include "engine/testing.hpp"
#include "engine/testing_sets.hpp"

namespace muster {
namespace {

using namespace test;

constexpr Size block = 12;
constexpr Size hole = 4;  // holds a counter of the stranger

// Holds a lock on some bytes, as any program would that shares the file by locks.
class Lock {
public:
    Lock(int descriptor, Offset offset, Size length) : descriptor_{descriptor}, offset_{offset}, length_{length} {
        set(F_WRLCK);
    }
    ~Lock() { set(F_UNLCK); }
    Lock(Lock const&) = delete;
    Lock& operator=(Lock const&) = delete;

private:
    void set(short type) const {
        struct flock request {};
        request.l_type = type;
        request.l_whence = SEEK_SET;
        request.l_start = offset_;
        request.l_len = length_;
        EXPECT_EQ(::fcntl(descriptor_, F_OFD_SETLKW, &request), 0);
    }

    int descriptor_;
    Offset offset_;
    Size length_;
};

// Counts up in the holes of the file until it is told to stop: reads, adds one, writes, each time under a lock.
class Stranger {
public:
    Stranger(std::string const& path, Size holes)
        : descriptor_{::open(path.c_str(), O_RDWR)}, counts_(static_cast<std::size_t>(holes)), thread_{[this] {
              count();
          }} {}

    // How often each hole was counted up.
    std::vector<std::uint32_t> stop() {
        stopping_ = true;
        thread_.join();
        ::close(descriptor_);
        return counts_;
    }

private:
    void count() {
        for (std::size_t i = 0; !stopping_; i = (i + 1) % counts_.size()) {
            count_up(static_cast<Offset>(i) * (block + hole) + block);
            ++counts_[i];
        }
    }

    void count_up(Offset offset) const {
        Lock const lock{descriptor_, offset, hole};
        std::uint32_t counter = 0;
        EXPECT_EQ(::pread(descriptor_, &counter, sizeof(counter), offset), hole);
        ++counter;
        EXPECT_EQ(::pwrite(descriptor_, &counter, sizeof(counter), offset), hole);
    }

    int descriptor_;
    std::vector<std::uint32_t> counts_;
    std::atomic<bool> stopping_{false};
    std::thread thread_;
};

// Collective. The bytes beside the holes are ours, those in the holes the stranger's.
void expect_both(SharedPath const& path, Deal const& deal, std::vector<std::uint32_t> const& counts) {
    auto const found = path.contents();
    if (rank() != 0) return;
    auto wanted = written(std::string(found.size(), '\0'), deal);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        std::memcpy(&wanted[i * (block + hole) + block], &counts[i], hole);
    }
    EXPECT_EQ(found, wanted);
}

TEST(Strangers, who_write_into_the_holes_under_a_lock_lose_nothing_and_neither_do_we) {
    for (auto const ranks_per_node : {0, 1}) {
        SharedPath path;
        auto const deal = rotate({block, 32, hole, 0});
        auto const holes = Size{32} * ranks();
        path.fill(std::string(static_cast<std::size_t>(holes * (block + hole)), '\0'));
        auto hints = all_aggregate();
        hints.ranks_per_node = ranks_per_node;
        hints.shared_memory = ranks_per_node == 0 ? Toggle::automatic : Toggle::off;
        hints.window = 256;
        OpenFile file{path.get(), Mode::update, hints};
        Size modified = 0;
        std::optional<Stranger> stranger;
        if (rank() == 0) stranger.emplace(path.get(), holes);
        for (int i = 0; i < 30; ++i) {
            EXPECT_OK(write_marks(*file, deal));
            modified += file->report().mine.read_modify_writes;
        }
        std::vector<std::uint32_t> counts;
        if (stranger) counts = stranger->stop();
        expect_both(path, deal, counts);
        MPI_Allreduce(MPI_IN_PLACE, &modified, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        EXPECT_GT(modified, 0) << "nothing was read and modified, so nothing could be lost";
    }
}

constexpr Size shared_by_two = Size{64} * 16;

// Collective. Half of the ranks write the even blocks of eight bytes, half the odd ones, again and again: the first rank of each
// half has them all.
void write_in_two_halves(std::string const& path) {
    auto const part = rank() % 2;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, part, rank(), &comm);
    int first = 0;
    MPI_Comm_rank(comm, &first);
    Extents extents;
    for (Offset at = 8 * part; first == 0 && at < shared_by_two; at += 16) extents.push_back({at, 8});
    {
        auto hints = all_aggregate();
        hints.window = 256;
        OpenFile file{path, Mode::update, hints, comm};
        for (int i = 0; i < 30; ++i) EXPECT_OK(write_pieces(*file, extents, marks(part, extents)));
        barrier(world());
    }
    MPI_Comm_free(&comm);
}

std::string of_two_halves() {
    std::string wanted;
    for (Offset at = 0; at < shared_by_two; ++at) wanted += mark(static_cast<int>(at / 8 % 2), at);
    return wanted;
}

// Two files are two openings: what one call modifies, the other must not lose.
TEST(Strangers, of_another_communicator_lose_nothing) {
    if (ranks() == 1) GTEST_SKIP() << "needs two ranks";
    SharedPath path;
    path.fill(std::string(static_cast<std::size_t>(shared_by_two), untouched));
    write_in_two_halves(path.get());
    path.expect(of_two_halves());
}

TEST(Strangers, of_another_communicator_lose_nothing_in_a_set_of_pieces) {
    if (ranks() == 1) GTEST_SKIP() << "needs two ranks";
    auto hints = in_pieces({}, "2");
    hints.subfile_unit = shared_by_two / 4;  // with room for more holes than are worth separate writes
    for (int turn = 0; turn < 3; ++turn) {
        SharedSet const set;
        {
            OpenFile file{set.get(), Mode::create, hints};
            EXPECT_OK(file->resize(shared_by_two));
        }
        write_in_two_halves(set.get());
        auto const found = set.contents();
        if (rank() == 0) {
            EXPECT_EQ(found, of_two_halves());
        }
    }
}

}  // namespace
}  // namespace muster
