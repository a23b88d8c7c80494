#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <mutex>

#include "core/copy.hpp"
#include "storage/storage.hpp"

namespace muster {

namespace {

static_assert(sizeof(off_t) == sizeof(Offset));

// Linux transfers at most 2 GiB - 4 KiB per call; a round number keeps the following transfers aligned.
constexpr std::size_t largest_transfer = std::size_t{1} << 30;

// Where Linux keeps files in large pages, a call that writes more than this makes it look for pages of 2 MiB: with memory in
// fragments that took up to 30 times as long (4 MiB at a time on ext4 of Linux 6.18), and it gains nothing.
constexpr std::size_t cached_transfer = std::size_t{1} << 20;

// Into memory that trails the file, see core/copy.hpp, Linux reads less than half as fast: by way of a page it is quicker, though
// copied twice. Not where a long call may be more than a copy.
constexpr std::size_t long_read = std::size_t{64} << 10;
constexpr std::size_t detour = std::size_t{128} << 10;  // which stays in a core's own cache

// Memory that lies in its page as the file does there: it trails nothing.
std::byte* detour_for(Offset offset) {
    constexpr std::size_t page = 4096;
    struct alignas(page) Pages {
        std::array<std::byte, page + detour> bytes;
    };
    thread_local std::unique_ptr<Pages> const pages{new Pages};
    return pages->bytes.data() + static_cast<std::size_t>(offset) % page;
}

// What is best for a file system: those of this machine alone are known.
struct Habits {
    std::size_t write{largest_transfer};  // most bytes at once
    bool one_writer{false};
    bool local{false};  // nobody else has it: a lock is a matter of this machine's system
    bool detours{false};
};

Habits habits_of(int descriptor) {
    constexpr std::array<long, 4> cached{0xEF53 /* ext */, 0x58465342 /* xfs */, 0x9123683E /* btrfs */,
                                         0x794C7630 /* overlay */};
    constexpr long memory = 0x01021994;  // tmpfs
    struct statfs facts {};
    if (::fstatfs(descriptor, &facts) != 0) return {};
    auto const type = static_cast<long>(facts.f_type);
    auto const on_disk = std::find(cached.begin(), cached.end(), type) != cached.end();
    auto const local = on_disk || type == memory;
    return {on_disk ? cached_transfer : largest_transfer, on_disk, local, local && copies_slowly_when_trailing()};
}

// Calls again while a signal interrupts.
template <class Call>
auto uninterrupted(Call call) {
    auto outcome = call();
    while (outcome < 0 && errno == EINTR) outcome = call();
    return outcome;
}

std::string bytes_at(Size length, Offset offset) {
    return std::to_string(length) + " bytes at offset " + std::to_string(offset) + " of ";
}

class PosixFile final : public Storage {
public:
    PosixFile(int descriptor, std::string path, bool readable)
        : descriptor_{descriptor}, path_{std::move(path)}, readable_{readable} {}
    ~PosixFile() override { (void)close(); }
    PosixFile(PosixFile const&) = delete;
    PosixFile& operator=(PosixFile const&) = delete;

    Result<Size> read_at(Offset offset, std::span<std::byte> into) override {
        auto const length = std::min(into.size(), largest_transfer);
        if (length >= long_read && into_trailing(offset, into.data()) && habits().detours) {
            return read_by_detour(offset, into.first(length));
        }
        auto const got = uninterrupted([&] { return ::pread(descriptor_, into.data(), length, offset); });
        if (got < 0) return failure("read " + bytes_at(static_cast<Size>(length), offset));
        return Size{got};
    }

    Result<Size> write_at(Offset offset, std::span<std::byte const> from) override {
        auto const whole = std::min(from.size(), largest_transfer);
        auto const most = most_at_once(whole);
        std::size_t done = 0;
        while (done < whole) {
            auto const place = offset + static_cast<Offset>(done);
            auto const to_edge = most - static_cast<std::size_t>(place) % most;  // pages stay whole
            auto const length = std::min(whole - done, to_edge);
            auto const written =
                uninterrupted([&] { return ::pwrite(descriptor_, from.data() + done, length, place); });
            if (written < 0 && done == 0) return failure("write " + bytes_at(static_cast<Size>(length), offset));
            if (written <= 0) break;  // the next call tells why
            done += static_cast<std::size_t>(written);
        }
        return static_cast<Size>(done);
    }

    // Who may only read shares the lock with others who may.
    Status lock(Extent extent) override {
        auto const only_reads = (::fcntl(descriptor_, F_GETFL) & O_ACCMODE) == O_RDONLY;
        return set_lock(F_OFD_SETLKW, only_reads ? F_RDLCK : F_WRLCK, extent);
    }
    Status unlock(Extent extent) override { return set_lock(F_OFD_SETLK, F_UNLCK, extent); }
    // Who may only write cannot share. A lock that is not to be had is done without: it is for the sake of others.
    void share(Extent extent) override {
        if (habits().local) (void)set_lock(F_OFD_SETLKW, readable_ ? F_RDLCK : F_WRLCK, extent);
    }
    void end_sharing(Extent extent) override {
        if (habits().local) (void)unlock(extent);
    }

    Result<Size> size() override {
        struct stat facts {};
        if (::fstat(descriptor_, &facts) != 0) return failure("ask for the size of ");
        return Size{facts.st_size};
    }

    Status resize(Size size) override {
        if (uninterrupted([&] { return ::ftruncate(descriptor_, size); }) == 0) return {};
        return failure("set the size to " + std::to_string(size) + " bytes of ");
    }

