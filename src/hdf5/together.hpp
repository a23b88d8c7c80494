// The datasets of a call as one access.
#pragma once

#include <span>

#include "hdf5/dataset.hpp"

namespace muster::hdf5 {

// An entry of the call and what is known about it.
struct Participant {
    Entry const* entry;
    Subject const* subject;
};

// Local. All of them in file order, whichever order they were named in.
Result<Access> one_access(std::span<Participant const> participants, Direction direction);

// Local. What a read asked for behind the end of the file is 0, as HDF5 has it.
void clear_behind(Access const& access, Offset end_of_file);

}  // namespace muster::hdf5
