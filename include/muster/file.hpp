// Collective reading and writing of one shared file.
//
//   auto file = muster::File::open(MPI_COMM_WORLD, "state.bin", muster::Mode::create);
//   auto done = file->write_all(muster::Subarray{{ny, nx}, {my, mx}, {y0, x0}, sizeof(double)}, data);
//   auto closed = file->close();
//
// Calls marked "Collective" must be made by all ranks of the communicator, in the same order. They return the same verdict
// on every rank: when one rank fails, all get its error, with its rank in the message, and nobody hangs.
#pragma once

#include <mpi.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "muster/export.h"
#include "muster/extent.hpp"
#include "muster/hints.hpp"
#include "muster/report.hpp"
#include "muster/status.hpp"

namespace muster {

enum class Mode {
    read,       // the file must exist
    update,     // read and write; created when missing, contents kept
    create,     // read and write; created or emptied
    exclusive,  // read and write; an error when it exists
};

// Access by plain extents: the bytes of `extents`, in the order given, go to or come from the bytes of `segments`. Any order,
// any number of either; the same total size. A program that has no segments of its own to name can pass one.
struct Pieces {
    std::span<Extent const> extents;
    std::span<Segment const> segments;
};

// A block of a global n-dimensional array that lies in the file from `offset` on. The buffer holds just the block.
struct Subarray {
    std::vector<Size> sizes;     // of the global array, in elements
    std::vector<Size> subsizes;  // of this rank's block; zeros: it has none
    std::vector<Size> starts;
    Size element_size{1};       // bytes
    Offset offset{0};           // bytes
    bool fortran_order{false};  // the first index varies fastest
};

class MUSTER_API File {
public:
    class Plan;

    // Collective. Hints: the environment (MUSTER_WINDOW, ...) overrides `info`, and that `hints`; rank 0's count. The file system
    // is touched by rank 0 here, and by the others when they first store or load something themselves.
    static Result<File> open(MPI_Comm comm, std::string const& path, Mode mode, Hints const& hints = {},
                             MPI_Info info = MPI_INFO_NULL);
    // Collective. Must be called before MPI_Finalize; the destructor frees only what is local. Refused, and the file stays open,
    // while a rank has a declaration of it that is not finished.
    Status close();
    bool is_open() const;  // local

    File(File&&) noexcept;
    File& operator=(File&&) noexcept;
    ~File();

    // Collective. A view as in MPI-IO; offsets then count etypes from `displacement`, and the file pointer goes to 0. Without it,
    // the file is bytes from 0.
    Status set_view(Offset displacement, MPI_Datatype etype, MPI_Datatype filetype);

    // Collective. Through the view, at the file pointer (which moves on by what was asked for, whole etypes) or at `offset` in etypes. The
    // result is the number of bytes: all of them, or for reads those before the end of the file; the others stay as they were.
    Result<Size> write_all(void const* buffer, Size count, MPI_Datatype type);
    Result<Size> read_all(void* buffer, Size count, MPI_Datatype type);
    Result<Size> write_at_all(Offset offset, void const* buffer, Size count, MPI_Datatype type);
    Result<Size> read_at_all(Offset offset, void* buffer, Size count, MPI_Datatype type);

    // Collective. By extents or by sub-array; view and file pointer play no part.
    Result<Size> write_all(Pieces const& pieces);
    Result<Size> read_all(Pieces const& pieces);
    Result<Size> write_all(Subarray const& block, void const* buffer);
    Result<Size> read_all(Subarray const& block, void* buffer);

    // Collective. The same accesses, planned once to be run many times. `buffer` is only looked at as the origin of addresses.
    Result<Plan> plan_write(void const* buffer, Size count, MPI_Datatype type, Offset offset = 0);
    Result<Plan> plan_read(void* buffer, Size count, MPI_Datatype type, Offset offset = 0);
    Result<Plan> plan_write(Pieces const& pieces);
    Result<Plan> plan_read(Pieces const& pieces);
    Result<Plan> plan_write(Subarray const& block);
    Result<Plan> plan_read(Subarray const& block);

    // Local. The file pointer, in etypes.
    Offset position() const;
    void seek(Offset position);

    // Collective. Sizes in bytes; all ranks pass the same.
    Result<Size> size();
    Status resize(Size size);
    Status reserve(Size size);  // space on the storage for the first `size` bytes
    Status sync();

    // Local. Of the last call, as this rank saw it.
    Report const& report() const;
    // Collective. The same with all ranks in it.
    Report gather_report();
    // Local. Hints in force.
    Hints const& hints() const;
    std::vector<HintPair> effective_hints() const;

private:
    friend class Declared;
    struct State;
    explicit File(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

// An access that was planned once. Belongs to its file, which must stay open and stay where it is in memory.
class MUSTER_API File::Plan {
public:
    Plan(Plan&&) noexcept;
    Plan& operator=(Plan&&) noexcept;
    ~Plan();

    // Collective. Runs it with a buffer of the same layout: what lay n bytes behind the buffer (by extents: behind the lowest
    // segment) given when planning is taken n bytes behind this one. All file offsets move by `shift` bytes, the same on all ranks.
    Result<Size> write(void const* buffer, Offset shift = 0);
    Result<Size> read(void* buffer, Offset shift = 0);

    std::string text() const;  // what was decided

private:
    friend class File;
    struct State;
    explicit Plan(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace muster
