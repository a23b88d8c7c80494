#include "gate.hpp"

#include <pthread.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <new>

#include "mpi/agree.hpp"

namespace muster::bench {

namespace {

constexpr double nanosecond = 1e-9;
constexpr double waking = 0.002;            // seconds to get to the start
constexpr double waking_of_a_rank = 50e-6;  // and on top for each rank
constexpr double hearing = 0.1;             // and on top for all to hear of it, on several machines

double seconds_of(timeval const& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

void sleep_until(double moment) {
    auto const whole = std::floor(moment);
    timespec const time{static_cast<time_t>(whole), static_cast<long>((moment - whole) / nanosecond)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) != 0) {
    }
}

bool on_one_machine(Comm const& comm) {
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(comm.handle, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    Size size = Comm::of(node).size;
    MPI_Comm_free(&node);
    reduce_all(comm, {&size, 1}, MPI_MIN);
    return size == comm.size;
}

// For ranks on several machines: looks a hundred times a second.
bool done_until(MPI_Request& request, double moment) {
    timespec const nap{0, 10'000'000};
    for (int done = 0; done == 0;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done == 0 && now() > moment) return false;
        if (done == 0) nanosleep(&nap, nullptr);
    }
    return true;
}

// Collective. How far this rank's clock is behind rank 0's: of many questions the one that was answered most quickly tells best.
double behind_first(Comm const& comm) {
    constexpr int questions = 20;
    double behind = 0;
    for (Rank rank = 1; rank < comm.size; ++rank) {
        auto quickest = std::numeric_limits<double>::max();
        for (int i = 0; i < questions; ++i) {
            auto answer = now();
            if (comm.rank == 0) {
                MPI_Recv(nullptr, 0, MPI_BYTE, rank, 0, comm.handle, MPI_STATUS_IGNORE);
                answer = now();
                MPI_Send(&answer, 1, MPI_DOUBLE, rank, 0, comm.handle);
            } else if (comm.rank == rank) {
                auto const asked = now();
                MPI_Send(nullptr, 0, MPI_BYTE, 0, 0, comm.handle);
                MPI_Recv(&answer, 1, MPI_DOUBLE, 0, 0, comm.handle, MPI_STATUS_IGNORE);
                auto const took = now() - asked;
                if (took < quickest) behind = answer - (asked + took / 2);
                quickest = std::min(quickest, took);
            }
        }
    }
    return behind;
}

}  // namespace

struct Gate::Shared {
    pthread_barrier_t barrier;
    std::atomic<int> arrivals{0};  // of all ranks, since the beginning

    explicit Shared(int ranks) : barrier{} {
        pthread_barrierattr_t attributes{};
        pthread_barrierattr_init(&attributes);
        pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
        pthread_barrier_init(&barrier, &attributes, static_cast<unsigned>(ranks));
        pthread_barrierattr_destroy(&attributes);
    }
};

Gate::Gate(Comm const& comm) : comm_{comm} {
    if (!on_one_machine(comm)) {
        behind_ = behind_first(comm);
        return;
    }
    void* mine = nullptr;
    MPI_Win_allocate_shared(comm.rank == 0 ? sizeof(Shared) : 0, 1, MPI_INFO_NULL, comm.handle, &mine, &window_);
    MPI_Aint size = 0;
    int unit = 0;
    MPI_Win_shared_query(window_, 0, &size, &unit, &mine);
    if (comm.rank == 0) new (mine) Shared{comm.size};
    barrier(comm);
    shared_ = static_cast<Shared*>(mine);
}

void Gate::close() {
    shared_ = nullptr;
    if (window_ != MPI_WIN_NULL) MPI_Win_free(&window_);
}

void Gate::wait() {
    arrive();
    pass();
}

Status Gate::agree(Status const& status) {
    wait();
    return muster::agree(comm_, status);
}

void Gate::arrive() {
    ++passed_;
    if (shared_ != nullptr) {
        ++shared_->arrivals;
    } else {
        MPI_Ibarrier(comm_.handle, &request_);
    }
}

void Gate::pass() {
    if (shared_ != nullptr) {
        pthread_barrier_wait(&shared_->barrier);
    } else {
        done_until(request_, std::numeric_limits<double>::max());
    }
}

bool Gate::all_arrive_until(double moment) {
    if (shared_ == nullptr) return done_until(request_, moment);
    timespec const nap{0, 10'000'000};
    while (shared_->arrivals < passed_ * comm_.size && now() < moment) nanosleep(&nap, nullptr);
    return shared_->arrivals >= passed_ * comm_.size;
}

void Gate::wait_after(Status const& failure) {
    arrive();
    if (!all_arrive_until(now() + patience) && give_up) give_up(failure);
    pass();
}

void Gate::start_together() {
    wait();
    auto start = moment();
    reduce_all(comm_, &start, MPI_DOUBLE, MPI_MAX);
    start += waking + waking_of_a_rank * comm_.size;
    if (shared_ != nullptr) {
        wait();
    } else {
        start += hearing;
    }
    sleep_until(start - behind_);
}

double now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + nanosecond * static_cast<double>(time.tv_nsec);
}

Measured measure(Gate& gate, Comm const& comm, std::function<Status()> const& action) {
    gate.start_together();
    auto cpu = cpu_seconds();
    auto start = gate.moment();
    auto const status = action();
    auto end = gate.moment();
    cpu = cpu_seconds() - cpu;
    if (status.ok()) {
        gate.wait();
    } else {
        gate.wait_after(status);
    }
    reduce_all(comm, &start, MPI_DOUBLE, MPI_MIN);
    reduce_all(comm, &end, MPI_DOUBLE, MPI_MAX);
    reduce_all(comm, &cpu, MPI_DOUBLE, MPI_SUM);
    return {end - start, cpu, agree(comm, status)};
}

}  // namespace muster::bench
