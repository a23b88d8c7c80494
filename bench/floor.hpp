// The least that it can cost: two processes that write or read the same bytes, one half each, contiguously.
#pragma once

#include <map>
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
    Floor(Comm const& comm, Place& place, Steps const& steps);

    // Collective. With the block size that was best so far; ends at the first step that fails.
    std::vector<Measured> run(Gate& gate, Job const& job, std::string const& path, Operation operation);

private:
    struct Attempt {
        std::string const& path;
        Operation operation;
        Size block;
        bool writes() const { return operation == Operation::write; }
    };
    std::vector<Measured> run_once(Gate& gate, Job const& job, Attempt const& attempt);
    void renew_buffer(Attempt const& attempt, Size step);
    Status transfer(PosixFile& file, Attempt const& attempt, Size step);
    Offset offset_of(Size step) const { return mine_.offset + step * steps_.distance; }

    Comm comm_;
    Place& place_;
    Steps steps_;
    Extent mine_;  // empty but for two ranks
    std::vector<std::byte> buffer_;
    std::map<Operation, std::map<Size, std::vector<double>>> times_;  // seconds of each run, by block size
};

// Collective. A file of so many bytes with the contents of a pass, written by all ranks, contiguously.
Status prepare_file(Comm const& comm, std::string const& path, Size bytes, std::uint64_t pass);

}  // namespace muster::bench
