// What this rank reads and writes: places in the file, and the buffer.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "datatypes.hpp"
#include "job.hpp"
#include "mpi/comm.hpp"
#include "workloads/workload.hpp"

namespace muster::bench {

// One collective call: all variables, or one of them.
struct Part {
    Shape file;         // in the first step
    Size start{0};      // of its bytes in the buffer
    Datatype filetype;  // never empty, because not every MPI takes that
    Size bytes() const { return file.size(); }
};

struct Access {
    std::vector<Part> parts;
    Size step_bytes{0};  // from one step to the next in the file
    Size all_bytes{0};   // of all ranks, in one step
    Size all_pieces{0};
    std::vector<std::byte> buffer;
    // Each call sets a view where its bytes begin, as libraries do. Else one view is for all steps, a tile for each, and the file
    // pointer goes on in it.
    bool view_each{false};

    // Whether a step begins with setting a view, which lies where its bytes do.
    bool sets_view(Size step) const { return view_each || step == 0; }
    std::byte* at(Part const& part) { return buffer.data() + part.start; }
};

// Collective. An error when a rank's part is too large for one MPI call, or for the memory.
Result<Access> make_access(Comm const& comm, Workload const& workload, Job const& job);

// New file types, of which no library knows anything yet.
void renew_types(Access& access, bool flat);

// The buffer as it is to be written in a step; each pass has contents of its own.
void fill_buffer(Access& access, Size step, std::uint64_t pass);
// Other bytes than any pass would read.
void spoil(std::span<std::byte> bytes);
// The buffer holds what was to be read.
Status verify_buffer(Access const& access, Size step, std::uint64_t pass);
// Every byte that this rank had to write is in the file.
Status verify_file(Access const& access, std::string const& path, Size steps, std::uint64_t pass);

}  // namespace muster::bench
