#include "storage/worker.hpp"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <cassert>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

namespace muster {

namespace {

// A thread inherits the mask of the one that starts it.
class BlockedSignals {
public:
    BlockedSignals() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    BlockedSignals(BlockedSignals const&) = delete;
    BlockedSignals& operator=(BlockedSignals const&) = delete;

private:
    sigset_t before_;
};

Status run(Worker::Job const& job) {
    try {
        return job();
    } catch (std::bad_alloc const&) {
        return {Code::out_of_memory, "out of memory during file access"};
    } catch (std::exception const& error) {
        return {Code::internal, std::string{"file access threw: "} + error.what()};
    }
}

}  // namespace

std::thread start_quiet_thread(std::function<void()> body) {
    BlockedSignals const blocked;
    try {
        return std::thread{std::move(body)};
    } catch (std::system_error const&) {
        return {};
    }
}

Worker::~Worker() {
    if (!thread_.joinable()) return;
    {
        std::lock_guard const guard{mutex_};
        closing_ = true;
    }
    submitted_.notify_one();
    thread_.join();
}

Worker::Ticket Worker::submit(Job job) {
    if (!ensure_thread()) {
        note_end(run(job));
        return submitted_count_++;
    }
    std::unique_lock guard{mutex_};
    jobs_.push_back(std::move(job));
    auto const ticket = submitted_count_++;
    guard.unlock();
    submitted_.notify_one();
    return ticket;
}

Status Worker::wait(Ticket ticket) {
    std::unique_lock guard{mutex_};
    assert(ticket < submitted_count_);
    ended_.wait(guard, [&] { return ended_count_ > ticket; });
    auto failure = failures_.extract(ticket);
    return failure ? std::move(failure.mapped()) : Status{};
}

bool Worker::is_done(Ticket ticket) {
    std::lock_guard const guard{mutex_};
    return ended_count_ > ticket;
}

bool Worker::ensure_thread() {
    if (thread_.joinable()) return true;
    if (!refused_) thread_ = starter_([this] { serve(); });
    refused_ = !thread_.joinable();
    return !refused_;
}

void Worker::serve() {
    std::unique_lock guard{mutex_};
    while (true) {
        submitted_.wait(guard, [&] { return closing_ || !jobs_.empty(); });
        if (jobs_.empty()) return;
        auto job = std::move(jobs_.front());
        jobs_.pop_front();
        guard.unlock();
        auto status = run(job);
        job = nullptr;  // what it holds is free before anybody hears of its end
        note_end(std::move(status));
        guard.lock();
    }
}

void Worker::note_end(Status status) {
    {
        std::lock_guard const guard{mutex_};
        if (!status.ok()) failures_.emplace(ended_count_, std::move(status));
        ++ended_count_;
    }
    ended_.notify_all();
}

void WorkerSlots::submit(std::size_t slot, Worker::Job job) {
    untold_ = first_failure(untold_, wait(slot));
    tickets_[slot] = worker_.submit(std::move(job));
}

Status WorkerSlots::wait(std::size_t slot) {
    auto const ticket = std::exchange(tickets_[slot], {});
    return ticket ? worker_.wait(*ticket) : Status{};
}

Status WorkerSlots::finish() {
    std::sort(tickets_.begin(), tickets_.end());  // as they were submitted
    auto failure = std::exchange(untold_, {});
    for (std::size_t slot = 0; slot < tickets_.size(); ++slot) failure = first_failure(failure, wait(slot));
    return failure;
}

}  // namespace muster
