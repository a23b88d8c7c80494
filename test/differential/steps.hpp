// What the ways to access a file have in common.
#pragma once

#include <cstddef>

#include "case.hpp"

namespace muster::differential {

using Bytes = std::vector<std::byte>;

Bytes data_for(Case const& c, Size step);
// What the memory type covers, and nothing in its gaps.
void copy_typed(Case const& c, Bytes const& from, Bytes& to);
Bytes load(std::string const& path);
MPI_Info info_of(Case const& c);
bool shifted(Case const& c);

// By MPI_File_* calls of all forms, which the drop-in library takes over. `span`: bytes from step to step.
Status write_by_drop_in(Case const& c, std::string const& path, Size span);
Status read_by_drop_in(Case const& c, std::string const& path, Size span);
// Every rank reads a stretch of its own choice, overlapping with others and beyond the end.
Status read_stretch_by_drop_in(Case const& c, std::string const& path);

}  // namespace muster::differential
