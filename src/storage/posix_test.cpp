#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <thread>

#include "storage/counting.hpp"
#include "storage/storage.hpp"
#include "storage/temporary_file.hpp"

namespace muster {
namespace {

using namespace test;

std::unique_ptr<Storage> opened(std::string const& path, OpenOptions const& options = {}) {
    auto storage = open_posix(path, options);
    EXPECT_TRUE(storage.ok()) << storage.status().text();
    return storage ? std::move(*storage) : nullptr;
}

class PosixStorage : public testing::TestWithParam<char const*> {
protected:
    TemporaryFile file_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(OnDisk, PosixStorage, testing::Values("/tmp"));
INSTANTIATE_TEST_SUITE_P(InMemory, PosixStorage, testing::Values("/dev/shm"));

TEST_P(PosixStorage, reads_what_was_written) {
    auto const storage = opened(file_.path());
    ASSERT_TRUE(write_fully(*storage, 3, bytes_of("abcdef")).ok());
    EXPECT_EQ(*storage->size(), 9);
    Bytes into(4);
    EXPECT_EQ(*read_fully(*storage, 4, into), 4);
    EXPECT_EQ(text_of(into), "bcde");
    EXPECT_TRUE(storage->sync().ok());
    EXPECT_TRUE(storage->close().ok());
    EXPECT_EQ(text_of(file_.read()), std::string(3, '\0') + "abcdef");
}

TEST_P(PosixStorage, reads_less_only_at_the_end_of_the_file) {
    file_.write(bytes_of("0123456789"));
    auto const storage = opened(file_.path(), {.mode = AccessMode::read});
    Bytes into(8);
    EXPECT_EQ(*read_fully(*storage, 6, into), 4);
    EXPECT_EQ(*read_fully(*storage, 10, into), 0);
    EXPECT_EQ(*storage->read_at(1000, into), 0);
}

// Where the processor is slow there, long reads into memory that trails the file are made by way of other memory.
TEST_P(PosixStorage, reads_long_pieces_into_memory_that_lies_anywhere_in_its_page) {
    constexpr std::size_t page = 4096;
    Bytes content(300'000);
    for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<std::byte>(i % 251 + i / 65536);
    file_.write(content);
    auto const storage = opened(file_.path(), {.mode = AccessMode::read});
    Bytes memory(content.size() + 2 * page);
    for (auto const distance : {0UL, 1UL, 16UL, 63UL, 64UL}) {
        for (auto const offset : {0UL, 4096UL, 5000UL}) {
            std::fill(memory.begin(), memory.end(), std::byte{0xee});
            auto const start = page + (offset + distance - reinterpret_cast<std::uintptr_t>(memory.data())) % page;
            auto const wanted = content.size() - page;  // beyond the end, where the offset is larger
            auto const there = std::min(wanted, content.size() - offset);
            auto const got =
                read_fully(*storage, static_cast<Offset>(offset), std::span{memory}.subspan(start, wanted));
            ASSERT_TRUE(got.ok());
            EXPECT_EQ(*got, static_cast<Size>(there));
            EXPECT_TRUE(std::equal(content.begin() + static_cast<std::ptrdiff_t>(offset),
                                   content.begin() + static_cast<std::ptrdiff_t>(offset + there),
                                   memory.begin() + static_cast<std::ptrdiff_t>(start)))
                << distance << " " << offset;
            EXPECT_EQ(memory[start - 1], std::byte{0xee});
            EXPECT_EQ(memory[start + there], std::byte{0xee});
        }
    }
}

TEST_P(PosixStorage, resizes_both_ways) {
    file_.write(bytes_of("0123456789"));
    auto const storage = opened(file_.path());
    ASSERT_TRUE(storage->resize(4).ok());
    EXPECT_EQ(text_of(file_.read()), "0123");
    ASSERT_TRUE(storage->resize(6).ok());
    EXPECT_EQ(text_of(file_.read()), std::string("0123") + std::string(2, '\0'));
}

TEST_P(PosixStorage, reserves_space_without_changing_or_shortening_anything) {
    file_.write(bytes_of("0123456789"));
    auto const storage = opened(file_.path());
    ASSERT_TRUE(storage->reserve(0).ok());
    ASSERT_TRUE(storage->reserve(4).ok());
    EXPECT_EQ(text_of(file_.read()), "0123456789");
    ASSERT_TRUE(storage->reserve(100000).ok());
    EXPECT_EQ(*storage->size(), 100000);
    EXPECT_EQ(text_of(file_.read()).substr(0, 10), "0123456789");
}

TEST_P(PosixStorage, opens_as_asked) {
    file_.write(bytes_of("old"));
    auto const existing = open_posix(file_.path(), {.create = true, .exclusive = true});
    EXPECT_EQ(existing.status().code(), Code::exists);
    (void)opened(file_.path(), {.truncate = true});
    EXPECT_TRUE(file_.read().empty());
    auto const fresh = file_.path() + ".fresh";
    EXPECT_EQ(open_posix(fresh, {}).status().code(), Code::not_found);
    (void)opened(fresh, {.create = true, .exclusive = true, .permissions = 0600});
    EXPECT_EQ(std::filesystem::status(fresh).permissions(), std::filesystem::perms{0600});
    std::filesystem::remove(fresh);
}

TEST_P(PosixStorage, refuses_to_write_what_was_opened_for_reading) {
    auto const storage = opened(file_.path(), {.mode = AccessMode::read});
    auto const written = storage->write_at(7, bytes_of("abc"));
    ASSERT_FALSE(written.ok());
    EXPECT_EQ(written.status().system_error(), EBADF);
    EXPECT_NE(written.status().message().find("cannot write 3 bytes at offset 7 of " + file_.path()),
              std::string::npos);
}

TEST_P(PosixStorage, names_the_file_and_the_operation_in_errors) {
    auto const opening = open_posix("/nonexistent/x.nc", {.mode = AccessMode::write});
    EXPECT_NE(opening.status().message().find("cannot open /nonexistent/x.nc for writing"), std::string::npos);
    auto const storage = opened(file_.path());
    EXPECT_NE(storage->resize(-1).message().find("cannot set the size to -1 bytes of " + file_.path()),
              std::string::npos);
    EXPECT_NE(storage->lock({-5, 3}).message().find("cannot lock 3 bytes at offset -5 of"), std::string::npos);
    Bytes into(2);
    EXPECT_NE(storage->read_at(-1, into).status().message().find("cannot read 2 bytes at offset -1 of"),
              std::string::npos);
}

TEST_P(PosixStorage, closes_once) {
    auto const storage = opened(file_.path());
    EXPECT_TRUE(storage->close().ok());
    EXPECT_TRUE(storage->close().ok());
    EXPECT_EQ(storage->size().status().system_error(), EBADF);
}

TEST_P(PosixStorage, locks_exclude_another_opening_of_the_file_until_unlocked) {
    auto const mine = opened(file_.path());
    auto const theirs = opened(file_.path());
    ASSERT_TRUE(mine->lock({0, 100}).ok());
    ASSERT_TRUE(theirs->lock({100, 100}).ok()) << "other bytes are free";
    std::atomic<bool> unlocked{false};
    std::thread waiter{[&] {
        EXPECT_TRUE(theirs->lock({50, 10}).ok());
        EXPECT_TRUE(unlocked);
    }};
    std::this_thread::sleep_for(std::chrono::milliseconds{30});
    unlocked = true;
    EXPECT_TRUE(mine->unlock({0, 100}).ok());
    waiter.join();
}

// A handler that, unlike most, makes waiting system calls return.
void interrupt_on(int signal) {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    ::sigaction(signal, &action, nullptr);
}

TEST_P(PosixStorage, goes_on_waiting_for_a_lock_after_a_signal) {
    interrupt_on(SIGUSR1);
    auto const mine = opened(file_.path());
    auto const theirs = opened(file_.path());
    ASSERT_TRUE(mine->lock({0, 100}).ok());
    std::thread waiter{[&] { EXPECT_EQ(theirs->lock({0, 100}).text(), "ok"); }};
    for (int i = 0; i < 5; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
        ::pthread_kill(waiter.native_handle(), SIGUSR1);
    }
    EXPECT_TRUE(mine->unlock({0, 100}).ok());
    waiter.join();
}

TEST_P(PosixStorage, locking_no_bytes_locks_nothing) {
    auto const mine = opened(file_.path());
    auto const theirs = opened(file_.path());
    ASSERT_TRUE(mine->lock({0, 0}).ok());
    EXPECT_TRUE(theirs->lock({0, 1000}).ok());
}

TEST_P(PosixStorage, transfers_at_most_a_gibibyte_per_call) {
    constexpr std::size_t length = (std::size_t{1} << 30) + 4096;
    auto* const memory =
        ::mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    auto const sink = opened("/dev/null", {.mode = AccessMode::write});
    std::span<std::byte const> const bytes{static_cast<std::byte const*>(memory), length};
    EXPECT_EQ(*sink->write_at(0, bytes), Size{1} << 30);
    EXPECT_TRUE(write_fully(*sink, 0, bytes).ok());
    ::munmap(memory, length);
}

TEST_P(PosixStorage, says_how_far_a_large_write_came_and_then_why_it_stopped) {
    constexpr rlim_t limit = (rlim_t{3} << 20) / 2;
    auto const storage = opened(file_.path());
    std::vector<std::byte> const bytes(std::size_t{4} << 20, std::byte{7});
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    rlimit const small{limit, before.rlim_max};
    auto* const handler = ::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    auto const written = storage->write_at(0, bytes);
    auto const failed = write_fully(*storage, 0, bytes);
    ::setrlimit(RLIMIT_FSIZE, &before);
    ::signal(SIGXFSZ, handler);
    ASSERT_TRUE(written.ok());
    EXPECT_EQ(*written, static_cast<Size>(limit));
    EXPECT_EQ(failed.code(), Code::no_space);
    EXPECT_EQ(*storage->write_at(0, bytes), static_cast<Size>(bytes.size()));
}

// Returns whether a file without the permission to read could be written by an ordinary user; run in a child process.
bool writes_without_reading(std::string const& path) {
    if (::geteuid() == 0 && (::chown(path.c_str(), 65534, 65534) != 0 || ::seteuid(65534) != 0)) return false;
    auto storage = open_posix(path, {.mode = AccessMode::write});
    if (!storage || (*storage)->readable()) return false;
    return write_fully(**storage, 0, bytes_of("abc")).ok() && !open_posix(path, {}).ok();
}

TEST_P(PosixStorage, writes_files_that_may_not_be_read) {
    ASSERT_EQ(::chmod(file_.path().c_str(), 0200), 0);
    auto const child = ::fork();
    if (child == 0) ::_exit(writes_without_reading(file_.path()) ? 0 : 1);
    int status = 1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(opened(file_.path(), {.mode = AccessMode::write}) != nullptr);
}

TEST_P(PosixStorage, that_is_only_written_reads_too_where_it_may) {
    EXPECT_TRUE(opened(file_.path(), {.mode = AccessMode::write})->readable());
}

TEST_P(PosixStorage, counts_what_is_asked_of_it) {
    CountingStorage storage{opened(file_.path())};
    ASSERT_TRUE(write_fully(storage, 0, bytes_of("0123456789")).ok());
    auto const before = storage.counts();
    Bytes into(8);
    ASSERT_EQ(*read_fully(storage, 6, into), 4);  // a short read, then the end of the file
    ASSERT_TRUE(storage.lock({0, 5}).ok());
    ASSERT_TRUE(storage.unlock({0, 5}).ok());
    auto const counts = storage.counts();
    EXPECT_EQ(counts.writes, 1);
    EXPECT_EQ(counts.bytes_written, 10);
    EXPECT_EQ(counts.reads, 2);
    EXPECT_EQ(counts.bytes_read, 4);
    EXPECT_EQ(counts.locks, 1);
    EXPECT_GT(counts.seconds, 0);
    auto const since = counts - before;
    EXPECT_EQ(since.writes, 0);
    EXPECT_EQ(since.reads, 2);
}

// Transfers nothing, and says so.
class StuckStorage final : public Storage {
public:
    Result<Size> read_at(Offset, std::span<std::byte>) override { return Size{0}; }
    Result<Size> write_at(Offset, std::span<std::byte const>) override { return Size{0}; }
    Status lock(Extent) override { return {}; }
    Status unlock(Extent) override { return {}; }
    Result<Size> size() override { return Size{0}; }
    Status resize(Size) override { return {}; }
    Status reserve(Size) override { return {}; }
    Status sync() override { return {}; }
};

TEST(Storage, write_that_makes_no_progress_is_an_error_and_not_a_hang) {
    StuckStorage storage;
    EXPECT_EQ(write_fully(storage, 0, bytes_of("abc")).code(), Code::io);
    EXPECT_TRUE(write_fully(storage, 0, {}).ok());
}

}  // namespace
}  // namespace muster
