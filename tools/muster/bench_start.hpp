// Starts a program and hears what it says. Whatever ends us ends it, too.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "muster/status.hpp"

namespace muster::tool {

// Runs the words as a command, with its standard output line by line to `hear`. An error when it cannot be started, says
// nothing for `timeout` seconds, is interrupted (SIGINT, SIGTERM, SIGHUP to us), or does not end well.
Status run_program(std::vector<std::string> const& words, int timeout,
                   std::function<void(std::string const&)> const& hear);

}  // namespace muster::tool
