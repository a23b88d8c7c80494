// The shared file pointer. The MPI keeps it, so that it is the same for calls that are passed on; only while the MPI does not
// have the view of the program, and so nobody can ask it for the pointer, the ranks keep it themselves.
#pragma once

#include "preload/open_file.hpp"

namespace muster::preload {

// In bytes of the view.
struct Turn {
    Offset begin{0};  // of this rank's access
    Offset end{0};    // of the last rank's
};

// Collective. Ranks one behind the other from the shared file pointer on, each with so many bytes; it does not move yet. Nothing,
// on all ranks, where the MPI does not tell where it stands.
std::optional<Turn> take_turn(OpenFile& file, Size bytes);
// Collective. Puts it there.
int move_shared(OpenFile& file, Offset position);

}  // namespace muster::preload