    Status reserve(Size size) override {
        if (size == 0) return {};
        if (uninterrupted([&] { return ::fallocate(descriptor_, 0, 0, size); }) == 0) return {};
        if (errno == EOPNOTSUPP || errno == ENOSYS) return extend(size);
        return failure("reserve " + std::to_string(size) + " bytes of ");
    }

    Status sync() override {
        if (uninterrupted([&] { return ::fsync(descriptor_); }) == 0) return {};
        return failure("sync ");
    }

    bool readable() const override { return readable_; }
    bool one_writer() override { return habits().one_writer; }

    Result<FileState> state() override {
        struct stat facts {};
        if (::fstat(descriptor_, &facts) != 0) return failure("ask for the state of ");
        return FileState{facts.st_nlink == 0, (facts.st_mode & S_ISVTX) != 0};
    }
    // The bit has no other meaning for a file.
    Status mark_moved(bool moved) override {
        struct stat facts {};
        if (::fstat(descriptor_, &facts) != 0) return failure("ask for the state of ");
        auto const plain = facts.st_mode & 0777U;
        return ::fchmod(descriptor_, moved ? plain | S_ISVTX : plain) == 0 ? Status{} : failure("mark ");
    }

    // Not repeated when interrupted: on Linux the descriptor is gone by then.
    Status close() override {
        if (descriptor_ < 0) return {};
        auto const outcome = ::close(std::exchange(descriptor_, -1));
        return outcome == 0 || errno == EINTR ? Status{} : failure("close ");
    }

private:
    // Locks that belong to this opening of the file, not to the process, so that closing another one does not drop
    // them.
    Status set_lock(int command, short type, Extent extent) {
        if (extent.length <= 0) return {};  // the system would take 0 for "up to the end of all files"
        struct flock request {};
        request.l_type = type;
        request.l_whence = SEEK_SET;
        request.l_start = extent.offset;
        request.l_len = extent.length;
        if (uninterrupted([&] { return ::fcntl(descriptor_, command, &request); }) == 0) return {};
        return failure((type == F_UNLCK ? "unlock " : "lock ") + bytes_at(extent.length, extent.offset));
    }

    Status extend(Size size) {
        auto const now = this->size();
        if (!now) return now.status();
        return *now < size ? resize(size) : Status{};
    }

    // By so little that a detour costs less: 2.2 us a page where that is slow; from 32 bytes on 0.5 us, as much as the detour.
    static bool into_trailing(Offset offset, std::byte const* memory) {
        constexpr std::uint64_t close = 32;
        auto const place = reinterpret_cast<std::uintptr_t>(memory);
        auto const start = static_cast<std::uint64_t>(offset);
        return trails(place, start) && (place - start) % 4096 < close;
    }

    Result<Size> read_by_detour(Offset offset, std::span<std::byte> into) {
        auto* const pages = detour_for(offset);
        std::size_t done = 0;
        while (done < into.size()) {
            auto const length = std::min(into.size() - done, detour);
            auto const place = offset + static_cast<Offset>(done);
            auto const got = uninterrupted([&] { return ::pread(descriptor_, pages, length, place); });
            if (got < 0 && done == 0) return failure("read " + bytes_at(static_cast<Size>(length), offset));
            if (got <= 0) break;  // the next call tells why
            copy_small(into.data() + done, pages, got);
            done += static_cast<std::size_t>(got);
        }
        return static_cast<Size>(done);
    }

    // Asked for when an access is large enough for it to matter.
    Habits const& habits() {
        std::call_once(known_, [&] { habits_ = habits_of(descriptor_); });
        return habits_;
    }
    std::size_t most_at_once(std::size_t whole) { return whole <= cached_transfer ? largest_transfer : habits().write; }

    Status failure(std::string const& what) const { return system_status(errno, "cannot " + what + path_); }

    int descriptor_;
    std::string path_;
    bool readable_;
    std::once_flag known_;
    Habits habits_;
};

int open_flags(OpenOptions const& options) {
    int flags = O_CLOEXEC | (options.mode == AccessMode::read ? O_RDONLY : O_RDWR);
    if (options.create) flags |= O_CREAT;
    if (options.create && options.exclusive) flags |= O_EXCL;
    if (options.truncate) flags |= O_TRUNC;
    return flags;
}

int open_file(std::string const& path, int flags, unsigned permissions) {
    return uninterrupted([&] { return ::open(path.c_str(), flags, static_cast<mode_t>(permissions)); });
}

char const* purpose(AccessMode mode) {
    switch (mode) {
        case AccessMode::read: return "reading";
        case AccessMode::write: return "writing";
        case AccessMode::read_write: break;
    }
    return "reading and writing";
}

}  // namespace

Result<std::unique_ptr<Storage>> open_posix(std::string const& path, OpenOptions const& options) {
    auto const flags = open_flags(options);
    bool readable = true;
    auto descriptor = open_file(path, flags, options.permissions);
    if (descriptor < 0 && errno == EACCES && options.mode == AccessMode::write) {
        readable = false;
        descriptor = open_file(path, (flags & ~O_ACCMODE) | O_WRONLY, options.permissions);
    }
    if (descriptor < 0) return system_status(errno, "cannot open " + path + " for " + purpose(options.mode));
    return std::unique_ptr<Storage>{std::make_unique<PosixFile>(descriptor, path, readable)};
}

}  // namespace muster
