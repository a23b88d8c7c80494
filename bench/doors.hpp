// The ways to a file that are compared. All go through the same file types, with the same buffer.
#pragma once

#include <memory>

#include "access.hpp"
#include "muster/file.hpp"

namespace muster::bench {

// What all doors get.
struct Errand {
    MPI_Comm comm{MPI_COMM_NULL};
    std::string path;
    Operation operation{Operation::write};
    bool sync{false};
    bool report{false};  // what Muster has to say is kept: that takes time
};

// All functions are collective; the verdict is this rank's own.
class Door {
public:
    virtual ~Door() = default;
    virtual Status open() = 0;
    // Moves the buffer to or from the place of a step, in one call per part. Steps come in order.
    virtual Status transfer(Access& access, Size step) = 0;
    // Collective. What Muster has to say about the calls of the last transfer, added up, as JSON.
    virtual std::string report() { return {}; }
    virtual Status close() = 0;
};

std::unique_ptr<Door> make_door(BackEnd const& back_end, Errand errand);
std::unique_ptr<Door> native_door(BackEnd const& back_end, Errand errand);
std::unique_ptr<Door> muster_door(BackEnd const& back_end, Errand errand);

}  // namespace muster::bench
