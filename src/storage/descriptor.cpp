#include "storage/descriptor.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <limits>

namespace muster {

namespace {

Size inode_in(struct stat const& facts) {
    return static_cast<Size>(facts.st_ino & static_cast<ino_t>(std::numeric_limits<Size>::max()));
}

}  // namespace

Size inode_of(std::string const& path) {
    struct stat facts {};
    return ::stat(path.c_str(), &facts) == 0 ? inode_in(facts) : 0;
}

Size regular_inode_of(std::string const& path) {
    struct stat facts {};
    return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) ? inode_in(facts) : 0;
}

// Numbers of files are unique in a file system only: the right one is that of the directory.
std::string find_descriptor(std::string const& path, Size inode) {
    struct stat home {};
    if (::stat(std::filesystem::path{path}.parent_path().c_str(), &home) != 0) return {};
    std::error_code failure;
    for (auto const& entry : std::filesystem::directory_iterator{"/proc/self/fd", failure}) {
        struct stat facts {};
        if (::stat(entry.path().c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
        if (inode_in(facts) == inode && facts.st_dev == home.st_dev) return entry.path();
    }
    return {};
}

}  // namespace muster
