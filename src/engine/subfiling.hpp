// Files that are kept as several pieces: found or made when a file is opened, completed when it is closed.
#pragma once

#include <optional>

#include "engine/quorum.hpp"
#include "machine/machine.hpp"
#include "mpi/comm.hpp"
#include "muster/hints.hpp"
#include "storage/subfiles.hpp"

namespace muster {

struct SubfilingInput {
    Comm const& comm;
    Quorum const& quorum;
    Machine const& machine;
    Hints const& hints;
    std::string const& path;
    OpenOptions const& open;

    // Whether every rank sees all pieces: they lie beside the index, or all ranks are on one node.
    bool all_see(SubfileIndex const& index) const { return index.directory.empty() || machine.node_count() == 1; }
};

struct FoundSubfiles {
    std::optional<SubfileIndex> set;       // nothing: an ordinary file
    std::optional<SubfileIndex> replaced;  // what the name stood for: its pieces go when the file is open, not before
};

// Local, on rank 0. The set of subfiles that the path stands for, or that the hints ask to make. A piece that is missing or has
// another size than it had is named, where all ranks see the same.
Result<FoundSubfiles> look_for_subfiles(SubfilingInput const& input);

// Collective where pieces lie in directories of several nodes, else local. Hints for access to such a set: domains and pieces
// coincide, and pieces in a directory of the node are served by a rank that sees them. A piece that nobody sees is named.
Result<Hints> hints_for_subfiles(SubfilingInput const& input, SubfileIndex const& index);

// Local. From the root on: a program may go to another directory, and readers may be in another one.
std::string whole_path(std::string const& path);

// Local. Which pieces this rank sees; empty: all.
std::vector<bool> reachable_pieces(SubfilingInput const& input, SubfileIndex const& index);

// Collective, after all have closed their pieces. The index with sizes and checksums; rank 0 writes it.
Status close_subfiling(SubfilingInput const& input, SubfileIndex index);

// Local. Removes the pieces that can be seen from here.
void remove_pieces(std::string const& path, SubfileIndex const& index);

}  // namespace muster
