// The environment of the process: the only place that looks at it.
#pragma once

#include <optional>
#include <string_view>

#include "core/hints.hpp"

namespace muster {

std::optional<std::string> environment_variable(std::string const& name);

// "0", "off", "no" or "false".
bool is_off(std::string_view value);

// All variables whose name starts so, sorted by name.
std::vector<HintPair> environment_variables(std::string_view prefix);

// Sets every hint that has a variable: MUSTER_WINDOW is muster_window. To be called after the program's own hints and
// MPI_Info were read, because the environment overrides both: users tune without compiling again. It may differ from rank to
// rank, so one rank reads it and tells the others. MUSTER_CAPTURE, MUSTER_ENABLE, MUSTER_REPORT, MUSTER_SUMMARY and MUSTER_THREADS
// are not hints; other names that start with MUSTER_ are noted, not an error. If a value is invalid, `hints` stays as it was.
Status read_environment(Hints& hints, HintNotes* notes = nullptr);

}  // namespace muster
