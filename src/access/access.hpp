// What one rank accesses, whichever way the user said it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "access/array.hpp"
#include "access/datatype.hpp"
#include "access/view.hpp"
#include "core/shape.hpp"
#include "muster/status.hpp"

namespace muster {

// Bytes of memory that are wanted a second time.
struct Duplicate {
    Offset from{0};
    Offset to{0};
    Size length{0};
    Offset file{0};  // where they lie in the file
    bool operator==(Duplicate const&) const = default;
};

// The bytes of `file` go to or come from the bytes of `memory`, in stream order; both have the same size.
struct Access {
    Stream file;
    Stream memory;                      // offsets relative to `base`
    std::byte* base{nullptr};           // writing only reads from there
    std::vector<Duplicate> duplicates;  // to be copied in this order after reading
    // Where something is to be expected in the file, for instance arrays that are written as a whole: sorted, not touching each
    // other, the same on all ranks. Whether they are really covered is found out; where they are, writing is simpler.
    std::vector<Extent> frame{};

    Size size() const { return file.size(); }
};

// Whether a file can have it: from 0 on, and not beyond the largest offset.
bool is_possible(Extent const& extent);

// User memory: a stream of bytes relative to `base`.
struct Memory {
    Stream stream;
    std::byte* base{nullptr};
};

// A buffer as MPI describes it. With MPI_BOTTOM the type has absolute addresses, and `base` is the lowest of them. What lies
// in the first page is refused: somebody has passed a null pointer.
Result<Memory> memory_stream(void const* buffer, Size count, MPI_Datatype type);
// The same for a buffer that is not touched yet, and may be anywhere.
Result<Memory> memory_layout(void const* buffer, Size count, MPI_Datatype type);

inline std::intptr_t address_of(void const* data) { return reinterpret_cast<std::intptr_t>(data); }
constexpr std::intptr_t first_page = 4096;  // bytes; nothing lies there

// Plain extents in any order with memory segments in any number; their bytes correspond in the order given, and there
// must be as many of the one as of the other.
Result<Access> make_access(std::span<Extent const> extents, std::span<Segment const> segments);
MUSTER_API Result<Access> make_access(Stream file, Memory memory);

enum class Overlap {
    last_wins,  // writing: of bytes given twice, those that come later in the stream are kept
    duplicate,  // reading: bytes wanted twice are read once, and copied by apply_duplicates
};

// The same access with a file stream that runs through the file forwards and touches no byte twice. Returned as it is
// when it does so already; otherwise its pieces are sorted.
MUSTER_API Result<Access> ordered(Access access, Overlap overlap);
// Completes a read.
void apply_duplicates(Access const& access);

}  // namespace muster
