#include "preload/queue.hpp"

namespace muster::preload {

Queue::~Queue() {
    {
        std::lock_guard const lock{mutex_};
        stop_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

int Queue::start(Job job, MPI_Request* request) {
    OwnRequest own;
    if (auto const error = own.start(request); error != MPI_SUCCESS) return error;
    ++unfinished_;
    std::lock_guard const lock{mutex_};
    entries_.push_back({std::move(job), std::move(own)});
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
        entry.request.complete(entry.job());
        lock.lock();
        busy_ = false;
        --unfinished_;
        changed_.notify_all();
    }
}

}  // namespace muster::preload
