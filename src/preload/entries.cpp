// Our side of the functions that are taken over: finds the file, and goes where the work is done.
#include <limits>

#include "muster/export.h"
#include "preload/control.hpp"
#include "preload/data_access.hpp"
#include "preload/record.hpp"

namespace muster::preload {

namespace {

// --- arguments of any form ---

DataRequest request_of(MPI_Offset offset, void const* buffer, MPI_Count count, MPI_Datatype type) {
    return {offset, const_cast<void*>(buffer), count, type, MPI_STATUS_IGNORE, nullptr};
}
DataRequest request_of(MPI_Offset offset, void const* buffer, MPI_Count count, MPI_Datatype type, MPI_Status* status) {
    return {offset, const_cast<void*>(buffer), count, type, status, nullptr};
}
DataRequest request_of(MPI_Offset offset, void const* buffer, MPI_Count count, MPI_Datatype type,
                       MPI_Request* request) {
    return {offset, const_cast<void*>(buffer), count, type, MPI_STATUS_IGNORE, request};
}
template <class... End>
DataRequest request_of(void const* buffer, MPI_Count count, MPI_Datatype type, End... end) {
    return request_of(MPI_Offset{0}, buffer, count, type, end...);
}
template <class... Rest>
DataRequest request_without_file(MPI_File, Rest... rest) {
    return request_of(rest...);
}

// What an int cannot count becomes one element of a large type: MPICH ends the program when it gets more.
class LargeCount {
public:
    LargeCount(int&, MPI_Datatype&) {}
    LargeCount(MPI_Count& count, MPI_Datatype& type) {
        constexpr MPI_Count most = std::numeric_limits<int>::max();
        if (count <= most) return;
        MPI_Count const chunk = most / 2;
        MPI_Aint low = 0, extent = 0;
        MPI_Type_get_extent(type, &low, &extent);
        Datatype chunks;
        Datatype piece;
        MPI_Type_contiguous(static_cast<int>(chunk), type, piece.receive());
        MPI_Type_contiguous(static_cast<int>(count / chunk), piece.get(), chunks.receive());
        int const lengths[2] = {1, static_cast<int>(count % chunk)};
        MPI_Aint const places[2] = {0, static_cast<MPI_Aint>(count - count % chunk) * extent};
        MPI_Datatype const types[2] = {chunks.get(), type};
        MPI_Type_create_struct(2, lengths, places, types, large_.receive());
        MPI_Datatype made = large_.get();
        MPI_Type_commit(&made);
        count = 1;
        type = made;
    }

private:
    Datatype large_;  // the MPI keeps what it still needs of it
};

// --- one function for each row of the table ---

namespace entries {

#define MUSTER_DATA_ENTRY(name, parameters, arguments)                                      \
    int name parameters {                                                                   \
        auto run = [&] {                                                                    \
            LargeCount const large{count, type};                                            \
            return below().native.name arguments;                                           \
        };                                                                                  \
        NativeCall const native{run};                                                       \
        auto* const known = find_open(file);                                                \
        if (known == nullptr) return native();                                              \
        return access_data(*known, CallName::name, request_without_file arguments, native); \
    }
MUSTER_DATA_CALLS(MUSTER_DATA_ENTRY)
#undef MUSTER_DATA_ENTRY

#define MUSTER_END_ENTRY(name, parameters, arguments)              \
    int name parameters {                                          \
        auto run = [&] { return below().native.name arguments; };  \
        NativeCall const native{run};                              \
        auto* const known = find_open(file);                       \
        if (known == nullptr) return native();                     \
        return end_access(*known, CallName::name, status, native); \
    }
MUSTER_END_CALLS(MUSTER_END_ENTRY)
#undef MUSTER_END_ENTRY

int open(MPI_Comm comm, char const* path, int mode, MPI_Info info, MPI_File* file) {
    auto run = [&] { return below().native.open(comm, path, mode, info, file); };
    return open_file({comm, path, mode, info}, file, NativeCall{run});
}

int close(MPI_File* file) {
    auto run = [&] { return below().native.close(file); };
    return close_file(file, NativeCall{run});
}

// For a file that we know: work(file, native call); for others the call itself.
template <class Run, class Work>
int with_file(MPI_File file, Run run, Work const& work) {
    NativeCall const native{run};
    auto* const known = find_open(file);
    return known == nullptr ? native() : work(*known, native);
}

int set_view(MPI_File file, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
             char const* representation, MPI_Info info) {
    return with_file(
        file, [&] { return below().native.set_view(file, displacement, etype, filetype, representation, info); },
        [&](OpenFile& known, NativeCall const& native) {
            return preload::set_view(known, {displacement, etype, filetype, representation}, info, native);
        });
}

int get_view(MPI_File file, MPI_Offset* displacement, MPI_Datatype* etype, MPI_Datatype* filetype,
             char* representation) {
    return with_file(
        file, [&] { return below().native.get_view(file, displacement, etype, filetype, representation); },
        [&](OpenFile& known, NativeCall const& native) {
            if (known.left_alone() || (known.native_sees() && !known.view.replaced)) return native();
            MPI_Datatype types[2];
            auto const error = preload::get_view(known, displacement, types, representation);
            *etype = types[0];
            *filetype = types[1];
            return error;
        });
}

int set_info(MPI_File file, MPI_Info info) {
    return with_file(
        file, [&] { return below().native.set_info(file, info); },
        [&](OpenFile& known, NativeCall const& native) { return preload::set_info(known, info, native); });
}

int get_info(MPI_File file, MPI_Info* info) {
    return with_file(
        file, [&] { return below().native.get_info(file, info); },
        [&](OpenFile& known, NativeCall const&) { return preload::get_info(known, info); });
}

int seek(MPI_File file, MPI_Offset offset, int whence) {
    return with_file(
        file, [&] { return below().native.seek(file, offset, whence); },
        [&](OpenFile& known, NativeCall const& native) { return preload::seek(known, offset, whence, native); });
}

int get_position(MPI_File file, MPI_Offset* offset) {
    return with_file(
        file, [&] { return below().native.get_position(file, offset); },
        [&](OpenFile& known, NativeCall const& native) { return preload::get_position(known, offset, native); });
}

int get_byte_offset(MPI_File file, MPI_Offset offset, MPI_Offset* place) {
    return with_file(
        file, [&] { return below().native.get_byte_offset(file, offset, place); },
        [&](OpenFile& known, NativeCall const& native) {
            return preload::get_byte_offset(known, offset, place, native);
        });
}

int seek_shared(MPI_File file, MPI_Offset offset, int whence) {
    return with_file(
        file, [&] { return below().native.seek_shared(file, offset, whence); }, preload::seek_shared);
}

int get_position_shared(MPI_File file, MPI_Offset* offset) {
    return with_file(
        file, [&] { return below().native.get_position_shared(file, offset); },
        [&](OpenFile& known, NativeCall const& native) { return preload::get_position_shared(known, offset, native); });
}

int set_atomicity(MPI_File file, int flag) {
    return with_file(
        file, [&] { return below().native.set_atomicity(file, flag); },
        [&](OpenFile& known, NativeCall const& native) { return preload::set_atomicity(known, flag != 0, native); });
}

int set_size(MPI_File file, MPI_Offset size) {
    return with_file(
        file, [&] { return below().native.set_size(file, size); }, preload::resize);
}

int preallocate(MPI_File file, MPI_Offset size) {
    return with_file(
        file, [&] { return below().native.preallocate(file, size); }, preload::resize);
}

int sync(MPI_File file) {
    return with_file(
        file, [&] { return below().native.sync(file); }, preload::sync);
}

}  // namespace entries

// --- the beginning and the end ---

int at_the_end(MPI_Comm, int, void*, void*) {
    tell_records();
    return MPI_SUCCESS;
}

// Attributes of self are deleted at the beginning of MPI_Finalize, the first one last: libraries that close their files there
// come before.
void started() {
    agree_on_records();
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_the_end, &key, nullptr);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
    MPI_Comm_free_keyval(&key);
}

Above const& our_side() {
    static Above const above{{
#define MUSTER_OURS(name, parameters, arguments) &entries::name,
                                 MUSTER_CALLS(MUSTER_OURS)
#undef MUSTER_OURS
                             },
                             started};
    return above;
}

}  // namespace

}  // namespace muster::preload

// Called once, by the entry points.
extern "C" MUSTER_API muster::Above const* muster_preload(muster::Below const* below) {
    muster::preload::set_below(*below);
    return &muster::preload::our_side();
}
