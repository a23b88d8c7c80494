// The nonblocking collective calls of one file, done by a thread of its own in the order in which they were started. One queue
// for each file: two files may be used in different order on different ranks.
#pragma once

#include <mpi.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "preload/request.hpp"

namespace muster::preload {

class Queue {
public:
    using Job = std::function<Ending()>;

    Queue() = default;
    ~Queue();
    Queue(Queue const&) = delete;
    Queue& operator=(Queue const&) = delete;

    // Local. The job runs after those before it; the request completes with it.
    int start(Job job, MPI_Request* request);
    // Waits until all jobs are done.
    void drain() {
        if (unfinished_.load(std::memory_order_acquire) != 0) wait_for_all();
    }

private:
    struct Entry {
        Job job;
        OwnRequest request;
    };
    void work();
    void wait_for_all();

    std::atomic<int> unfinished_{0};
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Entry> entries_;
    bool busy_{false};
    bool stop_{false};
    std::thread thread_;
};

}  // namespace muster::preload
