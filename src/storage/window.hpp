// Storing and loading of a window: the bytes of one part of the file that an aggregator holds in memory.
#pragma once

#include <limits>
#include <span>

#include "storage/storage.hpp"

namespace muster {

// The byte of file offset x is bytes[x - offset]. `covered` are the extents that really hold data: sorted, inside the
// window, not touching each other. Between them are holes; storing may overwrite their bytes in memory.
struct WindowStore {
    std::span<std::byte> bytes;
    Offset offset{0};
    std::span<Extent const> covered;
};

struct HolePolicy {
    static constexpr int any_number = std::numeric_limits<int>::max();
    int max_writes{512};  // write calls per window; any_number: nothing is ever read, modified and written
    bool lock{true};      // the file range during read-modify-write
};

struct StoreOutcome {
    Size separate_writes{0};     // extents that were written by themselves
    Size read_modify_writes{0};  // groups of extents that were written together with the holes between them
    bool lock_refused{false};    // the file system has no locks: groups were written extent by extent instead
};

// Extents that lie closely together form a group, and a group is read, completed and written as a whole where the
// estimate says that this is cheaper: a call costs as much as 16 KiB moved (2 us at 8 GB/s), a pair of locks as much as
// a call. Gaps that are joined grow until there are no more than max_writes write calls. Only covered bytes change in
// the file, and it never grows beyond the last of them. Where nothing can be read or locked, extents are written one by
// one.
Result<StoreOutcome> store_window(Storage& storage, WindowStore const& window, HolePolicy const& policy);

// Reads the `wanted` extents (sorted, inside the window) of the window that starts at `offset`; holes of less than 64
// KiB are read through. Wanted bytes beyond the end of the file become zero. Returns how many bytes of the window exist
// in the file, as far as the wanted ones tell: all of them unless the end of the file was met.
Result<Size> load_window(Storage& storage, std::span<std::byte> into, Offset offset, std::span<Extent const> wanted);

}  // namespace muster
