// One helper thread that does file access while its owner exchanges messages. It never calls MPI.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "muster/status.hpp"

namespace muster {

// Starts a thread that blocks all signals; a thread that is not joinable when there is none to be had.
using ThreadStarter = std::thread (*)(std::function<void()>);
std::thread start_quiet_thread(std::function<void()> body);

// Jobs run one after the other, in the order in which they were submitted. The thread starts with the first of them;
// where it cannot be had, jobs run in submit(). All members are for the owner's thread.
class Worker {
public:
    using Job = std::function<Status()>;
    using Ticket = std::uint64_t;

    explicit Worker(ThreadStarter starter = start_quiet_thread) : starter_{starter} {}
    ~Worker();  // does what was submitted, then ends the thread
    Worker(Worker const&) = delete;
    Worker& operator=(Worker const&) = delete;

    Ticket submit(Job job);
    // Sleeps until the job is done; how it ended. A failure is told once, and forgotten then.
    Status wait(Ticket ticket);
    bool is_done(Ticket ticket);
    bool has_thread() const { return thread_.joinable(); }

private:
    bool ensure_thread();
    void serve();
    void note_end(Status status);

    ThreadStarter starter_;
    bool refused_{false};  // there is no thread to be had
    std::thread thread_;
    std::mutex mutex_;  // guards what follows
    std::condition_variable submitted_;
    std::condition_variable ended_;
    std::deque<Job> jobs_;
    Ticket submitted_count_{0};
    Ticket ended_count_{0};
    std::map<Ticket, Status> failures_;
    bool closing_{false};
};

// The jobs of one user among all of a worker, one in each slot: nobody else hears of their failures, nor it of others'.
class WorkerSlots {
public:
    WorkerSlots(Worker& worker, std::size_t slots) : worker_{worker}, tickets_(slots) {}
    ~WorkerSlots() { (void)finish(); }
    WorkerSlots(WorkerSlots const&) = delete;
    WorkerSlots& operator=(WorkerSlots const&) = delete;

    std::size_t count() const { return tickets_.size(); }
    // Sleeps until the job before it in the slot is done.
    void submit(std::size_t slot, Worker::Job job);
    // Sleeps until the slot has no job under way. A failure is told once.
    Status wait(std::size_t slot);
    bool is_done(std::size_t slot) const { return !tickets_[slot] || worker_.is_done(*tickets_[slot]); }
    // Sleeps until all slots have none; the first failure that was not told yet.
    Status finish();

private:
    Worker& worker_;
    std::vector<std::optional<Worker::Ticket>> tickets_;
    Status untold_;  // of jobs that others followed
};

}  // namespace muster
