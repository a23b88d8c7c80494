// Files without MPI: what is measured against, and what is prepared.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster::bench {

class PosixFile {
public:
    static Result<PosixFile> open(std::string const& path, bool write);
    PosixFile(PosixFile&& other) noexcept;
    PosixFile& operator=(PosixFile&&) = delete;
    ~PosixFile();

    // In calls of at most `block` bytes.
    Status write(Offset offset, std::span<std::byte const> bytes, Size block);
    Status read(Offset offset, std::span<std::byte> bytes, Size block);
    Status sync();

private:
    explicit PosixFile(int descriptor) : descriptor_{descriptor} {}
    int descriptor_;
};

Status remove_file(std::string const& path);  // fine when there is none
// The file's bytes go to the storage and out of the page cache.
Status drop_cache(std::string const& path);
bool in_memory(std::string const& path);      // of a file system that has no storage behind the page cache
bool on_local_disk(std::string const& path);  // that this machine has for itself, behind the page cache

}  // namespace muster::bench
