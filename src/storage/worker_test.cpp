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
    EXPECT_TRUE(worker.finish().ok());
    EXPECT_FALSE(worker.has_thread());
    auto const ticket = worker.submit([] { return Status{}; });
    EXPECT_TRUE(worker.has_thread());
    EXPECT_TRUE(worker.wait(ticket).ok());
}

TEST(Worker, runs_jobs_in_their_order_in_another_thread) {
    Worker worker;
    std::vector<int> order;
    for (int i = 0; i < 1000; ++i) {
        worker.submit([&order, i, owner = std::this_thread::get_id()] {
            order.push_back(i);
            return std::this_thread::get_id() == owner ? failure(i) : Status{};
        });
    }
    EXPECT_TRUE(worker.finish().ok());
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

TEST(Worker, tells_how_each_job_ended) {
    Worker worker;
    auto const first = worker.submit([] { return Status{}; });
    auto const second = worker.submit([] { return failure(2); });
    auto const third = worker.submit([] { return failure(3); });
    EXPECT_EQ(worker.wait(third).message(), "job 3");
    EXPECT_TRUE(worker.wait(first).ok());
    EXPECT_EQ(worker.wait(second).message(), "job 2");
    EXPECT_EQ(worker.wait(second).message(), "job 2");
    EXPECT_EQ(worker.finish().message(), "job 2");
}

TEST(Worker, starts_afresh_after_finish) {
    Worker worker;
    worker.submit([] { return failure(1); });
    EXPECT_FALSE(worker.finish().ok());
    EXPECT_TRUE(worker.finish().ok());
    worker.submit([] { return failure(2); });
    EXPECT_EQ(worker.finish().message(), "job 2");
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
        EXPECT_EQ(worker.wait(other).code(), Code::internal);
        EXPECT_NE(worker.wait(other).message().find("surprise"), std::string::npos);
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
    EXPECT_EQ(worker.finish().message(), "job 2");
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

}  // namespace
}  // namespace muster
