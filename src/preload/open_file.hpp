// A file that the program has open: what Muster knows about it beside what the MPI knows.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "access/access.hpp"
#include "engine/session.hpp"
#include "preload/accounts.hpp"
#include "preload/communicator.hpp"
#include "preload/file_view.hpp"
#include "preload/queue.hpp"
#include "preload/trial.hpp"

namespace muster::preload {

// What a split collective call has begun.
struct Split {
    Reason reason{Reason::none};  // why the MPI has it, if it does
    Direction direction{Direction::write};
    Size bytes{0};
};

// The individual file pointer, in bytes of the view. The MPI holds it, or we do.
struct Pointer {
    bool native{true};
    Offset position{0};
    Size within{
        0};  // the etype where the MPI's stands: it tells whole ones, and Open MPI's accesses also move by parts
};

// The shared file pointer while the MPI does not have the view: what all ranks know, and the counter that goes on from there.
struct SharedPointer {
    Offset position{0};              // bytes of the view
    Size epoch{0};                   // how often all ranks came to know it: names the counter
    std::atomic<bool> moved{false};  // by this rank, alone, since then
};

struct OpenFile {
    MPI_File handle{MPI_FILE_NULL};
    std::string path;
    int mode{0};
    FileComm comm;
    std::optional<Quorum> quorum;  // of these processes, where they have one already
    bool threads{false};           // all ranks have MPI_THREAD_MULTIPLE
    bool always{false};            // nothing is left to the MPI because it may be faster
    bool reporting{false};         // somebody wants to know at the end
    Size identity{0};              // the same on all ranks, and no other file's
    Size inode{0};                 // of the file on rank 0
    bool settled{true};            // the ranks have told each other what they must have in common
    std::optional<Size> largest;   // bytes of the access for which they did, on any rank
    int captured{-1};              // its number in the capture; -1: not wanted
    Reason reason{Reason::none};   // why all of it is the MPI's
    bool atomic{false};
    std::vector<HintPair> hints;  // as the program gave them

    // The view. What follows is the same on all ranks, but for `view` itself, `wish`, `shared_used` and `shared.moved`.
    FileView view;
    bool handed_down{true};     // the MPI knows the view
    bool native_plain{true};    // the MPI has the file as it is
    bool all_contiguous{true};  // every access of every rank is one piece
    bool all_plain{true};       // and so has every rank's view it
    int views_set{0};
    std::atomic<bool> wish{false};         // this rank has missed the view in the MPI
    std::atomic<bool> shared_used{false};  // this rank has used the shared file pointer
    bool one_memory{false};                // all ranks see the same shared memory
    std::optional<bool> countable;         // beside the file, where they do not: known to rank 0
    SharedPointer shared;

    std::array<Trial, 4> trials;  // by Direction, then those of the shared file pointer

    Size size_seen{0};  // bytes that the file has had since it was last cut
    Pointer pointer;
    std::optional<Split> split;
    std::unique_ptr<Session> session;  // from the first collective access on
    std::unique_ptr<Session> alone;    // for independent access through a view that the MPI does not know
    Accounts accounts;
    Queue queue;  // of nonblocking calls; last: they use the others

    bool left_alone() const { return reason != Reason::none; }
    // Why the next access is the MPI's. The same on all ranks.
    Reason why_native() const;
    // Whether the MPI sees the file as the program does: for this rank alone, and for all of them.
    bool native_sees() const { return handed_down || (native_plain && view.plain()); }
    bool all_native_see() const { return handed_down || (native_plain && all_plain); }
};

// --- views and pointers ---

// Collective. The MPI gets the view, and the shared file pointer from `shared`.
int give_view(OpenFile& file, MPI_Info info);
// Collective. The same, where it does not have them, after what single ranks did with the shared file pointer.
int hand_down_view(OpenFile& file);
// Local. The MPI gets the file pointer; it has the view already.
int hand_down_pointer(OpenFile& file);
// Local. In bytes of the view.
Offset position_of(OpenFile& file);
inline void move_to(OpenFile& file, Offset position) { file.pointer = {false, position}; }

// --- what does the work ---

// Collective. Of each value the largest of all ranks.
void find_largest(OpenFile& file, std::span<Size> values);
void find_largest(Quorum const& quorum, std::span<Size> values);
// Collective. The session, opened at first use; null where that fails, on all ranks.
Session* session_of(OpenFile& file);
// Collective. From now on all of it is the MPI's.
void leave_to_mpi(OpenFile& file, Reason reason);
// Collective. The next session has the hints of now. What becomes known only then: bytes that could not be stored.
Status close_session(OpenFile& file);
// Local. An access of this rank alone.
Result<Size> access_alone(OpenFile& file, Direction direction, Result<Access> access);

// --- all of them ---

OpenFile* find_open(MPI_File handle);
OpenFile& keep_open(std::unique_ptr<OpenFile> file);
std::unique_ptr<OpenFile> forget_open(MPI_File handle);
// Local. Files that were never closed.
Size still_open();

}  // namespace muster::preload
