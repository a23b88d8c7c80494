// Memory of several kinds behind one small interface: plain, high-bandwidth, or files mapped into memory. Where one kind is
// full or fails, the next is used, and that is noted.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "machine/tiers.hpp"
#include "memory/buffer.hpp"

namespace muster {

// One kind. Latency, bandwidth, capacity and persistency are in its facts; what is given out is freed with the buffer.
class Tier {
public:
    explicit Tier(TierFacts facts) : facts_{std::move(facts)}, used_{std::make_shared<std::atomic<Size>>(0)} {}
    virtual ~Tier() = default;

    TierFacts const& facts() const { return facts_; }
    Size used() const { return *used_; }

    // Refused where it would exceed the capacity.
    Result<Buffer> allocate(Size size);
    // What was written is as safe as the tier can make it.
    virtual Status flush(Buffer const& buffer);
    static void write(Buffer const& buffer, Offset at, std::span<std::byte const> from);
    static void read(Buffer const& buffer, Offset at, std::span<std::byte> into);

protected:
    virtual Result<Buffer> take(Size size) = 0;

private:
    TierFacts facts_;
    std::shared_ptr<std::atomic<Size>> used_;
};

// By its facts: with a directory, files mapped into memory; named HBM, high-bandwidth memory; else plain memory.
std::unique_ptr<Tier> make_tier(TierFacts const& facts);

// A file without a name, of which all bytes are there, mapped into memory. Others of the node map it by its path while it
// has one.
class MappedFile {
public:
    MappedFile() = default;
    static Result<MappedFile> create(std::string const& directory, Size size);
    static Result<MappedFile> attach(std::string const& path, Size size);
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    std::string const& path() const { return path_; }
    void remove_path();
    std::span<std::byte> bytes() const { return bytes_; }
    std::byte* release();  // the caller unmaps

private:
    std::string path_;
    bool named_{false};
    std::span<std::byte> bytes_;
};

// Tiers in the order in which they are tried: the preferred one, those behind it, then plain memory.
class TierStack {
public:
    TierStack() : TierStack{{}, {}} {}
    TierStack(std::vector<TierFacts> const& tiers, std::string const& preferred);

    Result<Buffer> allocate(Size size);
    // The facts of the first that still has room for so many bytes.
    TierFacts const& choose(Size size) const;
    bool plain() const { return tiers_.size() == 1; }  // nothing but plain memory
    std::string last() const { return last_; }         // where the last buffer came from; empty before the first
    // Why a tier was passed over, once each.
    std::vector<std::string> const& notes() const { return notes_; }
    void note(std::string text);

private:
    std::vector<std::unique_ptr<Tier>> tiers_;
    std::string last_;
    std::vector<std::string> notes_;
};

}  // namespace muster
