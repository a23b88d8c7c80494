// Every system call on a file, behind one small interface, so that faults can be injected and back ends exchanged.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster {

// What others may have done to a file that is open.
struct FileState {
    bool gone{false};   // it has no name any more
    bool moved{false};  // what it held lies elsewhere: see mark_moved
};

class Storage {
public:
    virtual ~Storage() = default;
    // Both may transfer less than asked; read_at returns 0 only at the end of the file.
    virtual Result<Size> read_at(Offset offset, std::span<std::byte> into) = 0;
    virtual Result<Size> write_at(Offset offset, std::span<std::byte const> from) = 0;
    virtual Status lock(Extent extent) = 0;  // waits until nobody else holds a lock on these bytes
    virtual Status unlock(Extent extent) = 0;
    // Shares these bytes with all who do, and with nobody who has locked them. Of no effect where it cannot be had for next to
    // nothing: beyond this machine it would cost more than most writes.
    virtual void share(Extent) {}
    virtual void end_sharing(Extent) {}
    virtual Result<Size> size() = 0;
    virtual Status resize(Size size) = 0;
    // Makes sure that the file has space for its first `size` bytes; never shortens it or changes a byte. By one rank
    // only.
    virtual Status reserve(Size size) = 0;
    virtual Status sync() = 0;
    // False where the file could be opened for writing only: then nothing can be read and modified.
    virtual bool readable() const { return true; }
    // Whether the system lets one process of this machine at a time write to a file: more of them only wait, with their cores.
    virtual bool one_writer() { return false; }
    virtual Result<FileState> state() { return FileState{}; }
    // Tells all who have the file open that what it holds lies elsewhere, or does not.
    virtual Status mark_moved(bool) { return {Code::unsupported, "this storage cannot be marked"}; }
    // What was done otherwise than asked for, for the report.
    virtual std::vector<std::string> notes() const { return {}; }
    // Gives the file back, and what the system says only now. The destructor does it silently.
    virtual Status close() { return {}; }
};

// `write` reads too where the permissions allow, because windows with holes are completed by reading.
enum class AccessMode { read, write, read_write };

struct OpenOptions {
    AccessMode mode{AccessMode::read_write};
    bool create{false};
    bool exclusive{false};  // with create: fail if it exists
    bool truncate{false};
    unsigned permissions{0666};
};
Result<std::unique_ptr<Storage>> open_posix(std::string const& path, OpenOptions const& options);

// While it lives, nobody who locks these bytes to read, change and write them back can undo what is written there.
class Sharing {
public:
    Sharing(Storage& storage, Extent extent, bool wanted) : storage_{wanted ? &storage : nullptr}, extent_{extent} {
        if (storage_ != nullptr) storage_->share(extent_);
    }
    ~Sharing() {
        if (storage_ != nullptr) storage_->end_sharing(extent_);
    }
    Sharing(Sharing const&) = delete;
    Sharing& operator=(Sharing const&) = delete;

private:
    Storage* storage_;
    Extent extent_;
};

// Short transfers continued. read_fully returns less than asked only at the end of the file.
Status write_fully(Storage& storage, Offset offset, std::span<std::byte const> from);
Result<Size> read_fully(Storage& storage, Offset offset, std::span<std::byte> into);

}  // namespace muster
