#include "hdf5/same_file.hpp"

#include <dirent.h>
#include <sys/stat.h>

#include <cstdlib>
#include <memory>

namespace muster::hdf5 {

namespace {

struct CloseDirectory {
    void operator()(DIR* directory) const { ::closedir(directory); }
};

bool is_same(struct stat const& left, struct stat const& right) {
    return left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

}  // namespace

bool has_open(std::string const& path) {
    struct stat named {};
    if (::stat(path.c_str(), &named) != 0) return false;
    std::unique_ptr<DIR, CloseDirectory> const descriptors{::opendir("/proc/self/fd")};
    if (!descriptors) return true;
    while (auto const* const entry = ::readdir(descriptors.get())) {
        struct stat open {};
        if (entry->d_name[0] == '.' || ::fstat(std::atoi(entry->d_name), &open) != 0) continue;
        if (is_same(named, open)) return true;
    }
    return false;
}

}  // namespace muster::hdf5
