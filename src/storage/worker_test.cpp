#include "storage/worker.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace muster {
namespace {

Status failure(int number) { return {Code::io, "job " + std::to_string(number)}; }

std::thread no_thread(std::function<void()>) { return {}; }

TEST(Worker, needs_no_thread_before_the_first_job) {
    Worker worker;
    EXPECT_FALSE(worker.has_thread());
    auto const ticket = worker.submit([] { return Status{}; });
    EXPECT_TRUE(worker.has_thread());
    EXPECT_TRUE(worker.wait(ticket).ok());
}

TEST(Worker, runs_jobs_in_their_order_in_another_thread) {
    Worker worker;
    std::vector<int> order;
    std::vector<Worker::Ticket> tickets;
    for (int i = 0; i < 1000; ++i) {
        tickets.push_back(worker.submit([&order, i, owner = std::this_thread::get_id()] {
            order.push_back(i);
            return std::this_thread::get_id() == owner ? failure(i) : Status{};
        }));
    }
    for (auto const ticket : tickets) EXPECT_TRUE(worker.wait(ticket).ok());
    ASSERT_EQ(order.size(), 1000U);
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(Worker, lets_its_owner_go_on_meanwhile) {
    Worker worker;
    std::atomic<bool> go{false};
    auto const ticket = worker.submit([&] {
        while (!go) std::this_thread::yield();
        return Status{};
    });
    go = true;  // would never be reached if submit() ran the job
    EXPECT_TRUE(worker.wait(ticket).ok());
}

TEST(Worker, tells_once_how_each_job_ended) {
    Worker worker;
    auto const first = worker.submit([] { return Status{}; });
    auto const second = worker.submit([] { return failure(2); });
    auto const third = worker.submit([] { return failure(3); });
    EXPECT_EQ(worker.wait(third).message(), "job 3");
    EXPECT_TRUE(worker.wait(first).ok());
    EXPECT_EQ(worker.wait(second).message(), "job 2");
    EXPECT_TRUE(worker.wait(second).ok());
}

TEST(Worker, does_what_was_submitted_before_it_ends) {
    int done = 0;
    {
        Worker worker;
        for (int i = 0; i < 20; ++i) {
            worker.submit([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds{1});
                ++done;
                return Status{};
            });
        }
    }
    EXPECT_EQ(done, 20);
}

TEST(Worker, turns_exceptions_into_statuses) {
    for (auto const starter : {start_quiet_thread, no_thread}) {
        Worker worker{starter};
        auto const memory = worker.submit([]() -> Status { throw std::bad_alloc{}; });
        auto const other = worker.submit([]() -> Status { throw std::runtime_error{"surprise"}; });
        EXPECT_EQ(worker.wait(memory).code(), Code::out_of_memory);
        auto const surprise = worker.wait(other);
        EXPECT_EQ(surprise.code(), Code::internal);
        EXPECT_NE(surprise.message().find("surprise"), std::string::npos);
    }
}

TEST(Worker, runs_jobs_itself_where_there_is_no_thread) {
    Worker worker{no_thread};
    std::thread::id runner;
    auto const first = worker.submit([&] {
        runner = std::this_thread::get_id();
        return Status{};
    });
    EXPECT_EQ(runner, std::this_thread::get_id());
    auto const second = worker.submit([] { return failure(2); });
    EXPECT_FALSE(worker.has_thread());
    EXPECT_TRUE(worker.wait(first).ok());
    EXPECT_EQ(worker.wait(second).message(), "job 2");
}

TEST(Worker, blocks_all_signals_in_its_thread_and_none_in_its_owner) {
    Worker worker;
    auto const blocked = [] {
        sigset_t mask;
        pthread_sigmask(SIG_SETMASK, nullptr, &mask);
        return sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGALRM) == 1;
    };
    auto const ticket = worker.submit([&] { return blocked() ? Status{} : failure(1); });
    EXPECT_TRUE(worker.wait(ticket).ok());
    EXPECT_FALSE(blocked());
}

TEST(Worker, gives_back_what_a_job_holds_before_its_end_is_known) {
    Worker worker;
    auto held = std::make_shared<int>(1);
    auto const ticket = worker.submit([held] { return Status{}; });
    ASSERT_TRUE(worker.wait(ticket).ok());
    EXPECT_EQ(held.use_count(), 1);
}

TEST(WorkerSlots, of_one_user_leave_the_failures_of_another_to_it) {
    for (auto const starter : {start_quiet_thread, no_thread}) {
        Worker worker{starter};
        WorkerSlots first{worker, 2}, second{worker, 2};
        first.submit(0, [] { return failure(1); });
        second.submit(0, [] { return Status{}; });
        {
            WorkerSlots third{worker, 1};
            third.submit(0, [] { return failure(3); });
        }
        EXPECT_TRUE(second.finish().ok());
        EXPECT_TRUE(second.wait(0).ok());
        EXPECT_TRUE(first.is_done(0));
        EXPECT_EQ(first.finish().message(), "job 1");
        EXPECT_TRUE(first.finish().ok());
    }
}

TEST(WorkerSlots, tell_the_first_failure_whichever_slot_it_is_in) {
    Worker worker;
    WorkerSlots slots{worker, 3};
    slots.submit(2, [] { return failure(1); });
    slots.submit(0, [] { return failure(2); });
    slots.submit(1, [] { return Status{}; });
    EXPECT_EQ(slots.finish().message(), "job 1");
    slots.submit(1, [] { return failure(3); });
    slots.submit(0, [] { return failure(4); });
    EXPECT_EQ(slots.wait(0).message(), "job 4");
    slots.submit(1, [] { return Status{}; });  // nobody has asked for the one before it
    EXPECT_EQ(slots.finish().message(), "job 3");
    EXPECT_TRUE(slots.finish().ok());
}

TEST(WorkerSlots, that_go_wait_for_their_jobs) {
    Worker worker;
    int done = 0;
    {
        WorkerSlots slots{worker, 2};
        for (std::size_t i = 0; i < 8; ++i) {
            slots.submit(i % 2, [&] {
                std::this_thread::sleep_for(std::chrono::milliseconds{1});
                ++done;
                return Status{};
            });
        }
    }
    EXPECT_EQ(done, 8);
}

}  // namespace
}  // namespace muster
