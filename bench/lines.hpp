// What the program says: one JSON object per line.
//   {"type":"job","mpi":"...","ranks":16,"bytes":..,"pieces":..,"in_memory":true}
//   {"type":"progress","done":3,"of":24,"doing":"write by muster"}
//   {"type":"sample","operation":"write","back_end":"muster","run":0,"open_s":..,"close_s":..,"steps_s":[..],
//    "steps_cpu_s":[..],"verified":true,"error":""}
//   {"type":"report","operation":"write","back_end":"muster","report":{..}}
//   {"type":"end","verified":true,"skipped":0}
#pragma once

#include "access.hpp"
#include "gate.hpp"

namespace muster::bench {

struct Sample {
    Operation operation{Operation::write};
    std::string back_end;
    int run{0};  // negative: a warm-up
    double open_seconds{0};
    std::vector<double> step_seconds;
    double close_seconds{0};
    std::vector<double> step_cpu_seconds;  // of all ranks
    Status status;                         // verified when ok
};

std::string sample_line(Sample const& sample);
std::string progress_line(int done, int of, std::string const& doing);
std::string report_line(Sample const& sample, std::string const& report);
std::string job_line(Comm const& comm, Access const& access, bool in_memory);
std::string end_line(bool verified, int skipped);
std::string error_line(Status const& status);

}  // namespace muster::bench
