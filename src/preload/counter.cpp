#include "preload/counter.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "storage/storage.hpp"

namespace muster::preload {

namespace {

constexpr Extent number{0, sizeof(Offset)};

Result<Offset> number_in(Storage& file, Offset first) {
    auto value = first;
    auto const got = read_fully(file, 0, std::as_writable_bytes(std::span{&value, 1}));
    if (!got) return got.status();
    return *got == number.length ? value : first;
}

}  // namespace

// Closing the file gives the lock back.
Result<Offset> count_on(std::string const& counter, Offset first, Size add) {
    auto file = open_posix(counter, {AccessMode::read_write, true, false, false, 0600});
    if (!file) return file.status();
    if (auto status = (*file)->lock(number); !status.ok()) return status;
    auto const before = number_in(**file, first);
    if (!before) return before;
    auto const after = *before + add;
    auto const kept = write_fully(**file, 0, std::as_bytes(std::span{&after, 1}));
    return kept.ok() ? before : Result<Offset>{kept};
}

Result<Offset> read_counter(std::string const& counter, Offset first) {
    auto file = open_posix(counter, {AccessMode::read_write, false, false, false, 0600});
    if (!file) return file.status().code() == Code::not_found ? Result<Offset>{first} : Result<Offset>{file.status()};
    if (auto status = (*file)->lock(number); !status.ok()) return status;
    return number_in(**file, first);
}

void remove_counter(std::string const& counter) { ::unlink(counter.c_str()); }

bool is_writable_beside(std::string const& path) {
    auto const slash = path.rfind('/');
    auto const directory = slash == std::string::npos ? std::string{"."} : path.substr(0, slash + 1);
    return ::access(directory.c_str(), W_OK) == 0;
}

Size mark_of_memory() {
    struct stat facts {};
    std::string kernel;
    std::ifstream{"/proc/sys/kernel/random/boot_id"} >> kernel;
    if (::stat(memory_directory, &facts) != 0 || ::access(memory_directory, W_OK) != 0 || kernel.empty()) return 0;
    return static_cast<Size>(std::hash<std::string>{}(kernel + std::to_string(facts.st_dev)) >> 2) | 1;
}

}  // namespace muster::preload
