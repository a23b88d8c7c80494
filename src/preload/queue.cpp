#include "preload/queue.hpp"

#include "preload/errors.hpp"

namespace muster::preload {

namespace {

// MPI calls these when the program asks for the request. Freeing must not call MPI.
int tell(void* state, MPI_Status* status) {
    auto const& ending = *static_cast<Ending const*>(state);
    set_status(status, ending.bytes);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return ending.error;
}

int free_state(void* state) {
    delete static_cast<Ending*>(state);
    return MPI_SUCCESS;
}

int cannot_cancel(void*, int) { return MPI_SUCCESS; }

}  // namespace

int completed_request(Ending const& ending, MPI_Request* request) {
    auto const error = MPI_Grequest_start(tell, free_state, cannot_cancel, new Ending{ending}, request);
    return error == MPI_SUCCESS ? MPI_Grequest_complete(*request) : error;
}

Queue::~Queue() {
    {
        std::lock_guard const lock{mutex_};
        stop_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

int Queue::start(Job job, MPI_Request* request) {
    auto* const ending = new Ending;
    auto const error = MPI_Grequest_start(tell, free_state, cannot_cancel, ending, request);
    if (error != MPI_SUCCESS) return error;
    ++unfinished_;
    std::lock_guard const lock{mutex_};
    entries_.push_back({std::move(job), ending, *request});
    if (!thread_.joinable()) thread_ = std::thread{[this] { work(); }};
    changed_.notify_all();
    return MPI_SUCCESS;
}

void Queue::wait_for_all() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return entries_.empty() && !busy_; });
}

void Queue::work() {
    std::unique_lock lock{mutex_};
    while (true) {
        changed_.wait(lock, [this] { return stop_ || !entries_.empty(); });
        if (entries_.empty()) return;
        auto entry = std::move(entries_.front());
        entries_.pop_front();
        busy_ = true;
        lock.unlock();
        *entry.ending = entry.job();
        MPI_Grequest_complete(entry.request);
        lock.lock();
        busy_ = false;
        --unfinished_;
        changed_.notify_all();
    }
}

}  // namespace muster::preload
