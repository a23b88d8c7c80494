#include "preload/open_file.hpp"

#include <algorithm>
#include <cstdio>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

#include "engine/perform.hpp"
#include "preload/errors.hpp"
#include "preload/info.hpp"
#include "preload/native.hpp"
#include "preload/shared_pointer.hpp"

namespace muster::preload {

Reason OpenFile::why_native() const {
    if (reason != Reason::none) return reason;
    if (atomic) return Reason::atomic;
    return view.representation == "native" ? Reason::none : Reason::representation;
}

int give_view(OpenFile& file, MPI_Info info) {
    auto& view = file.view;
    find_native_types(view);
    auto const position = position_of(file);  // a view puts the MPI's pointer back
    auto const error =
        call_native(&Calls::set_view, file.handle, MPI_Offset{view.bytes.displacement}, view.native_etype.get(),
                    view.native_filetype.get(), view.representation.c_str(), info);
    if (error != MPI_SUCCESS) return error;
    file.handed_down = true;
    file.native_plain = file.all_plain;
    move_to(file, position);
    auto const shared = std::exchange(file.shared.position, 0);
    if (shared == 0) return MPI_SUCCESS;
    return call_native(&Calls::seek_shared, file.handle, MPI_Offset{shared / view.etype_size}, MPI_SEEK_SET);
}

int hand_down_view(OpenFile& file) {
    if (file.all_native_see()) return MPI_SUCCESS;
    auto const known = settle_shared(file);
    return known.ok() ? give_view(file, MPI_INFO_NULL) : raise(file.handle, class_of(known));
}

namespace {

// Only an access moves the MPI's pointer by part of an etype. Where nothing may be read, it stays at the beginning of the etype.
int step_into_etype(OpenFile& file, Size bytes) {
    if (whole_etypes || bytes == 0 || (file.mode & MPI_MODE_WRONLY) != 0) return MPI_SUCCESS;
    std::vector<std::byte> aside(static_cast<std::size_t>(bytes));
    auto const error = call_native(&Calls::read, file.handle, static_cast<void*>(aside.data()), static_cast<int>(bytes),
                                   MPI_BYTE, MPI_STATUS_IGNORE);
    if (error == MPI_SUCCESS) file.pointer.within = bytes;
    return error;
}

}  // namespace

int hand_down_pointer(OpenFile& file) {
    if (file.pointer.native) return MPI_SUCCESS;
    auto const position = file.pointer.position;
    auto const unit = file.view.etype_size;
    auto const error = call_native(&Calls::seek, file.handle, MPI_Offset{position / unit}, MPI_SEEK_SET);
    if (error != MPI_SUCCESS) return error;
    file.pointer = {true, 0, 0};
    return step_into_etype(file, position % unit);
}

Offset position_of(OpenFile& file) {
    if (!file.pointer.native) return file.pointer.position;
    MPI_Offset position = 0;
    call_native(&Calls::get_position, file.handle, &position);
    return position * file.view.etype_size + file.pointer.within;
}

namespace {

SessionOptions options_of(OpenFile const& file) {
    SessionOptions options;
    options.path = file.path;
    options.open.mode = AccessMode::read_write;
    if ((file.mode & MPI_MODE_RDONLY) != 0) options.open.mode = AccessMode::read;
    if ((file.mode & MPI_MODE_WRONLY) != 0) options.open.mode = AccessMode::write;
    options.pairs = sensible(file.hints);
    options.inode = file.inode;
    return options;
}

// All threads share the communicator of one.
std::mutex& alone_mutex() {
    static std::mutex mutex;
    return mutex;
}

}  // namespace

void find_largest(Quorum const& quorum, std::span<Size> values) {
    std::array<Size, Quorum::votes> ballots{};
    std::copy(values.begin(), values.end(), ballots.begin());
    quorum.vote(ballots, values.size());
    std::copy_n(ballots.begin(), values.size(), values.begin());
}

// Sooner told where the ranks share memory.
void find_largest(OpenFile& file, std::span<Size> values) {
    if (file.session) return find_largest(file.session->quorum(), values);
    if (file.quorum) return find_largest(*file.quorum, values);
    reduce_all(file.comm.comm, values, MPI_MAX);
}

Session* session_of(OpenFile& file) {
    if (file.session) return file.session.get();
    auto opened = Session::open(file.comm.comm.handle, options_of(file));
    if (opened) {
        file.session = std::move(*opened);
        return file.session.get();
    }
    if (file.comm.comm.rank == 0) {
        std::fprintf(stderr, "muster: %s is left to the MPI: %s\n", file.path.c_str(),
                     opened.status().message().c_str());
    }
    return nullptr;
}

void leave_to_mpi(OpenFile& file, Reason reason) {
    hand_down_view(file);
    (void)hand_down_pointer(file);
    file.reason = reason;
}

Status close_session(OpenFile& file) {
    if (!file.session) return {};
    auto const closed = file.session->close();
    if (!closed.ok()) file.accounts.add_failure(CallName::close, closed);
    file.session.reset();
    return closed;
}

namespace {

// Hints may be fine for the job but not for one rank of it, as the description of a machine is; or there is none that fits, and
// the others are left to the MPI. A rank alone needs none.
Result<std::unique_ptr<Session>> open_alone(OpenFile const& file) {
    auto options = options_of(file);
    auto opened = Session::open(MPI_COMM_SELF, options);
    auto const code = opened.status().code();
    if (code != Code::invalid_argument && code != Code::invalid_hint && code != Code::not_found) return opened;
    options.plain = true;
    return Session::open(MPI_COMM_SELF, std::move(options));
}

}  // namespace

Result<Size> access_alone(OpenFile& file, Direction direction, Result<Access> access) {
    std::lock_guard const lock{alone_mutex()};
    if (!file.alone) {
        auto opened = open_alone(file);
        if (!opened) return opened.status();
        file.alone = std::move(*opened);
    }
    return perform(*file.alone, direction, std::move(access));
}

namespace {

struct Table {
    std::shared_mutex mutex;
    std::unordered_map<MPI_File, std::unique_ptr<OpenFile>> files;
};

Table& table() {
    static auto* const kept = new Table;  // outlives everything: files may be closed while the process ends
    return *kept;
}

}  // namespace

OpenFile* find_open(MPI_File handle) {
    std::shared_lock const lock{table().mutex};
    auto const found = table().files.find(handle);
    return found == table().files.end() ? nullptr : found->second.get();
}

OpenFile& keep_open(std::unique_ptr<OpenFile> file) {
    std::unique_lock const lock{table().mutex};
    auto& place = table().files[file->handle];
    place = std::move(file);
    return *place;
}

std::unique_ptr<OpenFile> forget_open(MPI_File handle) {
    std::unique_lock const lock{table().mutex};
    auto const found = table().files.find(handle);
    if (found == table().files.end()) return nullptr;
    auto file = std::move(found->second);
    table().files.erase(found);
    return file;
}

Size still_open() {
    std::shared_lock const lock{table().mutex};
    return static_cast<Size>(table().files.size());
}

}  // namespace muster::preload
