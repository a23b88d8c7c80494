// File access that overlaps with the exchange: windows are stored behind the rounds, and loaded ahead of them.
#pragma once

#include "engine/buffers.hpp"
#include "exchange/lists.hpp"

namespace muster {

// The aggregator's windows on their way into the file. On other ranks every call does nothing.
class WriteBehind {
public:
    WriteBehind(Call& call, RoundBuffers const& buffers);
    // The round's window, once what it held before is stored.
    std::span<std::byte> free_window(Size round);
    // The contributors must outlive this object.
    void submit(Size round, std::vector<Contributor> const& contributors);
    // Waits for all; the first failure.
    Status finish();

private:
    Call& call_;
    RoundBuffers const& buffers_;
    Status failure_;  // before storage_, whose opening may fail
    Storage* storage_{nullptr};
    WorkerSlots jobs_;                // by window
    std::shared_ptr<Size> modified_;  // groups that were read, completed and written
};

// The aggregator's windows on their way out of the file.
class ReadAhead {
public:
    ReadAhead(Call& call, RoundBuffers const& buffers);
    // Starts to load a round's window. Its buffer must be free; the contributors must outlive this object.
    void start(Size round, std::vector<Contributor> const& contributors);
    // The round's window, once it is loaded. What could not be loaded is zero, and kept as a failure.
    std::span<std::byte const> window(Size round);
    Status finish();

private:
    Call& call_;
    RoundBuffers const& buffers_;
    Status failure_;  // before storage_, whose opening may fail
    Storage* storage_{nullptr};
    WorkerSlots jobs_;  // by window
};

}  // namespace muster
