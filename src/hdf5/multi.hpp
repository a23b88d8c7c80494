// Many datasets in one collective call.
#pragma once

#include <span>

#include "hdf5/attached.hpp"
#include "hdf5/dataset.hpp"

namespace muster::hdf5 {

struct Request {
    Direction direction{Direction::write};
    std::span<Entry const> entries;
    hid_t dxpl{H5P_DEFAULT};
};

// Collective over the ranks that opened the file, with the same datasets in the same order on all, where the transfer
// property list says so; else local, and HDF5 does it dataset by dataset.
Status transfer(Request const& request);

}  // namespace muster::hdf5
