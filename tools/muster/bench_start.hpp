// Starts a program and hears what it says. Whatever ends us ends it, too.
#pragma once

#include <array>
#include <csignal>
#include <functional>
#include <string>
#include <vector>

#include "muster/status.hpp"

namespace muster::tool {

// Notes the signals that end programs, for as long as it lives: what was begun can be cleared away.
class SignalWatch {
public:
    SignalWatch();
    ~SignalWatch();
    SignalWatch(SignalWatch const&) = delete;
    SignalWatch& operator=(SignalWatch const&) = delete;

private:
    static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
    std::array<struct sigaction, signals.size()> before_{};
};

struct Listener {
    std::function<void(std::string const&)> hear;  // a line
    std::function<Status()> check{};               // asked several times a second; an error ends the program
    int timeout{300};                              // seconds without a line
};

// Runs the words as a command, with its standard output line by line to the listener. An error when it cannot be started, says
// nothing for too long, is interrupted (SIGINT, SIGTERM, SIGHUP to us), or does not end well.
Status run_program(std::vector<std::string> const& words, Listener const& listener);

}  // namespace muster::tool
