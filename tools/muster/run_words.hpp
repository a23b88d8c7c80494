// How a command that starts ranks is made to put the drop-in under them, and under them only.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "muster/status.hpp"

namespace muster::tool {

using Words = std::vector<std::string>;
using Variables = std::vector<std::pair<std::string, std::string>>;

// Launchers differ in how they give variables to the ranks.
enum class Launcher { open_mpi, hydra, slurm, unknown };

// By what it is called and what it says of itself with --version.
Launcher recognise_launcher(std::string const& name, std::string const& version);
// mpich or openmpi; empty where the launcher serves several.
std::string mpi_of(Launcher launcher);

// What to run. An LD_PRELOAD that the command gives already is kept behind ours.
struct RankCommand {
    Words words;
    Variables environment;  // for the launcher itself, where it cannot be told
};
RankCommand with_variables(Launcher launcher, Words words, Variables variables);

}  // namespace muster::tool
