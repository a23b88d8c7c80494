#include "node/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "core/reserve.hpp"

namespace muster {

namespace {

std::string unguessable_name() {
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return {};
    std::string name = "/muster-";
    for (auto const byte : bytes) {
        name += "0123456789abcdef"[byte >> 4];
        name += "0123456789abcdef"[byte & 15];
    }
    return name;
}

// Closes itself.
class Descriptor {
public:
    explicit Descriptor(int number) : number_{number} {}
    Descriptor(Descriptor const&) = delete;
    Descriptor& operator=(Descriptor const&) = delete;
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    int number() const { return number_; }

private:
    int number_;
};

Result<std::span<std::byte>> map(int descriptor, Size size) {
    auto const length = static_cast<std::size_t>(size);
    void* const memory = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED)
        return system_status(errno, "cannot map " + std::to_string(size) + " bytes of shared memory");
    return std::span<std::byte>{static_cast<std::byte*>(memory), length};
}

// Every page allocated now.
Status back(int descriptor, Size size) {
    if (ftruncate(descriptor, size) != 0) return system_status(errno, "cannot size shared memory");
    auto const error = reserve_blocks(descriptor, size);
    if (error == 0) return {};
    return system_status(error, "cannot reserve " + std::to_string(size) + " bytes of shared memory");
}

}  // namespace

Result<SharedMemory> SharedMemory::create(Size size) {
    SharedMemory shared;
    shared.name_ = unguessable_name();
    if (shared.name_.empty()) return system_status(errno, "no random numbers to name shared memory with");
    Descriptor const file{shm_open(shared.name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)};
    if (file.number() < 0) return system_status(errno, "cannot create shared memory");
    shared.named_ = true;
    if (auto status = back(file.number(), size); !status.ok()) return status;
    auto bytes = map(file.number(), size);
    if (!bytes) return bytes.status();
    shared.bytes_ = *bytes;
    return shared;
}

Result<SharedMemory> SharedMemory::attach(std::string const& name, Size size) {
    Descriptor const file{shm_open(name.c_str(), O_RDWR | O_CLOEXEC, 0)};
    if (file.number() < 0) return system_status(errno, "cannot open shared memory");
    auto bytes = map(file.number(), size);
    if (!bytes) return bytes.status();
    SharedMemory shared;
    shared.name_ = name;
    shared.bytes_ = *bytes;
    return shared;
}

// Kernels before 5.14 do not know it, and map page by page later.
void SharedMemory::settle([[maybe_unused]] std::span<std::byte> part) {
#ifdef MADV_POPULATE_READ
    madvise(part.data(), part.size(), MADV_POPULATE_READ);
#endif
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept { *this = std::move(other); }

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(bytes_, other.bytes_);
    std::swap(named_, other.named_);
    return *this;
}

SharedMemory::~SharedMemory() {
    remove_name();
    if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
}

void SharedMemory::remove_name() {
    if (std::exchange(named_, false)) shm_unlink(name_.c_str());
}

}  // namespace muster
