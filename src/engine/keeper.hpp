// Looks after the windows of one domain while other ranks fill or empty them: stores what is full, loads what is wanted.
#pragma once

#include <atomic>
#include <thread>

#include "engine/window_space.hpp"
#include "exchange/lists.hpp"

namespace muster {

// Added to the rounds of a domain whose file cannot be read: its windows hold nothing to rely on.
inline constexpr Size spoiled = Size{1} << 40;

// What fits into the windows at once and is soon stored is not worth a thread. The same answer on all ranks.
bool little(Plan const& plan, WindowSpace const& space);

// For the ranks that aggregate.
class Keeper {
public:
    Keeper(Session& session, Plan const& plan, WindowSpace& space);
    ~Keeper();
    Keeper(Keeper const&) = delete;
    Keeper& operator=(Keeper const&) = delete;

    // What the ranks will bring or take. Again, once it is known what they have brought; only while not running alone.
    void expect(std::vector<Contributor> contributors);
    // The same for windows that are covered from end to end: all that is known of each is in `sums`, by WindowSpace::index_of.
    void expect_whole(std::span<WindowShare const> sums);
    // Opens the file: a failure is told in the end, as those of reading and writing. A thread of its own does the work from now
    // on, where the space allows it and there is one to be had. What is little is loaded now, or stored when this rank comes by.
    void begin();
    // Reads: all rounds at once, where there is a window for each.
    void load_all();
    bool alone() const { return thread_.joinable(); }
    // The thread ends, after what it is doing.
    void stop();
    // Does what can be done now; true if there was something. Not while running alone.
    bool step();
    int domain() const { return domain_; }
    bool done() const { return finished_.load(std::memory_order_acquire) >= plan_.rounds; }
    // Waits for file access under way. The first failure.
    Status finish();

private:
    struct PartWork {
        Offset place{0};  // in the window
        Extent part;
        std::vector<Extent> extents;
    };
    std::vector<PartWork> work_of(Size round) const;
    Size expected(Size round) const { return expected_[static_cast<std::size_t>(round)]; }
    bool write_step();
    bool read_step();
    bool complete_first();
    bool announce_loaded();
    bool collect(Size round);
    void start(Size round);
    Status access(Size round);
    std::size_t slot(Size round) const { return static_cast<std::size_t>(round % space_.layout().windows); }

    Session& session_;
    Plan const& plan_;
    WindowSpace& space_;
    int domain_;
    Storage* storage_{nullptr};  // null: it cannot be opened
    Status opening_;
    std::vector<Contributor> contributors_;
    bool whole_{false};              // windows are covered from end to end: nobody needs to know by whom
    std::vector<Size> expected_;     // bytes of each round
    Size started_{0};                // rounds whose file access was begun
    std::atomic<Size> finished_{0};  // rounds that are over: stored, or loaded and taken by all
    Size loaded_{0};                 // reads: rounds that lie in windows
    bool told_spoiled_{false};
    Status failure_;
    WorkerSlots jobs_;
    std::thread thread_;
    std::atomic<bool> stopping_{false};
};

}  // namespace muster
