#include "progress.hpp"

#include <unistd.h>

#include <cstdio>

namespace muster::tool {

namespace {

constexpr auto pause = std::chrono::milliseconds{200};

}  // namespace

ProgressLine::ProgressLine(std::string what)
    : what_{std::move(what)}, terminal_{isatty(STDERR_FILENO) != 0}, next_{std::chrono::steady_clock::now() + pause} {}

ProgressLine::~ProgressLine() {
    if (terminal_) std::fprintf(stderr, "\r\033[K");
}

void ProgressLine::show(double done, std::string const& doing) {
    if (!terminal_ || std::chrono::steady_clock::now() < next_) return;
    next_ = std::chrono::steady_clock::now() + pause;
    std::fprintf(stderr, "\r\033[K%s: %.0f%% %s", what_.c_str(), 100 * done, doing.c_str());
}

}  // namespace muster::tool
