// Many HDF5 datasets in one collective call. For HDF5 1.10 and later, parallel. This header is the manual.
//
//   #include <muster/hdf5.h>
//   hid_t dxpl = H5Pcreate(H5P_DATASET_XFER);
//   H5Pset_dxpl_mpio(dxpl, H5FD_MPIO_COLLECTIVE);
//   if (muster_h5d_write_multi(402, datasets, types, memory_spaces, file_spaces, dxpl, buffers) < 0)
//       fprintf(stderr, "%s\n", muster_last_message());
//
// The arguments are those of H5Dwrite_multi and H5Dread_multi of HDF5 1.14, and mean the same. With a collective transfer
// property list the calls are collective over the ranks that opened the file: all name the same datasets in the same order,
// each with selections of its own, empty ones too. Then all datasets go to or come from the file in one collective call of
// Muster, past HDF5's own transfer, straight to the places that HDF5 has given them. With an independent one (H5P_DEFAULT
// is) every rank is on its own, and HDF5 does it.
//
// What HDF5 has to do itself it does, dataset by dataset, and the report says which and why: filters, type conversion,
// values of variable length, compact, virtual or external storage, space that is not allocated yet, data transforms, atomic
// mode, a dataset that is named twice, datasets of another file, files that are not open by the MPI-IO driver.
//
// The calls return 0, or -1 with a sentence in muster_last_message(). In a collective call all ranks get the same: when one
// of them has a wrong argument, nobody writes or reads anything, and nobody hangs. (One exception: a rank that names no
// valid dataset at all while several files are open, or none was used before, fails alone.)
//
// The file stays an ordinary HDF5 file, and these calls and HDF5's may be mixed freely, as far as the storage keeps what
// POSIX promises; where it does not (NFS), flush in between, as for any two ways to one file.
//
// Hints are those of Muster, from the MPI_Info given to H5Pset_fapl_mpio and the environment. The lists of extents that a
// call needs on a rank are bounded by muster_metadata_memory: where the selections of all datasets would take more, the call
// is made in several collective calls, and the report says so.
#pragma once

#include <hdf5.h>

#include "muster/export.h"
#include "muster/muster.h"

#ifdef __cplusplus
extern "C" {
#endif

// Each list has one entry per dataset. Spaces may be H5S_ALL. Buffers may be NULL where nothing is selected.
MUSTER_API herr_t muster_h5d_write_multi(size_t count, hid_t const dset_id[], hid_t const mem_type_id[],
                                         hid_t const mem_space_id[], hid_t const file_space_id[], hid_t dxpl_id,
                                         void const* const buf[]);
MUSTER_API herr_t muster_h5d_read_multi(size_t count, hid_t const dset_id[], hid_t const mem_type_id[],
                                        hid_t const mem_space_id[], hid_t const file_space_id[], hid_t dxpl_id,
                                        void* const buf[]);

// Many blocks of one dataset, without selections: to join hundreds of thousands of hyperslabs into one selection takes HDF5
// longer than to write them.
typedef struct muster_h5_blocks {
    hid_t dset_id;
    hid_t mem_type_id;
    size_t count;          // of blocks
    hsize_t const* start;  // of block i in dimension d: start[i * dimensions + d]
    hsize_t const* size;   // the same for its elements; 0: the block is empty
    void* buf;             // the blocks one behind the other, each row by row; writing only reads from it
} muster_h5_blocks;

// The same for blocks: `count` datasets, in one collective call. Where blocks of a rank overlap, the last one is kept.
MUSTER_API herr_t muster_h5d_write_blocks(size_t count, muster_h5_blocks const blocks[], hid_t dxpl_id);
MUSTER_API herr_t muster_h5d_read_blocks(size_t count, muster_h5_blocks const blocks[], hid_t dxpl_id);

// Local. What the last of these calls on a file did and all of them together, as this rank saw it: datasets, those done one
// by one and why, collective calls, rounds of each, and seconds in file access, communication, the overhead of collective
// calls, and HDF5. `object` is the file or anything in it. For people, or as JSON with these keys:
//   operation, file, last: a tally of the last call, all: of all since the file was opened,
//   rounds: [of each collective call of the last call], one_by_one: [{dataset, reason}], decisions: [{subject, choice, reason}];
//   a tally: calls, collective_calls, rounds, datasets, one_by_one, bytes,
//            seconds: {file, communication, collective, hdf5, total}
// To be freed by muster_free.
MUSTER_API herr_t muster_h5_report_text(hid_t object, char** text);
MUSTER_API herr_t muster_h5_report_json(hid_t object, char** json);
// Collective. The same with the bytes of all ranks, and each of the seconds those of the slowest rank.
MUSTER_API herr_t muster_h5_gathered_report_json(hid_t object, char** json);

// Collective. Closes what Muster has open of a file, and tells what the system says only then. Not needed: it is done by
// itself, silently, when a file is first used after HDF5 has closed this one.
MUSTER_API herr_t muster_h5_release(hid_t object);

#ifdef __cplusplus
}
#endif
