#include "posix.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <utility>

namespace muster::bench {

namespace {

// Calls move(offset, position, length) until all is moved; it returns what it moved, or -1.
template <class Move>
Status in_blocks(Offset offset, Size size, Size block, Move&& move) {
    for (Size done = 0; done < size;) {
        auto const moved = move(offset + done, done, std::min(block, size - done));
        if (moved < 0) return system_status(errno, "plain access to a file");
        if (moved == 0) return {Code::io, "the file is too short"};
        done += moved;
    }
    return {};
}

bool is_one_of(std::string const& path, std::initializer_list<long> file_systems) {
    struct statfs facts {};
    if (statfs(path.c_str(), &facts) != 0) return false;
    return std::ranges::find(file_systems, static_cast<long>(facts.f_type)) != file_systems.end();
}

}  // namespace

Result<PosixFile> PosixFile::open(std::string const& path, bool write) {
    auto const flags = write ? O_CREAT | O_WRONLY : O_RDONLY;
    auto const descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
    if (descriptor < 0) return system_status(errno, "cannot open " + path);
    return PosixFile{descriptor};
}

PosixFile::PosixFile(PosixFile&& other) noexcept : descriptor_{std::exchange(other.descriptor_, -1)} {}

PosixFile::~PosixFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Status PosixFile::write(Offset offset, std::span<std::byte const> bytes, Size block) {
    return in_blocks(offset, static_cast<Size>(bytes.size()), block, [&](Offset at, Size position, Size length) {
        return Size{pwrite(descriptor_, bytes.data() + position, static_cast<std::size_t>(length), at)};
    });
}

Status PosixFile::read(Offset offset, std::span<std::byte> bytes, Size block) {
    return in_blocks(offset, static_cast<Size>(bytes.size()), block, [&](Offset at, Size position, Size length) {
        return Size{pread(descriptor_, bytes.data() + position, static_cast<std::size_t>(length), at)};
    });
}

Status PosixFile::sync() { return fsync(descriptor_) == 0 ? Status{} : system_status(errno, "cannot sync"); }

Status remove_file(std::string const& path) {
    if (unlink(path.c_str()) == 0 || errno == ENOENT) return {};
    return system_status(errno, "cannot remove " + path);
}

Status drop_cache(std::string const& path) {
    auto const descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return system_status(errno, "cannot open " + path);
    auto error = fsync(descriptor) == 0 ? 0 : errno;
    if (error == 0) error = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    ::close(descriptor);
    return error == 0 ? Status{} : system_status(error, "cannot drop the cache of " + path);
}

bool in_memory(std::string const& path) { return is_one_of(path, {TMPFS_MAGIC, RAMFS_MAGIC}); }
bool on_local_disk(std::string const& path) {
    return is_one_of(path, {EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC});
}

}  // namespace muster::bench
