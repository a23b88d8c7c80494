// One dataset of a call: what the user asks of it, what HDF5 says about it, and what that makes as an access to the file.
#pragma once

#include <hdf5.h>

#include <vector>

#include "access/access.hpp"
#include "hdf5/blocks.hpp"
#include "hdf5/selection.hpp"
#include "plan/plan.hpp"

namespace muster::hdf5 {

// As the user named it: by selections or, where there are blocks, by those.
struct Entry {
    hid_t dataset{H5I_INVALID_HID};
    hid_t memory_type{H5I_INVALID_HID};
    hid_t memory_space{H5S_ALL};
    hid_t file_space{H5S_ALL};
    void* buffer{nullptr};  // writing only reads from it
    BlockList const* blocks{nullptr};
};

// Why a dataset cannot take part in the one call for all, and HDF5 does it instead. The higher one counts where ranks
// have different ones.
enum class Obstacle : int {
    none = 0,
    converted,       // memory and file have different types
    indirect,        // values lie elsewhere: variable length, references
    transformed,     // the transfer property list has an expression
    filtered,        // compressed and the like
    compact,         // stored in the dataset's header
    virtual_layout,  // made of other datasets
    external,        // in other files
    unallocated,     // space is allocated when it is first written
    user_block,      // chunks behind a user block
    many_chunks,     // HDF5 looks up chunks one after another
    other_extent,    // the file dataspace does not fit the dataset
    atomic_mode,
    listed_twice,
    other_file,
    unreachable,  // the file cannot be opened beside HDF5
};
char const* reason_of(Obstacle obstacle);

// The same on all ranks of the call.
struct Circumstances {
    Direction direction{Direction::write};
    unsigned long file_number{0};  // HDF5's, of the file of the call
    bool transforms{false};
    bool atomic{false};  // the file is in atomic mode
};

struct Subject {
    Obstacle obstacle{Obstacle::none};
    Size element{0};                // bytes
    Offset address{0};              // contiguous: where it begins in the file
    std::vector<Size> extent;       // of the dataset
    std::vector<Size> chunk;        // empty when contiguous
    haddr_t identity{HADDR_UNDEF};  // of the dataset in its file
    Size list_bytes{0};             // memory that the lists of its access take, about
    bool scattered{false};          // what is selected in it is not one piece

    bool chunked() const { return !chunk.empty(); }
    Size bytes() const;  // of all of it
};

// Local. What can be seen to be wrong without asking what is to be done.
Status check_arguments(Entry const& entry);

// Local. Fails where the user's arguments cannot be.
Result<Subject> look_at(Entry const& entry, Circumstances const& circumstances);

// Local. The access of an entry without an obstacle.
Result<Access> access_of(Entry const& entry, Subject const& subject, Selections& selections);

std::string name_of_object(hid_t object);

}  // namespace muster::hdf5
