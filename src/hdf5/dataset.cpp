#include "hdf5/dataset.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "hdf5/chunks.hpp"
#include "hdf5/handle.hpp"

namespace muster::hdf5 {

namespace {

Status invalid(std::string message) { return {Code::invalid_argument, std::move(message)}; }

// Values of the type lie elsewhere, and their bytes are only a way to find them.
bool is_indirect(hid_t type);

bool has_indirect_member(hid_t type) {
    auto const members = H5Tget_nmembers(type);
    for (int i = 0; i < members; ++i) {
        Handle const member{H5Tget_member_type(type, static_cast<unsigned>(i)), H5Tclose};
        if (is_indirect(member)) return true;
    }
    return false;
}

bool is_indirect(hid_t type) {
    switch (H5Tget_class(type)) {
        case H5T_STRING: return H5Tis_variable_str(type) > 0;
        case H5T_COMPOUND: return has_indirect_member(type);
        case H5T_ARRAY: return is_indirect(Handle{H5Tget_super(type), H5Tclose});
        case H5T_VLEN:
        case H5T_REFERENCE:
        case H5T_NO_CLASS: return true;
        default: return false;
    }
}

Obstacle type_obstacle(hid_t memory_type, hid_t file_type) {
    if (is_indirect(file_type)) return Obstacle::indirect;
    return H5Tequal(memory_type, file_type) > 0 ? Obstacle::none : Obstacle::converted;
}

bool is_dataspace(hid_t space) { return space == H5S_ALL || H5Iget_type(space) == H5I_DATASPACE; }

// The two selections that an entry pairs. Where it says H5S_ALL in the file, that is the whole dataset; in memory, the same
// as in the file.
struct Pair {
    hid_t file;
    hid_t memory;
};

Pair selections_of(Entry const& entry, hid_t whole) {
    auto const file = entry.file_space == H5S_ALL ? whole : entry.file_space;
    return {file, entry.memory_space == H5S_ALL ? file : entry.memory_space};
}

Status check_selection(hid_t space, char const* where) {
    if (H5Sselect_valid(space) > 0) return {};
    return invalid(std::string{"the selection in "} + where + " reaches out of its dataspace");
}

Status check_selections(Pair const& spaces) {
    if (auto status = check_selection(spaces.file, "the file"); !status.ok()) return status;
    if (auto status = check_selection(spaces.memory, "memory"); !status.ok()) return status;
    auto const file = H5Sget_select_npoints(spaces.file), memory = H5Sget_select_npoints(spaces.memory);
    if (file == memory) return {};
    return invalid(std::to_string(file) + " elements are selected in the file and " + std::to_string(memory) +
                   " in memory");
}

Status check_identifiers(Entry const& entry) {
    if (H5Iget_type(entry.dataset) != H5I_DATASET) return invalid("an identifier is not that of a dataset");
    if (H5Iget_type(entry.memory_type) != H5I_DATATYPE) return invalid("an identifier is not that of a datatype");
    if (!is_dataspace(entry.memory_space) || !is_dataspace(entry.file_space)) {
        return invalid("an identifier is neither that of a dataspace nor H5S_ALL");
    }
    return {};
}

Size elements_of(Entry const& entry, Pair const& spaces) {
    return entry.blocks != nullptr ? entry.blocks->elements() : H5Sget_select_npoints(spaces.file);
}

Status check_place(Entry const& entry, std::vector<Size> const& extent, Pair const& spaces) {
    auto status = entry.blocks != nullptr ? check_blocks(*entry.blocks, extent) : check_selections(spaces);
    if (!status.ok()) return status;
    if (elements_of(entry, spaces) > 0 && entry.buffer == nullptr)
        return invalid("a null pointer for a buffer that is not empty");
    return {};
}

constexpr Size most_lookups = Size{1} << 25;  // chunks that HDF5 walks past: half a second or so

Obstacle chunk_obstacle(hid_t dataset, Subject const& subject, Size elements) {
    ChunkGrid const grid{subject.extent, subject.chunk, subject.element};
    auto const chunks = grid.chunk_count();
    Size per_chunk = 1;
    for (auto const size : subject.chunk) per_chunk *= size;
    auto const touched = std::min(chunks, 4 * (elements / per_chunk) + 1);
    if (touched > 0 && chunks / 2 > most_lookups / touched) return Obstacle::many_chunks;
    auto const stored = static_cast<Size>(H5Dget_storage_size(dataset));
    return stored < chunks * per_chunk * subject.element ? Obstacle::unallocated : Obstacle::none;
}

// A dataset without an address of its own: chunked, or something that HDF5 has to do.
Obstacle look_at_layout(Entry const& entry, Subject& subject, Size elements) {
    Handle const plist{H5Dget_create_plist(entry.dataset), H5Pclose};
    auto const layout = H5Pget_layout(plist);
    if (H5Pget_external_count(plist) > 0) return Obstacle::external;
    if (layout == H5D_COMPACT) return Obstacle::compact;
    if (layout == H5D_VIRTUAL) return Obstacle::virtual_layout;
    if (layout == H5D_CONTIGUOUS) return Obstacle::unallocated;
    if (H5Pget_nfilters(plist) > 0) return Obstacle::filtered;
    std::vector<hsize_t> chunk(subject.extent.size());
    if (chunk.empty() || H5Pget_chunk(plist, static_cast<int>(chunk.size()), chunk.data()) < 0) {
        return Obstacle::unallocated;
    }
    subject.chunk.assign(chunk.begin(), chunk.end());
    return chunk_obstacle(entry.dataset, subject, elements);
}

Obstacle storage_obstacle(Entry const& entry, Subject& subject, Size elements) {
    auto const address = H5Dget_offset(entry.dataset);
    auto const contiguous = address != HADDR_UNDEF && H5Dget_storage_size(entry.dataset) > 0;
    if (contiguous) subject.address = static_cast<Offset>(address);
    return contiguous ? Obstacle::none : look_at_layout(entry, subject, elements);
}

Obstacle find_obstacle(Entry const& entry, Circumstances const& around, Subject& subject, Pair const& spaces) {
    Handle const type{H5Dget_type(entry.dataset), H5Tclose};
    subject.element = static_cast<Size>(H5Tget_size(type));
    if (around.transforms) return Obstacle::transformed;
    if (around.atomic) return Obstacle::atomic_mode;
    if (auto const obstacle = type_obstacle(entry.memory_type, type); obstacle != Obstacle::none) return obstacle;
    if (extent_of(spaces.file) != subject.extent) return Obstacle::other_extent;
    return storage_obstacle(entry, subject, elements_of(entry, spaces));
}

Size list_bytes_of(Entry const& entry, Subject const& subject, Pair const& spaces) {
    constexpr auto piece = static_cast<Size>(4 * sizeof(Extent));  // file and memory, and as much again while sorting
    Size bytes = 0;
    if (entry.blocks != nullptr) {
        bytes = static_cast<Size>(entry.blocks->count) * piece;
    } else {
        bytes = list_bytes(spaces.file) + (spaces.memory == spaces.file ? 0 : list_bytes(spaces.memory));
    }
    if (!subject.chunked()) return bytes;
    ChunkGrid const grid{subject.extent, subject.chunk, subject.element};
    return bytes + grid.pieces(elements_of(entry, spaces)) * piece;
}

// Elements from the first to the last that is selected, row by row.
Size elements_spanned(hid_t space, std::vector<Size> const& extent) {
    std::vector<hsize_t> first(extent.size()), last(extent.size());
    if (H5Sget_select_bounds(space, first.data(), last.data()) < 0) return 0;
    Size span = 0;
    for (std::size_t d = 0; d < extent.size(); ++d) {
        span = span * extent[d] + static_cast<Size>(last[d]) - static_cast<Size>(first[d]);
    }
    return span + 1;
}

bool is_scattered(Entry const& entry, Subject const& subject, Pair const& spaces) {
    if (entry.blocks != nullptr || subject.chunked()) return true;
    if (H5Sget_select_type(spaces.file) == H5S_SEL_POINTS) return true;  // in any order, and some twice
    auto const elements = elements_of(entry, spaces);
    return elements > 1 && elements != elements_spanned(spaces.file, subject.extent);
}

// What is asked for as shapes in the dataset, as if it were contiguous, and in memory.
Result<Arrangement> arrange(Entry const& entry, Subject const& subject, Selections& selections) {
    if (entry.blocks != nullptr) return selections.arrangement(*entry.blocks, subject.extent, subject.element);
    Handle const whole{entry.file_space == H5S_ALL ? H5Dget_space(entry.dataset) : H5I_INVALID_HID, H5Sclose};
    auto const spaces = selections_of(entry, whole);
    auto const kept = spaces.file != whole;
    auto file = kept ? selections.shape(spaces.file, subject.element) : shape_of_selection(whole, subject.element);
    if (!file) return file.status();
    if (spaces.memory == spaces.file) return Arrangement{*file, *file};
    auto memory = selections.shape(spaces.memory, subject.element);
    if (!memory) return memory.status();
    return Arrangement{std::move(*file), std::move(*memory)};
}

}  // namespace

Size Subject::bytes() const {
    auto all = element;
    for (auto const size : extent) all *= size;
    return all;
}

char const* reason_of(Obstacle obstacle) {
    switch (obstacle) {
        case Obstacle::none: return "";
        case Obstacle::converted: return "memory and file have different types";
        case Obstacle::indirect: return "values of variable length, or references";
        case Obstacle::transformed: return "the transfer property list has a data transform";
        case Obstacle::filtered: return "the dataset has filters";
        case Obstacle::compact: return "compact layout";
        case Obstacle::virtual_layout: return "virtual layout";
        case Obstacle::external: return "external storage";
        case Obstacle::unallocated: return "not all of its space is allocated";
        case Obstacle::user_block: return "chunks in a file with a user block";
        case Obstacle::many_chunks: return "so many chunks that looking them up would take longer";
        case Obstacle::other_extent: return "the file dataspace has another extent than the dataset";
        case Obstacle::atomic_mode: return "the file is in atomic mode";
        case Obstacle::listed_twice: return "the dataset is named twice";
        case Obstacle::other_file: return "in another file than the first dataset";
        case Obstacle::unreachable: return "the file cannot be opened beside HDF5";
    }
    return "unknown";
}

std::string name_of_object(hid_t object) {
    std::array<char, 1024> name{};
    H5Iget_name(object, name.data(), name.size());
    return name.data();
}

Status check_arguments(Entry const& entry) {
    Quiet const quiet;
    if (auto status = check_identifiers(entry); !status.ok()) return status;
    Handle const whole{H5Dget_space(entry.dataset), H5Sclose};
    return check_place(entry, extent_of(whole), selections_of(entry, whole));
}

Result<Subject> look_at(Entry const& entry, Circumstances const& circumstances) {
    if (auto status = check_arguments(entry); !status.ok()) return status;
    Quiet const quiet;
    Subject subject;
    Handle const whole{H5Dget_space(entry.dataset), H5Sclose};
    subject.extent = extent_of(whole);
    auto const spaces = selections_of(entry, whole);
    ObjectInfo info{};
    H5Oget_info2(entry.dataset, &info, H5O_INFO_BASIC);
    subject.identity = info.addr;
    auto const elsewhere = info.fileno != circumstances.file_number;
    subject.obstacle = elsewhere ? Obstacle::other_file : find_obstacle(entry, circumstances, subject, spaces);
    if (subject.obstacle != Obstacle::none) return subject;
    subject.list_bytes = list_bytes_of(entry, subject, spaces);
    subject.scattered = is_scattered(entry, subject, spaces);
    return subject;
}

Result<Access> access_of(Entry const& entry, Subject const& subject, Selections& selections) {
    auto parts = arrange(entry, subject, selections);
    if (!parts) return parts.status();
    Memory const memory{Stream::whole(parts->memory), static_cast<std::byte*>(entry.buffer)};
    if (!subject.chunked()) return make_access(Stream::whole(parts->file.shifted(subject.address)), memory);
    ChunkGrid const grid{subject.extent, subject.chunk, subject.element};
    auto file = place_in_chunks(entry.dataset, grid, parts->file);
    if (!file) return file.status();
    return make_access(Stream::whole(*file), memory);
}

}  // namespace muster::hdf5
