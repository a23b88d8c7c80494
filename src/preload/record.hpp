// What is told at the end: a record of every file that was closed, as JSON, and one line for people.
#pragma once

#include "preload/open_file.hpp"

namespace muster::preload {

// Local. Whether MUSTER_REPORT or MUSTER_SUMMARY ask for it; rank 0 of the world decides, once `agree_on_records` was called.
bool wants_record();
// Collective over the world.
void agree_on_records();

// Collective. Adds up what the ranks have counted; the first rank of the file keeps it.
void keep_record(OpenFile& file);

// Collective over the world. Writes the report and the line.
void tell_records();

}  // namespace muster::preload
