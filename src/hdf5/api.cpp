// The C API.
#include "c/errors.hpp"
#include "c/handles.hpp"
#include "hdf5/handle.hpp"
#include "hdf5/multi.hpp"
#include "muster/hdf5.h"

using namespace muster;
using namespace muster::hdf5;

namespace {

template <class Work>
herr_t done(Work const& work) noexcept {
    return guarded(work) == MUSTER_OK ? 0 : -1;
}

struct Lists {
    std::size_t count;
    hid_t const* datasets;
    hid_t const* types;
    hid_t const* memory_spaces;
    hid_t const* file_spaces;
    void const* const* buffers;
};

// Without a list nothing of it can be named: the entries are invalid, so that the other ranks learn of it.
std::vector<Entry> entries_of(Lists const& lists) {
    auto const missing = lists.types == nullptr || lists.memory_spaces == nullptr || lists.file_spaces == nullptr ||
                         lists.buffers == nullptr;
    std::vector<Entry> entries(lists.count);
    for (std::size_t i = 0; i < lists.count; ++i) {
        if (lists.datasets == nullptr) break;
        entries[i].dataset = lists.datasets[i];
        if (missing) continue;
        entries[i].memory_type = lists.types[i];
        entries[i].memory_space = lists.memory_spaces[i];
        entries[i].file_space = lists.file_spaces[i];
        entries[i].buffer = const_cast<void*>(lists.buffers[i]);  // writing only reads from it
    }
    return entries;
}

herr_t transfer_multi(Direction direction, Lists const& lists, hid_t dxpl) {
    return done([&] {
        auto const entries = entries_of(lists);
        return transfer({direction, entries, dxpl});
    });
}

std::size_t dimensions_of(hid_t dataset) {
    Quiet const quiet;
    Handle const space{H5Dget_space(dataset), H5Sclose};
    return space.ok() ? extent_of(space).size() : 0;
}

herr_t transfer_blocks(Direction direction, std::size_t count, muster_h5_blocks const* blocks, hid_t dxpl) {
    return done([&] {
        std::vector<BlockList> lists;
        std::vector<Entry> entries(count);
        lists.reserve(count);
        for (std::size_t i = 0; blocks != nullptr && i < count; ++i) {
            auto const& own = blocks[i];
            lists.push_back({own.count, dimensions_of(own.dset_id), own.start, own.size});
            entries[i] = {own.dset_id, own.mem_type_id, H5S_ALL, H5S_ALL, own.buf, &lists.back()};
        }
        return transfer({direction, entries, dxpl});
    });
}

Result<Attached*> known_file(hid_t object) {
    auto const number = file_number(object);
    if (!number) return number.status();
    if (auto* const file = find_attached(*number); file != nullptr) return file;
    return Status{Code::not_found, "no call was made on this file yet"};
}

// Hands out what `text_of` makes of the report.
template <class TextOf>
herr_t report(hid_t object, char** text, TextOf const& text_of) {
    return done([&]() -> Status {
        auto const file = known_file(object);
        return file ? deliver(text_of(**file), text) : file.status();
    });
}

}  // namespace

herr_t muster_h5d_write_multi(size_t count, hid_t const dset_id[], hid_t const mem_type_id[],
                              hid_t const mem_space_id[], hid_t const file_space_id[], hid_t dxpl_id,
                              void const* const buf[]) {
    return transfer_multi(Direction::write, {count, dset_id, mem_type_id, mem_space_id, file_space_id, buf}, dxpl_id);
}

herr_t muster_h5d_read_multi(size_t count, hid_t const dset_id[], hid_t const mem_type_id[], hid_t const mem_space_id[],
                             hid_t const file_space_id[], hid_t dxpl_id, void* const buf[]) {
    return transfer_multi(Direction::read, {count, dset_id, mem_type_id, mem_space_id, file_space_id, buf}, dxpl_id);
}

herr_t muster_h5d_write_blocks(size_t count, muster_h5_blocks const blocks[], hid_t dxpl_id) {
    return transfer_blocks(Direction::write, count, blocks, dxpl_id);
}

herr_t muster_h5d_read_blocks(size_t count, muster_h5_blocks const blocks[], hid_t dxpl_id) {
    return transfer_blocks(Direction::read, count, blocks, dxpl_id);
}

herr_t muster_h5_report_text(hid_t object, char** text) {
    return report(object, text, [](Attached const& file) { return file.report.text(); });
}

herr_t muster_h5_report_json(hid_t object, char** json) {
    return report(object, json, [](Attached const& file) { return file.report.json(); });
}

herr_t muster_h5_gathered_report_json(hid_t object, char** json) {
    return report(object, json, [](Attached const& file) {
        return file.comm == MPI_COMM_NULL ? file.report.json() : gather(Comm::of(file.comm), file.report).json();
    });
}

herr_t muster_h5_release(hid_t object) {
    return done([&]() -> Status {
        auto const file = known_file(object);
        return file ? release(**file) : Status{};
    });
}
