// A dataset done by HDF5 itself.
#pragma once

#include "hdf5/multi.hpp"

namespace muster::hdf5 {

// As collective as the transfer property list says. Where something is wrong on this rank alone it still takes part, with
// nothing selected.
Status transfer_one(Request const& request, Entry const& entry);

}  // namespace muster::hdf5
