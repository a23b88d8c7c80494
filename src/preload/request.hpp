// Requests of our own: the program waits for them as for any other.
#pragma once

#include <mpi.h>

#include <memory>

#include "muster/extent.hpp"

namespace muster::preload {

// How a nonblocking call ended.
struct Ending {
    int error{MPI_SUCCESS};  // class
    Size bytes{0};
};

class OwnRequest {
public:
    // Local. An error of MPI.
    int start(MPI_Request* request);
    // Local, once, by any thread. From then on waiting for the request comes to an end.
    void complete(Ending const& ending) const;

    struct State;

private:
    std::shared_ptr<State> state_;
    MPI_Request request_{MPI_REQUEST_NULL};
};

// Local. A request that is complete from the beginning; MPI_Wait tells how.
int completed_request(Ending const& ending, MPI_Request* request);

}  // namespace muster::preload
