// One line on the terminal that says how far long work is. Nothing where standard error is no terminal.
#pragma once

#include <chrono>
#include <string>

namespace muster::tool {

class ProgressLine {
public:
    explicit ProgressLine(std::string what);
    ~ProgressLine();  // wipes the line
    ProgressLine(ProgressLine const&) = delete;
    ProgressLine& operator=(ProgressLine const&) = delete;

    void show(double done, std::string const& doing = {});  // from 0 to 1

private:
    std::string what_;
    bool terminal_;
    std::chrono::steady_clock::time_point next_;
};

}  // namespace muster::tool
