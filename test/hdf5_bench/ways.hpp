// The ways to write and read all variables of a subject.
#pragma once

#include <hdf5.h>

#include "hdf5/blocks.hpp"
#include "hdf5/handle.hpp"
#include "mpi/comm.hpp"
#include "workloads/subject.hpp"

namespace muster::bench {

enum class Way {
    hdf5,    // HDF5 over the MPI's own I/O, one collective call for each dataset
    dropin,  // HDF5 over the drop-in, which must be loaded
    single,  // Muster, one collective call for each dataset
    multi,   // Muster, one collective call for all, by selections
    blocks,  // the same by lists of blocks
};
char const* name_of(Way way);

// A subject with its selections and the buffers of this rank. Buffers are in the order of the file, or for blocks in
// the order of the list.
class Stage {
public:
    Stage(Comm const& comm, Subject const& subject);

    double seconds_selecting() const { return seconds_selecting_; }
    // Collective. A fresh file with all datasets.
    Status create(std::string const& path, Way way);
    // Collective. The file as it is.
    Status open(std::string const& path, Way way);
    void fill(Way way);
    void clear();
    bool verify(Way way) const;
    // Collective. All variables.
    Status write(Way way);
    Status read(Way way);
    std::string report();  // Collective. Muster's, as JSON
    void close();

private:
    struct Part {
        hdf5::Handle file_space;
        hdf5::Handle memory_space;
        Shape file;  // of one byte per element
        Shape list;  // where the elements of the file's order lie in the list's
        std::size_t elements{0};
    };
    Part select(Pattern const& pattern) const;
    template <class Visit>
    void each_value(Way way, Visit const& visit) const;
    Status transfer(Way way, bool write);

    Comm comm_;
    Subject const& subject_;
    std::vector<Part> parts_;
    std::vector<std::vector<std::byte>> buffers_;
    hdf5::Handle dxpl_;
    hid_t file_{H5I_INVALID_HID};
    std::vector<hid_t> datasets_;
    double seconds_selecting_{0};
};

}  // namespace muster::bench
