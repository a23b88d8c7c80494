#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "preload/capturing.hpp"
#include "preload/control.hpp"
#include "preload/errors.hpp"
#include "preload/info.hpp"
#include "preload/record.hpp"
#include "preload/shared_pointer.hpp"
#include "storage/descriptor.hpp"
#include "storage/subfiles.hpp"

namespace muster::preload {

namespace {

#ifdef OPEN_MPI
constexpr bool has_romio_only = false;
#else
constexpr bool has_romio_only = true;
#endif

// A name as ROMIO takes it may begin with the kind of file system. Those that are seen by their path below it. For Open MPI's own I/O that
// is part of the name, and the file is there: it has just been opened.
std::string path_of(std::string const& name) {
    for (std::string_view const kind : {"ufs:", "nfs:", "xfs:", "lustre:", "gpfs:", "panfs:", "beegfs:"}) {
        if (name.starts_with(kind)) return has_romio_only || inode_of(name) == 0 ? name.substr(kind.size()) : name;
    }
    return name;
}

bool has_threads() {
    int provided = MPI_THREAD_SINGLE;
    MPI_Query_thread(&provided);
    return provided == MPI_THREAD_MULTIPLE;
}

Reason why_not(int mode, std::vector<HintPair> const& hints, bool regular) {
    if ((mode & MPI_MODE_SEQUENTIAL) != 0) return Reason::sequential;
    if (switched_off(hints)) return Reason::hint;
    return regular ? Reason::none : Reason::not_a_file;
}

// Nobody can guess it.
Size new_identity() {
    std::uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) < 0) number = static_cast<std::uint64_t>(getpid());
    return static_cast<Size>(number >> 1);
}

// What the ranks must have in common before one of them relies on it: of each the largest counts.
enum Poll : std::size_t {
    not_open,
    reason,
    no_threads,
    report,
    capture,
    always,
    identity,
    inode,
    bytes_asked,
    poll_size
};

// Collective. Of each the largest of all ranks; sooner told where files of the same processes have been open before.
void find_largest_of(Comm const& comm, std::span<Size> values) {
    if (comm.size == 1) return;
    auto const own = find_duplicate(comm.handle);
    auto const quorum = own != MPI_COMM_NULL ? quorum_of_duplicate(own) : std::nullopt;
    if (!quorum) return reduce_all(comm, values, MPI_MAX);
    find_largest(*quorum, values);
}

// Whether the ranks of it can vote. Asked only where the MPI has refused to open a file.
bool is_of_ranks(MPI_Comm comm) {
    int inter = 1;
    return comm != MPI_COMM_NULL && MPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && inter == 0;
}

// Also one whose index is damaged.
bool is_set(std::string const& path) {
    auto const index = read_subfile_index(path);
    return !index || *index;
}

// To the MPI the index is what the file holds. Nobody must get that in one call and the bytes of the pieces in the next.
void leave_set(OpenFile& file) {
    file.reason = Reason::set;
    std::fprintf(stderr, "muster: %s is left to the MPI: %s\n", file.path.c_str(), name_of(file.reason).data());
}

// Local. What this rank knows of the file.
std::unique_ptr<OpenFile> known_file(OpenWords const& words, MPI_File handle) {
    auto file = std::make_unique<OpenFile>();
    int rank = 0;
    MPI_Comm_rank(words.comm, &rank);
    auto const path = path_of(words.path);
    file->handle = handle;
    file->path =
        path.starts_with('/') ? path : std::filesystem::absolute(path).string();  // the program may go elsewhere
    file->mode = words.mode;
    file->hints = pairs_of(words.info);
    file->always = switched_always(file->hints);
    file->inode = rank == 0 ? regular_inode_of(path) : 0;
    file->reason = why_not(words.mode, file->hints, rank != 0 || file->inode != 0);
    if (rank == 0 && !file->left_alone() && is_set(file->path)) leave_set(*file);
    file->settled = false;
    return file;
}

std::array<Size, poll_size> facts_of(OpenFile const& file, bool first) {
    std::array<Size, poll_size> poll{};
    poll[reason] = static_cast<Size>(file.reason);
    poll[no_threads] = has_threads() ? 0 : 1;
    poll[report] = wants_record() ? 1 : 0;
    poll[capture] = wants_capture() ? 1 : 0;
    poll[always] = file.always ? 1 : 0;
    poll[identity] = first ? new_identity() : 0;
    poll[inode] = file.inode;
    return poll;
}

void learn(OpenFile& file, std::array<Size, poll_size> const& poll) {
    file.reason = static_cast<Reason>(poll[reason]);
    file.threads = poll[no_threads] == 0;
    file.reporting = poll[report] != 0;
    file.always = poll[always] != 0;
    file.identity = poll[identity];
    file.inode = poll[inode];
    file.settled = true;
}

// The same on all ranks. Who reports wants all of it in the report.
bool may_settle_later(MPI_Comm comm) { return !wants_record() && !wants_capture() && has_lasting_duplicate(comm); }

// Collective.
void keep_at_once(OpenWords const& words, std::unique_ptr<OpenFile> file) {
    auto const comm = Comm::of(words.comm);
    auto poll = file ? facts_of(*file, comm.rank == 0) : std::array<Size, poll_size>{};
    poll[not_open] = file ? 0 : 1;
    find_largest_of(comm, poll);
    if (poll[not_open] != 0) return;
    if (poll[reason] != 0 && poll[report] == 0) return;  // nothing to do, nothing to tell
    learn(*file, poll);
    file->comm = duplicate(words.comm, !file->threads);
    if (file->comm.shared) file->quorum = known_quorum_of(file->comm.comm.handle);
    if (poll[capture] != 0) begin_capture(*file);
    keep_open(std::move(file));
}

}  // namespace

void settle(OpenFile& file, Size bytes) {
    auto const& comm = file.comm.comm;
    auto poll = facts_of(file, comm.rank == 0);
    poll[bytes_asked] = bytes;
    if (comm.size > 1) {
        file.quorum = quorum_of_duplicate(comm.handle);
        find_largest(file, poll);
    }
    learn(file, poll);
    file.largest = poll[bytes_asked];
}

int open_file(OpenWords const& words, MPI_File* handle, NativeCall const& native) {
    auto const error = native();
    if (error != MPI_SUCCESS && !is_of_ranks(words.comm)) return error;
    auto const later = may_settle_later(words.comm);
    if (error != MPI_SUCCESS && later) return error;
    auto file = error == MPI_SUCCESS ? known_file(words, *handle) : nullptr;
    if (!later) {
        keep_at_once(words, std::move(file));
        return error;
    }
    file->comm = duplicate(words.comm, true);
    keep_open(std::move(file));
    return error;
}

int close_file(MPI_File* handle, NativeCall const& native) {
    auto const file = forget_open(*handle);
    if (!file) return native();
    file->queue.drain();
    if (!file->all_native_see()) (void)settle_shared(*file);
    if (file->reporting) keep_record(*file);
    end_capture(*file);
    auto own = close_session(*file);
    if (file->alone) own = first_failure(own, file->alone->close());
    if (!own.ok()) raise(file->handle, class_of(own));  // as long as the MPI knows the file
    auto const error = native();
    release(file->comm);
    return error != MPI_SUCCESS ? error : class_of(own);
}

}  // namespace muster::preload
