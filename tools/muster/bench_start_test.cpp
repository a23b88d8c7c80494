#include "bench_start.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

namespace muster::tool {
namespace {

struct Heard {
    std::vector<std::string> lines;
    Status run(std::string const& script, int timeout = 30) {
        return run_program({"sh", "-c", script},
                           {[this](std::string const& line) { lines.push_back(line); }, {}, timeout});
    }
};

TEST(Program, is_heard_line_by_line) {
    Heard heard;
    EXPECT_TRUE(heard.run("echo one; printf t; echo wo").ok());
    EXPECT_EQ(heard.lines, (std::vector<std::string>{"one", "two"}));
}

TEST(Program, that_fails_or_is_not_there_is_an_error) {
    Heard heard;
    EXPECT_FALSE(heard.run("exit 3").ok());
    EXPECT_FALSE(heard.run("kill -9 $$").ok());
    EXPECT_EQ(run_program({"/no/such/program"}, {[](std::string const&) {}}).code(), Code::not_found);
}

TEST(Program, that_says_nothing_is_ended) {
    Heard heard;
    auto const begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(heard.run("exec sleep 60", 1).ok());
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{20});
}

TEST(Program, is_ended_when_we_have_enough_of_it) {
    std::vector<std::string> lines;
    Listener const listener{[&](std::string const& line) { lines.push_back(line); },
                            [&] {
                                return lines.empty() ? Status{} : Status{Code::io, "enough"};
                            }};
    EXPECT_EQ(run_program({"sh", "-c", "echo $$; exec sleep 60"}, listener).message(), "enough");
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_FALSE(std::filesystem::exists("/proc/" + lines[0]));
}

TEST(Program, is_ended_by_a_signal_to_us) {
    Heard heard;
    auto const self = getpid();
    std::thread interrupt{[&] {
        std::this_thread::sleep_for(std::chrono::milliseconds{300});
        kill(self, SIGTERM);
    }};
    auto const status = heard.run("echo $$; exec sleep 60");
    interrupt.join();
    EXPECT_FALSE(status.ok());
    ASSERT_EQ(heard.lines.size(), 1u);
    EXPECT_FALSE(std::filesystem::exists("/proc/" + heard.lines[0]));
}

}  // namespace
}  // namespace muster::tool
