// For tests: HDF5 files that all ranks have open, and calls put together piece by piece.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "engine/testing.hpp"
#include "hdf5/handle.hpp"
#include "muster/hdf5.h"

namespace muster::hdf5::test {

using muster::test::is_last;
using muster::test::rank;
using muster::test::ranks;
using muster::test::SharedPath;
using muster::test::world;
using Numbers = std::vector<hsize_t>;

inline Handle collective() {
    auto const plist = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(plist, H5FD_MPIO_COLLECTIVE);
    return {plist, H5Pclose};
}

struct FileOptions {
    MPI_Info info{MPI_INFO_NULL};
    hsize_t user_block{0};
    MPI_Comm comm{MPI_COMM_WORLD};
};

inline Handle parallel_access(FileOptions const& options) {
    auto const plist = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(plist, options.comm, options.info);
    return {plist, H5Pclose};
}

// Collective.
inline Handle create_file(std::string const& path, FileOptions const& options = {}) {
    Handle const creation{H5Pcreate(H5P_FILE_CREATE), H5Pclose};
    H5Pset_userblock(creation, options.user_block);
    return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, parallel_access(options)), H5Fclose};
}

// Collective.
inline Handle open_file(std::string const& path, unsigned flags = H5F_ACC_RDWR) {
    return {H5Fopen(path.c_str(), flags, parallel_access({})), H5Fclose};
}

inline Handle simple_space(Numbers const& extent) {
    return {H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose};
}

inline Handle box(Numbers const& extent, Numbers const& start, Numbers const& size) {
    auto space = simple_space(extent);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr);
    return space;
}

inline Handle nothing_of(Numbers const& extent) {
    auto space = simple_space(extent);
    H5Sselect_none(space);
    return space;
}

// How a dataset is stored.
inline Handle contiguous_layout() { return {H5Pcreate(H5P_DATASET_CREATE), H5Pclose}; }
inline Handle chunked_layout(Numbers const& chunk) {
    auto plist = contiguous_layout();
    H5Pset_chunk(plist, static_cast<int>(chunk.size()), chunk.data());
    return plist;
}

// Collective.
inline Handle create_dataset(hid_t file, std::string const& name, hid_t type, Numbers const& extent,
                             Handle const& layout = contiguous_layout()) {
    auto const space = simple_space(extent);
    return {H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, layout, H5P_DEFAULT), H5Dclose};
}

// A call under construction.
struct Call {
    std::vector<hid_t> datasets;
    std::vector<hid_t> types;
    std::vector<hid_t> memory_spaces;
    std::vector<hid_t> file_spaces;
    std::vector<void*> buffers;

    void add(hid_t dataset, hid_t type, hid_t memory_space, hid_t file_space, void* buffer) {
        datasets.push_back(dataset);
        types.push_back(type);
        memory_spaces.push_back(memory_space);
        file_spaces.push_back(file_space);
        buffers.push_back(buffer);
    }
    herr_t write(hid_t dxpl) const {
        return muster_h5d_write_multi(datasets.size(), datasets.data(), types.data(), memory_spaces.data(),
                                      file_spaces.data(), dxpl, buffers.data());
    }
    herr_t read(hid_t dxpl) const {
        return muster_h5d_read_multi(datasets.size(), datasets.data(), types.data(), memory_spaces.data(),
                                     file_spaces.data(), dxpl, buffers.data());
    }
    // The same by HDF5, one after the other.
    herr_t write_by_hdf5(hid_t dxpl) const {
        herr_t outcome = 0;
        for (std::size_t i = 0; i < datasets.size(); ++i) {
            outcome =
                std::min(outcome, H5Dwrite(datasets[i], types[i], memory_spaces[i], file_spaces[i], dxpl, buffers[i]));
        }
        return outcome;
    }
    herr_t read_by_hdf5(hid_t dxpl) const {
        herr_t outcome = 0;
        for (std::size_t i = 0; i < datasets.size(); ++i) {
            outcome =
                std::min(outcome, H5Dread(datasets[i], types[i], memory_spaces[i], file_spaces[i], dxpl, buffers[i]));
        }
        return outcome;
    }
};

inline std::string report_of(hid_t object) {
    char* json = nullptr;
    if (muster_h5_report_json(object, &json) < 0) return muster_last_message();
    std::string text{json};
    muster_free(json);
    return text;
}

// Everything in a dataset, read by HDF5 and by each rank on its own.
template <class T>
std::vector<T> contents(hid_t dataset, hid_t type) {
    Handle const space{H5Dget_space(dataset), H5Sclose};
    std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    return values;
}

// Collective. The last call failed on all ranks, in the same words.
inline void expect_refused(herr_t outcome, char const* words) {
    EXPECT_LT(outcome, 0);
    std::string const message{muster_last_message()};
    EXPECT_NE(message.find(words), std::string::npos) << message;
    EXPECT_EQ(message, muster::test::of_first_rank(message));
}

}  // namespace muster::hdf5::test
