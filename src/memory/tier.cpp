#include "memory/tier.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/reserve.hpp"

#if MUSTER_HAS_MEMKIND
#include <memkind.h>
#endif

namespace muster {

namespace {

class PlainTier final : public Tier {
    using Tier::Tier;
    Result<Buffer> take(Size size) override { return Buffer::allocate(size); }
};

class FileTier final : public Tier {
public:
    using Tier::Tier;
    Status flush(Buffer const& buffer) override {
        if (buffer.size() == 0) return {};
        if (msync(buffer.data(), static_cast<std::size_t>(buffer.size()), MS_SYNC) == 0) return {};
        return system_status(errno, "cannot flush a mapped file in " + facts().directory);
    }

private:
    Result<Buffer> take(Size size) override {
        auto file = MappedFile::create(facts().directory, size);
        if (!file) return file.status();
        file->remove_path();
        auto* const memory = file->release();
        return Buffer::adopt({memory, static_cast<std::size_t>(size)},
                             [size](std::byte* mapped) { munmap(mapped, static_cast<std::size_t>(size)); });
    }
};

class HighBandwidthTier final : public Tier {
    using Tier::Tier;

#if MUSTER_HAS_MEMKIND
    Result<Buffer> take(Size size) override {
        constexpr std::size_t page = 4096;
        if (memkind_check_available(MEMKIND_HBW) != 0) return none();
        void* memory = nullptr;
        if (memkind_posix_memalign(MEMKIND_HBW, &memory, page, static_cast<std::size_t>(size)) != 0) {
            return Status{Code::out_of_memory, "no high-bandwidth memory for " + std::to_string(size) + " bytes"};
        }
        return Buffer::adopt({static_cast<std::byte*>(memory), static_cast<std::size_t>(size)},
                             [](std::byte* taken) { memkind_free(MEMKIND_HBW, taken); });
    }
#else
    Result<Buffer> take(Size) override { return none(); }
#endif
    static Status none() { return {Code::unsupported, "there is no high-bandwidth memory here"}; }
};

std::span<std::byte> map(int descriptor, Size size) {
    auto const length = static_cast<std::size_t>(size);
    void* const memory = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return memory == MAP_FAILED ? std::span<std::byte>{} : std::span{static_cast<std::byte*>(memory), length};
}

Status back(int descriptor, Size size, std::string const& directory) {
    auto const error = reserve_blocks(descriptor, size);
    if (error == 0) return {};
    return system_status(error, "cannot reserve " + std::to_string(size) + " bytes in " + directory);
}

}  // namespace

Result<Buffer> Tier::allocate(Size size) {
    if (facts_.capacity > 0 && *used_ + size > facts_.capacity) {
        return Status{Code::out_of_memory, "its " + std::to_string(facts_.capacity) + " bytes are full"};
    }
    if (size == 0) return Buffer{};
    auto buffer = take(size);
    if (!buffer) return buffer;
    *used_ += size;
    buffer->on_release([used = used_, size] { *used -= size; });
    return buffer;
}

Status Tier::flush(Buffer const&) { return {}; }
void Tier::write(Buffer const& buffer, Offset at, std::span<std::byte const> from) {
    std::copy(from.begin(), from.end(), buffer.data() + at);
}
void Tier::read(Buffer const& buffer, Offset at, std::span<std::byte> into) {
    std::copy_n(buffer.data() + at, into.size(), into.begin());
}

std::unique_ptr<Tier> make_tier(TierFacts const& facts) {
    if (!facts.directory.empty()) return std::make_unique<FileTier>(facts);
    if (facts.name == "HBM") return std::make_unique<HighBandwidthTier>(facts);
    return std::make_unique<PlainTier>(facts);
}

Result<MappedFile> MappedFile::create(std::string const& directory, Size size) {
    auto path = directory + "/muster-windows-XXXXXX";
    auto const descriptor = ::mkostemp(path.data(), O_CLOEXEC);
    if (descriptor < 0) return system_status(errno, "cannot make a file in " + directory);
    MappedFile made;
    made.path_ = path;
    made.named_ = true;
    auto status = back(descriptor, size, directory);
    if (status.ok()) made.bytes_ = map(descriptor, size);
    if (status.ok() && made.bytes_.empty()) status = system_status(errno, "cannot map " + path);
    ::close(descriptor);
    if (!status.ok()) return status;
    return made;
}

Result<MappedFile> MappedFile::attach(std::string const& path, Size size) {
    auto const descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return system_status(errno, "cannot open " + path);
    MappedFile made;
    made.path_ = path;
    made.bytes_ = map(descriptor, size);
    auto const error = errno;
    ::close(descriptor);
    if (made.bytes_.empty()) return system_status(error, "cannot map " + path);
    return made;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_{std::move(other.path_)},
      named_{std::exchange(other.named_, false)},
      bytes_{std::exchange(other.bytes_, {})} {}
MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(named_, other.named_);
    std::swap(bytes_, other.bytes_);
    return *this;
}
MappedFile::~MappedFile() {
    remove_path();
    if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
}
void MappedFile::remove_path() {
    if (std::exchange(named_, false)) ::unlink(path_.c_str());
}
std::byte* MappedFile::release() { return std::exchange(bytes_, {}).data(); }

TierStack::TierStack(std::vector<TierFacts> const& tiers, std::string const& preferred) {
    auto const wanted =
        std::find_if(tiers.begin(), tiers.end(), [&](TierFacts const& tier) { return tier.name == preferred; });
    if (!preferred.empty() && wanted == tiers.end() && preferred != "DRAM") note("there is no tier " + preferred);
    if (!preferred.empty()) {
        for (auto tier = wanted; tier != tiers.end(); ++tier) tiers_.push_back(make_tier(*tier));
    }
    TierFacts plain;
    plain.name = "plain memory";
    tiers_.push_back(std::make_unique<PlainTier>(plain));
}

void TierStack::note(std::string text) {
    if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.push_back(std::move(text));
}

Result<Buffer> TierStack::allocate(Size size) {
    Status failure;
    for (auto const& tier : tiers_) {
        auto buffer = tier->allocate(size);
        if (buffer) {
            last_ = tier->facts().name;
            return buffer;
        }
        failure = buffer.status();
        note(tier->facts().name + ": " + failure.message());
    }
    return failure;
}

TierFacts const& TierStack::choose(Size size) const {
    for (auto const& tier : tiers_) {
        auto const capacity = tier->facts().capacity;
        if (capacity == 0 || tier->used() + size <= capacity) return tier->facts();
    }
    return tiers_.back()->facts();
}

}  // namespace muster
