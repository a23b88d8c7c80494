// MUSTER_CAPTURE: where the program's accesses lie, recorded by every rank and written at the end, to be replayed.
#pragma once

#include "preload/open_file.hpp"

namespace muster::preload {

// Local. Rank 0 of the world decides, once `agree_on_records` was called.
bool wants_capture();
void want_capture(bool wants);

// Collective. From now on the file's accesses are recorded.
void begin_capture(OpenFile& file);
// Local.
void capture_access(OpenFile const& file, bool write, Stream const& stream);
void capture_count(OpenFile const& file, bool write, Size bytes);
void end_capture(OpenFile const& file);

// Collective over the world. Nothing where no capture is wanted.
void write_capture();

}  // namespace muster::preload
