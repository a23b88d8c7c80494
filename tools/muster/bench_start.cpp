#include "bench_start.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

namespace muster::tool {

namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t interrupted = 0;

[[noreturn]] void become(std::vector<std::string> const& words, int output) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setpgid(0, 0);
    auto const nothing = ::open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    std::vector<char*> arguments;
    for (auto const& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
}

class Child {
public:
    explicit Child(std::vector<std::string> const& words) {
        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
        pid_ = fork();
        if (pid_ == 0) become(words, ends[1]);
        ::close(ends[1]);
        output_ = ends[0];
    }
    ~Child() {
        end();
        if (output_ >= 0) ::close(output_);
    }
    Child(Child const&) = delete;
    Child& operator=(Child const&) = delete;

    bool started() const { return pid_ > 0; }
    int output() const { return output_; }

    // How it ended by itself.
    int wait() {
        while (waitpid(pid_, &result_, 0) < 0 && errno == EINTR) {
        }
        pid_ = -1;
        return result_;
    }

    // A launcher that is asked to end takes its ranks with it; one that does not within seconds is not asked again.
    void end() {
        if (pid_ <= 0) return;
        kill(pid_, SIGTERM);
        for (int i = 0; i < 100; ++i) {
            if (waitpid(pid_, &result_, WNOHANG) == pid_) {
                pid_ = -1;
                return;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds{50});
        }
        kill(-pid_, SIGKILL);
        wait();
    }

private:
    pid_t pid_{-1};
    int output_{-1};
    int result_{0};
};

// Cuts what comes into lines.
class Lines {
public:
    explicit Lines(std::function<void(std::string const&)> const& hear) : hear_{hear} {}

    void add(char const* bytes, std::size_t count) {
        rest_.append(bytes, count);
        for (auto end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n')) {
            hear_(rest_.substr(0, end));
            rest_.erase(0, end + 1);
        }
    }

private:
    std::function<void(std::string const&)> const& hear_;
    std::string rest_;
};

enum class Heard { something, nothing_yet, the_end };

Heard listen(int output, Lines& lines) {
    pollfd watched{output, POLLIN, 0};
    if (poll(&watched, 1, 200) <= 0) return Heard::nothing_yet;
    std::array<char, 65536> bytes{};
    auto const count = read(output, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) return Heard::nothing_yet;
    if (count <= 0) return Heard::the_end;
    lines.add(bytes.data(), static_cast<std::size_t>(count));
    return Heard::something;
}

Status hear_out(Child& child, Listener const& listener) {
    Lines lines{listener.hear};
    auto heard_last = Clock::now();
    for (auto heard = Heard::something; heard != Heard::the_end; heard = listen(child.output(), lines)) {
        if (interrupted != 0) return {Code::io, "interrupted"};
        if (auto const status = listener.check ? listener.check() : Status{}; !status.ok()) return status;
        if (heard == Heard::something) heard_last = Clock::now();
        if (Clock::now() - heard_last > std::chrono::seconds{listener.timeout}) {
            return {Code::io,
                    "nothing heard for " + std::to_string(listener.timeout) + " s; --timeout allows for more"};
        }
    }
    return {};
}

Status verdict(int result, std::string const& name) {
    if (WIFEXITED(result) && WEXITSTATUS(result) == 0) return {};
    if (WIFEXITED(result) && WEXITSTATUS(result) == 127) return {Code::not_found, "cannot start " + name};
    if (WIFEXITED(result)) return {Code::io, name + " ended with status " + std::to_string(WEXITSTATUS(result))};
    return {Code::io, name + " was ended by signal " + std::to_string(WTERMSIG(result))};
}

}  // namespace

SignalWatch::SignalWatch() {
    struct sigaction action {};
    action.sa_handler = [](int signal) { interrupted = signal; };
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &action, &before_[i]);
}

SignalWatch::~SignalWatch() {
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
}

Status run_program(std::vector<std::string> const& words, Listener const& listener) {
    SignalWatch const watch;
    Child child{words};
    if (!child.started()) return system_status(errno, "cannot start " + words[0]);
    if (auto const status = hear_out(child, listener); !status.ok()) return status;
    return verdict(child.wait(), words[0]);
}

}  // namespace muster::tool
