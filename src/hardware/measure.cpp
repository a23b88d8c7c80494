// How fast memory and mapped files really are: one second or less, on one core.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <numeric>
#include <random>

#include "hardware/node_hardware.hpp"

namespace muster {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>{Clock::now() - start}.count(); }

constexpr std::size_t copied = std::size_t{64} << 20;  // more than caches hold
constexpr Size file_size = Size{64} << 20;
constexpr Size page = 4096;

double copy_bandwidth() {
    std::vector<char> from(copied, 'x');
    std::vector<char> to(copied, 'y');
    double best = 0;
    for (int trial = 0; trial < 3; ++trial) {
        auto const start = Clock::now();
        std::memcpy(to.data(), from.data(), copied);
        best = std::max(best, static_cast<double>(copied) / seconds_since(start));
        from[static_cast<std::size_t>(trial)] = to[copied / 2];
    }
    return best;
}

// Every load tells where the next one goes, in one cycle through all of it.
double load_latency() {
    std::vector<std::uint32_t> next(copied / sizeof(std::uint32_t));
    std::iota(next.begin(), next.end(), 0U);
    std::mt19937 random{1};
    for (std::size_t i = next.size() - 1; i > 0; --i) std::swap(next[i], next[random() % i]);
    constexpr int loads = 1 << 20;
    auto const start = Clock::now();
    std::uint32_t at = 0;
    for (int i = 0; i < loads; ++i) at = next[at];
    auto const seconds = seconds_since(start);
    return at == 0xFFFFFFFFU ? 0 : seconds / loads;
}

// A file without a name, mapped into memory.
class Mapped {
public:
    explicit Mapped(std::string const& directory) {
        auto path = directory + "/muster-measure-XXXXXX";
        file_ = mkstemp(path.data());
        if (file_ < 0) return;
        unlink(path.c_str());
        if (ftruncate(file_, file_size) != 0) return;
        auto* const map = mmap(nullptr, file_size, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
        if (map != MAP_FAILED) data_ = static_cast<char*>(map);
    }
    ~Mapped() {
        if (data_ != nullptr) munmap(data_, file_size);
        if (file_ >= 0) close(file_);
    }
    Mapped(Mapped const&) = delete;
    Mapped& operator=(Mapped const&) = delete;
    char* data() const { return data_; }
    int file() const { return file_; }

private:
    int file_{-1};
    char* data_{nullptr};
};

double page_latency(Mapped const& mapped) {
    posix_fadvise(mapped.file(), 0, file_size, POSIX_FADV_DONTNEED);
    madvise(mapped.data(), file_size, MADV_DONTNEED);
    std::mt19937 random{1};
    constexpr int pages = 256;
    auto const start = Clock::now();
    int sum = 0;
    for (int i = 0; i < pages; ++i) sum += mapped.data()[static_cast<Size>(random() % (file_size / page)) * page];
    return seconds_since(start) / (sum == -1 ? 1 : pages);
}

}  // namespace

TierFacts measure_memory() {
    TierFacts tier;
    tier.name = "DRAM";
    tier.latency = load_latency();
    tier.bandwidth = copy_bandwidth();
    return tier;
}

Result<TierFacts> measure_directory(std::string const& directory) {
    Mapped const mapped{directory};
    if (mapped.data() == nullptr) return system_status(errno, "cannot map a file of 64 MiB in " + directory);
    TierFacts tier;
    tier.name = "SSD";
    tier.persistent = true;
    tier.directory = directory;
    auto const start = Clock::now();
    std::memset(mapped.data(), 1, file_size);
    if (msync(mapped.data(), file_size, MS_SYNC) != 0) return system_status(errno, "cannot write to " + directory);
    tier.bandwidth = static_cast<double>(file_size) / seconds_since(start);
    tier.latency = page_latency(mapped);
    return tier;
}

}  // namespace muster
