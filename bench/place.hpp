// Where runs happen: the file as the job wants to find it, and memory for what is written to it.
#pragma once

#include <string>

#include "gate.hpp"
#include "job.hpp"
#include "mpi/comm.hpp"
#include "muster/status.hpp"

namespace muster::bench {

// Memory for files that do not exist yet. A virtual machine may give memory that nobody uses back to its host every few seconds;
// whoever writes next waits ten times as long for the pages of the file, and it would be chance who that is. So on a local disk and in
// memory it is held between the runs, and freed right before a step that needs it. It is held by files of the same kind as those that are to
// be written: freed from elsewhere (huge pages, small pages) it is given only to those who ask for as much at once.
class SpareMemory {
public:
    SpareMemory(std::string const& directory, Size steps, Size step_bytes);
    ~SpareMemory();
    SpareMemory(SpareMemory const&) = delete;
    SpareMemory& operator=(SpareMemory const&) = delete;

    void hold();  // for all steps; nothing where memory is scarce
    void free_for_step();
    Size held() const { return held_; }  // steps

private:
    std::string path(Size index) const { return stem_ + std::to_string(index) + ".bin"; }

    std::string stem_;
    Size steps_;
    Size bytes_;  // held for a step
    Size held_{0};
};

class Place {
public:
    // A step of all ranks writes so many bytes.
    Place(Comm const& comm, Job const& job, Size step_bytes)
        : comm_{comm}, job_{job}, spare_{job.directory, job.steps, step_bytes} {}

    // Collective, before a run.
    Status make_way(Gate& gate, std::string const& path, Operation operation);
    void before_step(Operation operation);

private:
    bool is_new(Operation operation) const { return operation == Operation::write && !job_.overwrite; }

    Comm comm_;
    Job const& job_;
    SpareMemory spare_;  // of the first rank
};

}  // namespace muster::bench
