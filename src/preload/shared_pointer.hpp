// The shared file pointer. The MPI keeps it, so that it is the same for calls that are passed on; only while the MPI does not
// have the view of the program, and so nobody can ask it for the pointer, the ranks keep it themselves: what all of them know,
// and from there on a counter for those that move it alone. Each time that all come to know it, the next counter has a new name.
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

// The rest is for views that the MPI does not have.

// Local. Moves it by so many bytes; where it stood before.
Result<Offset> move_shared_alone(OpenFile& file, Size bytes);
// Local.
Result<Offset> shared_position_alone(OpenFile& file);
// Collective. All come to know it, and no counter is left.
Status settle_shared(OpenFile& file);
// Collective, when all have come. It is at the beginning again.
void reset_shared(OpenFile& file, bool moved);

}  // namespace muster::preload
