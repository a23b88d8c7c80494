// The least that it can cost: two processes that write or read the same bytes, one half each, contiguously.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "gate.hpp"
#include "job.hpp"
#include "place.hpp"
#include "posix.hpp"

namespace muster::bench {

class Floor {
public:
    // Steps as those of the back ends: of so many bytes, and so far apart in the file.
    struct Steps {
        Size count{1};
        Size bytes{0};
        Size distance{0};
    };
    Floor(Comm const& comm, Place& place, Steps const& steps, std::span<std::byte> others);

    // Touches its own memory and that of the others, so that each run of anybody finds as much of either in the processor's caches. Large
    // ones would else hold what the last run used, and whoever comes second in a row takes a quarter less time.
    void level_caches();

    // Collective. With the block size that was best so far; ends at the first step that fails.
    std::vector<Measured> run(Gate& gate, Job const& job, std::string const& path, Operation operation);

private:
    struct Attempt {
        std::string const& path;
        Operation operation;
        Size block;
        bool writes() const { return operation == Operation::write; }
    };
    Size best_block(Operation operation);
    std::vector<Measured> run_once(Gate& gate, Job const& job, Attempt const& attempt);
    void renew_buffer(Attempt const& attempt, Size step);
    Status transfer(PosixFile& file, Attempt const& attempt, Size step);
    Offset offset_of(Size step) const { return mine_.offset + step * steps_.distance; }

    Comm comm_;
    Place& place_;
    Steps steps_;
    Extent mine_;  // empty but for two ranks
    std::vector<std::byte> buffer_;
    std::span<std::byte> others_;                                     // what the back ends write from and read into
    std::map<Operation, std::map<Size, std::vector<double>>> times_;  // seconds of each run, by block size
};

// Collective. A file of so many bytes with the contents of a pass, written by all ranks, contiguously.
Status prepare_file(Comm const& comm, std::string const& path, Size bytes, std::uint64_t pass);

}  // namespace muster::bench
