#include "preload/control.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "access/datatype.hpp"
#include "core/hints.hpp"
#include "mpi/agree.hpp"
#include "preload/counter.hpp"
#include "preload/errors.hpp"
#include "preload/info.hpp"
#include "preload/shared_pointer.hpp"

namespace muster::preload {

namespace {

// --- views ---

constexpr int first_views = 2;  // are handed down where that is cheap: a program that needs them there shows itself

// What the ranks must know of each other's views: of each the largest counts.
enum Poll : std::size_t {
    wrong,
    other_hints,
    wishes,
    shared,
    dear,
    not_plain,
    not_contiguous,
    memory,
    minus_memory,
    no_counter,
    poll_size
};
using PollOfView = std::array<Size, poll_size>;

// Local. Whether the shared file pointer could be counted beside the file; looked for once.
bool may_count(OpenFile& file) {
    if (!file.countable) file.countable = is_writable_beside(file.path);
    return *file.countable;
}

PollOfView ask_all(OpenFile& file, Result<FileView> const& view, bool hints_changed) {
    PollOfView poll{};
    auto const& comm = file.comm.comm;
    poll[wrong] = view ? 0 : comm.size - comm.rank;
    poll[other_hints] = hints_changed ? 1 : 0;
    poll[wishes] = file.wish ? 1 : 0;
    poll[shared] = file.shared_used ? 1 : 0;
    poll[dear] = view && view->cheap() ? 0 : 1;
    poll[not_plain] = view && view->plain() ? 0 : 1;
    poll[not_contiguous] = view && view->contiguous() ? 0 : 1;
    static auto const seen = mark_of_memory();
    poll[memory] = seen;
    poll[minus_memory] = -seen;
    poll[no_counter] = comm.rank == 0 && !may_count(file) ? 1 : 0;
    find_largest(file, poll);
    return poll;
}

bool has_null(ViewWords const& words) {
    return words.etype == MPI_DATATYPE_NULL || words.filetype == MPI_DATATYPE_NULL;
}

// Not its offsets.
bool has_right_size(ViewWords const& words) {
    auto const etype = size_of(words.etype);
    return etype > 0 && size_of(words.filetype) % etype == 0;
}

// As the MPI's own I/O says it.
#ifdef OPEN_MPI
int error_of_view(ViewWords const& words) {
    if (words.displacement == MPI_DISPLACEMENT_CURRENT) return MPI_ERR_DISP;
    if (has_null(words)) return MPI_ERR_TYPE;
    return words.displacement >= 0 && has_right_size(words) ? MPI_ERR_TYPE : MPI_ERR_ARG;
}
bool may_be_used(ViewWords const&) { return true; }
#else
bool may_be_used(ViewWords const& words) { return is_committed(words.etype) && is_committed(words.filetype); }
int error_of_view(ViewWords const& words) {
    if (words.displacement < 0 || has_null(words)) return MPI_ERR_ARG;
    if (!may_be_used(words)) return MPI_ERR_TYPE;
    return has_right_size(words) ? MPI_ERR_IO : MPI_ERR_ARG;
}
#endif

Result<FileView> examined_view(ViewWords const& words) {
    if (!has_null(words) && !may_be_used(words)) return Status{Code::invalid_argument, "a type is not committed"};
    return make_file_view(words);
}

// Collective. Hints that came with a view which the MPI does not get yet.
int give_hints(OpenFile& file, MPI_Info info) {
    if (info != MPI_INFO_NULL) return call_native(&Calls::set_info, file.handle, info);
    MPI_Info none = MPI_INFO_NULL;
    MPI_Info_create(&none);
    auto const error = call_native(&Calls::set_info, file.handle, none);
    MPI_Info_free(&none);
    return error;
}

bool to_be_handed_down(OpenFile const& file, PollOfView const& poll) {
    if (file.atomic || file.view.representation != "native") return true;
    if (file.native_plain && file.all_plain) return false;
    if (!file.one_memory && poll[no_counter] != 0) return true;
    return poll[wishes] != 0 || poll[shared] != 0 || (file.views_set <= first_views && poll[dear] == 0);
}

void adopt(OpenFile& file, FileView view, PollOfView const& poll) {
    file.view = std::move(view);
    file.all_plain = poll[not_plain] == 0;
    file.all_contiguous = poll[not_contiguous] == 0;
    file.wish = poll[wishes] != 0;
    file.handed_down = false;
    reset_shared(file, poll[shared] != 0);
    file.one_memory = poll[memory] != 0 && poll[memory] == -poll[minus_memory];
    if (poll[shared] != 0) file.native_plain = false;  // a new view puts the shared file pointer back, also a plain one
    ++file.views_set;
    move_to(file, 0);
}

// Collective. What we do not understand is the MPI's to accept or refuse: all ranks say the same here. The counter of the shared
// file pointer goes, and what it said is kept in case the MPI refuses.
int set_foreign_view(OpenFile& file, ViewWords const& words, NativeCall const& native) {
    if (!file.all_native_see()) (void)settle_shared(file);
    auto const error = native();
    if (error != MPI_SUCCESS) return error;
    auto view = make_file_view(words);
    if (view) file.view = std::move(*view);
    file.view.representation = words.representation;
    file.handed_down = true;
    file.native_plain = file.all_plain = false;
    file.pointer = {true, 0};
    file.shared.position = 0;
    return MPI_SUCCESS;
}

// Collective. What it must know of the view by now.
int tell_mpi(OpenFile& file, MPI_Info info, PollOfView const& poll) {
    if (to_be_handed_down(file, poll)) return give_view(file, info);
    return poll[other_hints] != 0 ? give_hints(file, info) : MPI_SUCCESS;
}

}  // namespace

int set_view(OpenFile& file, ViewWords const& words, MPI_Info info, NativeCall const& native) {
    if (!file.settled) settle(file, 0);
    if (file.left_alone()) return native();
    file.queue.drain();
    if (words.representation == nullptr || std::strcmp(words.representation, "native") != 0) {
        return set_foreign_view(file, words, native);
    }
    auto const hints_changed = merge(file.hints, pairs_of(info));
    auto view = examined_view(words);
    auto const poll = ask_all(file, view, hints_changed);
    if (poll[wrong] != 0) {
        auto const status =
            share_failure(file.comm.comm, view.status(), file.comm.comm.size - static_cast<Rank>(poll[wrong]));
        file.accounts.add_failure(CallName::set_view, status);
        return raise(file.handle, view ? MPI_ERR_ARG : error_of_view(words));
    }
    adopt(file, std::move(*view), poll);
    auto const closed = poll[other_hints] != 0 ? close_session(file) : Status{};
    auto const error = tell_mpi(file, info, poll);
    return error != MPI_SUCCESS || closed.ok() ? error : raise(file.handle, class_of(closed));
}

int get_view(OpenFile& file, MPI_Offset* displacement, MPI_Datatype* types, char* representation) {
    *displacement = file.view.bytes.displacement;
    types[0] = file.view.etype.duplicate();
    types[1] = file.view.filetype.duplicate();
    std::strncpy(representation, file.view.representation.c_str(), MPI_MAX_DATAREP_STRING - 1);
    return MPI_SUCCESS;
}

// --- hints ---

int set_info(OpenFile& file, MPI_Info info, NativeCall const& native) {
    auto const error = native();
    file.queue.drain();
    Size changed = error == MPI_SUCCESS && merge(file.hints, pairs_of(info)) ? 1 : 0;
    reduce_all(file.comm.comm, std::span{&changed, 1}, MPI_MAX);
    auto const closed = changed != 0 ? close_session(file) : Status{};
    return error != MPI_SUCCESS || closed.ok() ? error : raise(file.handle, class_of(closed));
}

int get_info(OpenFile& file, MPI_Info* info) {
    auto const error = call_native(&Calls::get_info, file.handle, info);
    if (error != MPI_SUCCESS || *info == MPI_INFO_NULL) return error;
    auto const given = sensible(file.hints);
    add_missing(*info, file.session ? list_hints(file.session->hints()) : in_force(given));
    add_missing(*info, given);
    return MPI_SUCCESS;
}

// --- pointers ---

namespace {

// From where a distance counts, in etypes; in `offset` then the place itself.
int place_of_seek(OpenFile& file, int whence, MPI_Offset& offset) {
    if (whence == MPI_SEEK_CUR) {
        offset += position_of(file) / file.view.etype_size;
    } else if (whence == MPI_SEEK_END) {
        MPI_Offset size = 0;
        Inside const inside;
        if (auto const error = PMPI_File_get_size(file.handle, &size); error != MPI_SUCCESS) return error;
        auto const unit = file.view.etype_size;
        offset += (bytes_before(file.view, size) + unit - 1) / unit;
    } else if (whence != MPI_SEEK_SET) {
        return MPI_ERR_ARG;
    }
    return offset < 0 ? negative_place : MPI_SUCCESS;
}

}  // namespace

int seek(OpenFile& file, MPI_Offset offset, int whence, NativeCall const& native) {
    if (file.left_alone()) return native();
    if (file.native_sees()) {
        auto error = hand_down_pointer(file);
        if (error == MPI_SUCCESS) error = native();
        if (error == MPI_SUCCESS) file.pointer.within = 0;  // also where it has moved from where it was
        return error;
    }
    if (auto const error = place_of_seek(file, whence, offset); error != MPI_SUCCESS) return raise(file.handle, error);
    move_to(file, offset * file.view.etype_size);
    return MPI_SUCCESS;
}

int get_position(OpenFile& file, MPI_Offset* position, NativeCall const& native) {
    if (file.left_alone() || file.pointer.native) return native();
    *position = file.pointer.position / file.view.etype_size;
    return MPI_SUCCESS;
}

namespace {

// MPI knows no such place; MPICH counts back from the first byte of a tile.
#ifdef OPEN_MPI
int place_before(OpenFile& file, MPI_Offset, MPI_Offset*) { return raise(file.handle, MPI_ERR_ARG); }
#else
int place_before(OpenFile& file, MPI_Offset offset, MPI_Offset* place) {
    auto const& [displacement, unit, tile, extent] = file.view.bytes;
    auto const bytes = offset * file.view.etype_size;
    auto const size = std::max(tile.size(), Size{1});
    *place = displacement + bytes / size * extent + tile.low() + bytes % size;
    return MPI_SUCCESS;
}
#endif

}  // namespace

int get_byte_offset(OpenFile& file, MPI_Offset offset, MPI_Offset* place, NativeCall const& native) {
    if (file.left_alone() || file.native_sees()) return native();
    if (offset < 0) return place_before(file, offset, place);
    *place = place_in_file(file.view, offset * file.view.etype_size);
    return MPI_SUCCESS;
}

int seek_shared(OpenFile& file, NativeCall const& native) {
    file.shared_used = true;
    if (!file.left_alone()) {
        file.queue.drain();
        if (auto const error = hand_down_view(file); error != MPI_SUCCESS) return error;
    }
    return native();
}

int get_position_shared(OpenFile& file, MPI_Offset* position, NativeCall const& native) {
    file.shared_used = true;
    if (file.left_alone() || file.all_native_see()) return native();
    auto const found = shared_position_alone(file);
    if (!found) return raise(file.handle, class_of(found.status()));
    *position = *found / file.view.etype_size;
    return MPI_SUCCESS;
}

// --- the whole file ---

int set_atomicity(OpenFile& file, bool atomic, NativeCall const& native) {
    if (file.left_alone()) return native();
    file.queue.drain();
    if (auto const error = hand_down_view(file); error != MPI_SUCCESS) return error;
    auto const error = native();
    if (error == MPI_SUCCESS) file.atomic = atomic;
    return error;
}

int sync(OpenFile& file, NativeCall const& native) {
    file.queue.drain();
    Status own;
    for (auto* const session : {file.session.get(), file.alone.get()}) {
        if (session != nullptr) own = first_failure(own, session->sync_own());
    }
    auto const error = native();
    if (error != MPI_SUCCESS || own.ok()) return error;
    file.accounts.add_failure(CallName::sync, own);
    return raise(file.handle, class_of(own));
}

int resize(OpenFile& file, NativeCall const& native) {
    file.queue.drain();
    file.size_seen = 0;
    return native();
}

}  // namespace muster::preload
