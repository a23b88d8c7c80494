#include "ways.hpp"

#include <algorithm>
#include <cstring>

#include "mpi/info.hpp"
#include "muster/hdf5.h"

namespace muster::bench {

namespace {

using hdf5::Handle;

Status status_of(herr_t outcome, char const* what) {
    return outcome >= 0 ? Status{} : Status{Code::io, std::string{what} + ": " + muster_last_message()};
}

// What an element of a variable holds, as many bytes of it as there are.
unsigned long long value_of(std::size_t variable, Offset element) {
    return (static_cast<unsigned long long>(element) + 1) * 2654435761ULL + variable * 40503ULL;
}

Handle collective() {
    auto const plist = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(plist, H5FD_MPIO_COLLECTIVE);
    return {plist, H5Pclose};
}

// Where the drop-in is loaded, the MPI's own I/O has to be asked for.
Handle access(Comm const& comm, Way way) {
    auto const plist = H5Pcreate(H5P_FILE_ACCESS);
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    if (way == Way::hdf5) MPI_Info_set(info, "muster_enable", "off");
    H5Pset_fapl_mpio(plist, comm.handle, info);
    MPI_Info_free(&info);
    return {plist, H5Pclose};
}

bool is_on_drop_in(hid_t file) {
    void* handle = nullptr;
    if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0) return false;
    MPI_Info info = MPI_INFO_NULL;
    MPI_File_get_info(*static_cast<MPI_File*>(handle), &info);
    auto const pairs = pairs_of(info);
    MPI_Info_free(&info);
    return std::any_of(pairs.begin(), pairs.end(), [](HintPair const& pair) { return pair.first == "muster_window"; });
}

Status check_opened(hid_t file, hid_t dataset, Way way) {
    if (file < 0 || dataset < 0) return {Code::io, "cannot open the file and its datasets"};
    if (way != Way::dropin || is_on_drop_in(file)) return {};
    return {Code::unsupported, "the drop-in is not loaded"};
}

hdf5::BlockList list_of(Pattern const& pattern) {
    return {pattern.blocks(), pattern.dimensions(), pattern.starts.data(), pattern.sizes.data()};
}

Handle space_of(Pattern const& pattern) {
    std::vector<hsize_t> const extent(pattern.extent.begin(), pattern.extent.end());
    return {H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose};
}

}  // namespace

char const* name_of(Way way) {
    switch (way) {
        case Way::hdf5: return "hdf5";
        case Way::dropin: return "dropin";
        case Way::single: return "single";
        case Way::multi: return "multi";
        case Way::blocks: return "blocks";
    }
    return "unknown";
}

Stage::Stage(Comm const& comm, Subject const& subject) : comm_{comm}, subject_{subject}, dxpl_{collective()} {
    auto const start = MPI_Wtime();
    for (auto const& pattern : subject.patterns) parts_.push_back(select(pattern));
    seconds_selecting_ = MPI_Wtime() - start;
    for (auto const pattern : subject.variables) {
        buffers_.emplace_back(parts_[pattern].elements * static_cast<std::size_t>(subject.element));
    }
}

// As programs do it today: hyperslab by hyperslab.
Stage::Part Stage::select(Pattern const& pattern) const {
    auto space = space_of(pattern);
    auto const list = list_of(pattern);
    H5Sselect_none(space);
    for (std::size_t i = 0; i < list.count; ++i) {
        H5Sselect_hyperslab(space, i == 0 ? H5S_SELECT_SET : H5S_SELECT_OR, list.starts + i * list.dimensions, nullptr,
                            list.sizes + i * list.dimensions, nullptr);
    }
    auto const elements = static_cast<hsize_t>(list.elements());
    Handle memory{H5Screate_simple(1, &elements, nullptr), H5Sclose};
    auto const arrangement = hdf5::aggregate(list, pattern.extent, 1);
    return {std::move(space), std::move(memory), arrangement.file, arrangement.memory,
            static_cast<std::size_t>(elements)};
}

Status Stage::create(std::string const& path, Way way) {
    file_ = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access(comm_, way));
    auto const type = subject_.element == 8 ? H5T_NATIVE_ULLONG : H5T_NATIVE_UINT;
    for (std::size_t i = 0; i < subject_.variables.size(); ++i) {
        auto const space = space_of(subject_.patterns[subject_.variables[i]]);
        auto const name = "variable" + std::to_string(i);
        datasets_.push_back(H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }
    return check_opened(file_, datasets_.back(), way);
}

