// Whether a name still leads to what this process has open.
#pragma once

#include <string>

namespace muster::hdf5 {

// Local. One of the descriptors of this process is of the file that the name leads to; also where the system does not tell.
bool has_open(std::string const& path);

}  // namespace muster::hdf5
