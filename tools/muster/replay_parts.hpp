// A capture, as the plans and benchmarks that replay it: one for the writes and one for the reads of each file.
#pragma once

#include <memory>

#include "bench_request.hpp"
#include "capture/capture.hpp"
#include "plan_output.hpp"

namespace muster::tool {

// As on the command line.
struct ReplayRequest {
    std::string capture;
    std::string only;  // files with this in their names
    std::string order;
    std::string ranks_per_node;
    std::string machine;
    std::vector<std::string> hints;  // name=value, on top of those of the capture
    Size most{20};                   // files and operations, those with most bytes; 0: all
    bool list{false};
    bool plan{false};
    bool json{false};
    std::string calls{"0"};
    BenchRequest bench;  // what is said about running it
};

struct ReplayPart {
    std::size_t file{0};
    bool write{true};
    Size calls{0};
    Size bytes{0};
    Size pieces{0};
};

struct Replay {
    ReplayRequest request;
    std::shared_ptr<Capture const> capture;
    std::vector<ReplayPart> parts;
    std::size_t left_out{0};  // parts beyond the most that are wanted

    CapturedFile const& file(ReplayPart const& part) const { return capture->files()[part.file]; }
    std::string title(ReplayPart const& part) const;  // "write of state.bin"
};

Result<Replay> open_replay(ReplayRequest request);

// What one of its parts would do, as 'muster plan --json' tells it; `file` is in it.
struct PlannedPart {
    PlanRequest request;
    PlanSubject subject;
    Study study;
};
Result<PlannedPart> plan_part(Replay const& replay, ReplayPart const& part);
Json to_json(Replay const& replay, ReplayPart const& part, PlannedPart const& planned);

// One that measures it.
BenchRequest bench_of(Replay const& replay, ReplayPart const& part);

}  // namespace muster::tool
