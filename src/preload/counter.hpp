// A number that every rank can count on by itself, without the help of the others: in a small file that all of them see, under
// a lock. For the shared file pointer while the MPI does not have the view.
#pragma once

#include <string>

#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster::preload {

// Local. Adds to it, and tells what it was before: `first` where nobody has counted yet.
Result<Offset> count_on(std::string const& counter, Offset first, Size add);
// Local. As it stands; `first` where nobody has counted.
Result<Offset> read_counter(std::string const& counter, Offset first);
// Local.
void remove_counter(std::string const& counter);

// Local. Whether a file can be made in the directory of this one.
bool is_writable_beside(std::string const& path);

// Memory that processes share as files: a number that is the same for all that see the same; 0: there is none.
inline constexpr char const* memory_directory = "/dev/shm";
Size mark_of_memory();

}  // namespace muster::preload
