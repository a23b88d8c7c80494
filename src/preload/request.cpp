#include "preload/request.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "mpi/wait.hpp"
#include "preload/errors.hpp"

namespace muster::preload {

struct OwnRequest::State {
    Ending ending;
    std::atomic<bool> complete{false};
};

namespace {

using Kept = std::shared_ptr<OwnRequest::State>;

// MPI calls these when the program asks for the request. Freeing must not call MPI.
int tell(void* state, MPI_Status* status) {
    auto const& ending = (*static_cast<Kept*>(state))->ending;
    set_status(status, ending.bytes);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return ending.error;
}

int free_state(void* state) {
    delete static_cast<Kept*>(state);
    return MPI_SUCCESS;
}

int cannot_cancel(void*, int) { return MPI_SUCCESS; }

// Of all requests: somebody has become complete.
struct Bell {
    std::mutex mutex;
    std::condition_variable rung;
};
Bell& bell() {
    static auto* const kept = new Bell;  // threads may still wait when the process ends
    return *kept;
}

#ifdef OPEN_MPI

int start_request(Kept* state, MPI_Request* request) {
    return MPI_Grequest_start(tell, free_state, cannot_cancel, state, request);
}

#else

int look(void*, MPI_Status*) { return MPI_SUCCESS; }

// Sleeps, and lets MPI move on now and then: others may wait for a message of this rank before they come.
void wait_for(OwnRequest::State const& state) {
    std::unique_lock lock{bell().mutex};
    while (!state.complete) {
        bell().rung.wait_for(lock, std::chrono::microseconds{100});
        lock.unlock();
        move_messages_on();
        lock.lock();
    }
}

int wait_for_all(int count, void** states, double, MPI_Status*) {
    for (int i = 0; i < count; ++i) wait_for(**static_cast<Kept*>(states[i]));
    return MPI_SUCCESS;
}

// MPICH's own MPI_Waitall ends the program when it meets a plain generalized request beside MPI_REQUEST_NULL, and spins
// while it waits; for those that know how to wait it does neither.
int start_request(Kept* state, MPI_Request* request) {
    return MPIX_Grequest_start(tell, free_state, cannot_cancel, look, wait_for_all, state, request);
}

#endif

}  // namespace

int OwnRequest::start(MPI_Request* request) {
    state_ = std::make_shared<State>();
    auto* const kept = new Kept{state_};
    auto const error = start_request(kept, request);
    if (error != MPI_SUCCESS) delete kept;
    request_ = *request;
    return error;
}

void OwnRequest::complete(Ending const& ending) const {
    state_->ending = ending;
    MPI_Grequest_complete(request_);
    std::lock_guard const lock{bell().mutex};
    state_->complete = true;
    bell().rung.notify_all();
}

int completed_request(Ending const& ending, MPI_Request* request) {
    OwnRequest own;
    auto const error = own.start(request);
    if (error == MPI_SUCCESS) own.complete(ending);
    return error;
}

}  // namespace muster::preload