Status Stage::open(std::string const& path, Way way) {
    file_ = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access(comm_, way));
    for (std::size_t i = 0; i < subject_.variables.size(); ++i) {
        datasets_.push_back(H5Dopen2(file_, ("variable" + std::to_string(i)).c_str(), H5P_DEFAULT));
    }
    return check_opened(file_, datasets_.back(), way);
}

// Calls visit(variable, element in the array, place in its buffer) for everything this rank has.
template <class Visit>
void Stage::each_value(Way way, Visit const& visit) const {
    for (std::size_t i = 0; i < subject_.variables.size(); ++i) {
        auto const& part = parts_[subject_.variables[i]];
        Cursor places{way == Way::blocks ? part.list : Shape::block(0, static_cast<Size>(part.elements))};
        part.file.for_each([&](Offset offset, Size length) {
            for (auto const end = offset + length; offset < end; ++offset) visit(i, offset, places.take(1).offset);
        });
    }
}

void Stage::fill(Way way) {
    auto const bytes = static_cast<std::size_t>(subject_.element);
    each_value(way, [&](std::size_t variable, Offset element, Offset place) {
        auto const value = value_of(variable, element);
        std::memcpy(buffers_[variable].data() + static_cast<std::size_t>(place) * bytes, &value, bytes);
    });
}

void Stage::clear() {
    for (auto& buffer : buffers_) std::fill(buffer.begin(), buffer.end(), std::byte{0});
}

bool Stage::verify(Way way) const {
    auto const bytes = static_cast<std::size_t>(subject_.element);
    auto right = true;
    each_value(way, [&](std::size_t variable, Offset element, Offset place) {
        auto const value = value_of(variable, element);
        auto const* const found = buffers_[variable].data() + static_cast<std::size_t>(place) * bytes;
        right = right && std::memcmp(found, &value, bytes) == 0;
    });
    return right;
}

Status Stage::write(Way way) { return transfer(way, true); }
Status Stage::read(Way way) { return transfer(way, false); }

Status Stage::transfer(Way way, bool write) {
    auto const type = subject_.element == 8 ? H5T_NATIVE_ULLONG : H5T_NATIVE_UINT;
    auto const count = datasets_.size();
    std::vector<hid_t> types(count, type), memory_spaces, file_spaces;
    std::vector<void*> buffers;
    std::vector<muster_h5_blocks> blocks;
    for (std::size_t i = 0; i < count; ++i) {
        auto const& part = parts_[subject_.variables[i]];
        auto const list = list_of(subject_.patterns[subject_.variables[i]]);
        memory_spaces.push_back(part.memory_space);
        file_spaces.push_back(part.file_space);
        buffers.push_back(buffers_[i].data());
        blocks.push_back({datasets_[i], type, list.count, list.starts, list.sizes, buffers_[i].data()});
    }
    herr_t outcome = 0;
    if (way == Way::blocks) {
        outcome = write ? muster_h5d_write_blocks(count, blocks.data(), dxpl_)
                        : muster_h5d_read_blocks(count, blocks.data(), dxpl_);
    } else if (way == Way::multi) {
        outcome = write ? muster_h5d_write_multi(count, datasets_.data(), types.data(), memory_spaces.data(),
                                                 file_spaces.data(), dxpl_, buffers.data())
                        : muster_h5d_read_multi(count, datasets_.data(), types.data(), memory_spaces.data(),
                                                file_spaces.data(), dxpl_, buffers.data());
    }
    for (std::size_t i = 0; i < count && outcome >= 0; ++i) {
        auto const plain = way == Way::hdf5 || way == Way::dropin;
        if (plain && write) {
            outcome = H5Dwrite(datasets_[i], type, memory_spaces[i], file_spaces[i], dxpl_, buffers[i]);
        } else if (plain) {
            outcome = H5Dread(datasets_[i], type, memory_spaces[i], file_spaces[i], dxpl_, buffers[i]);
        } else if (way == Way::single && write) {
            outcome =
                muster_h5d_write_multi(1, &datasets_[i], &type, &memory_spaces[i], &file_spaces[i], dxpl_, &buffers[i]);
        } else if (way == Way::single) {
            outcome =
                muster_h5d_read_multi(1, &datasets_[i], &type, &memory_spaces[i], &file_spaces[i], dxpl_, &buffers[i]);
        }
    }
    return status_of(outcome, name_of(way));
}

std::string Stage::report() {
    char* json = nullptr;
    if (muster_h5_gathered_report_json(file_, &json) < 0) return "null";
    std::string text{json};
    muster_free(json);
    return text;
}

void Stage::close() {
    for (auto const dataset : datasets_) H5Dclose(dataset);
    datasets_.clear();
    H5Fclose(file_);
}

}  // namespace muster::bench
