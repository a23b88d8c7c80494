// HDF5 files that Muster reaches on its own way, beside HDF5.
#pragma once

#include <hdf5.h>

#include <memory>
#include <optional>

#include "engine/session.hpp"
#include "hdf5/split_report.hpp"

namespace muster::hdf5 {

// Known from the first call on it until it is released, or found closed.
struct Attached {
    unsigned long number{0};  // HDF5's, of an open file; it gives none twice
    std::string path;
    bool writable{false};
    std::optional<bool> user_block;    // unknown until it matters
    std::vector<HintPair> hints;       // of the MPI_Info that the program opened the file with
    MPI_Comm comm{MPI_COMM_NULL};      // null: not known yet, or the file is not open in parallel
    std::unique_ptr<Session> session;  // null: not tried yet, or it cannot be
    Status unreachable;                // why it cannot be
    std::optional<MPI_File> handle;    // HDF5's own, where it is that of the MPI
    bool asked{false};                 // who its ranks are
    bool tried{false};                 // to open it
    int little_calls{0};               // before it was tried, that were not worth it
    SplitReport report;
};

// Local. The file that an object is in: HDF5's number of it.
Result<unsigned long> file_number(hid_t object);

// Local. What is known of the file that an object is in.
Result<Attached*> attach(hid_t object);

// Local. Whether something lies before what HDF5 writes.
bool has_user_block(Attached& file, hid_t object);

// Local. Null: not known.
Attached* find_attached(unsigned long number);
// Local. The only one that was reached before, if it is one.
Attached* only_attached();

// Local. The communicator of the file's ranks, where they have reached another file before: that much is known without asking HDF5,
// which takes several collective calls to tell.
void recognise_ranks(Attached& file, hid_t object);

// Collective over the ranks that opened the file with HDF5. The first time, asks HDF5 for its communicator and hints.
void ask_for_ranks(Attached& file, hid_t object);

// Collective over the ranks that opened the file with HDF5. The first time, opens it beside HDF5, where that can be; the same
// outcome on all ranks.
void reach(Attached& file, hid_t object);

// Collective where the file was reached. Forgets about it.
Status release(Attached& file);

}  // namespace muster::hdf5
