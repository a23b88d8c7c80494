// One helper thread that does file access while its owner exchanges messages. It never calls MPI.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

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
    // Sleeps until the job is done; how it ended. May be asked more than once, until finish().
    Status wait(Ticket ticket);
    bool is_done(Ticket ticket);
    // Sleeps until all is done; the first failure since the last finish().
    Status finish();
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

}  // namespace muster
