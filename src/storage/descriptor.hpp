// Files that this process has open already, by descriptor: the way to a file that has lost its name.
#pragma once

#include <string>

#include "muster/extent.hpp"

namespace muster {

// Which file a name leads to; the same on all nodes. 0: none.
Size inode_of(std::string const& path);
Size regular_inode_of(std::string const& path);  // 0 also where it is a directory, a pipe or the like

// A name that leads to the file, through a descriptor of this process; empty: there is none. `path` was its name once.
std::string find_descriptor(std::string const& path, Size inode);

}  // namespace muster
