// Manual pages and completion, made of the tables that the commands and hints have anyway.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace muster::tool {

struct ManualPage {
    std::string name;  // "man1/muster-plan.1"
    std::string text;  // as roff
};
// One for the tool, one for each of its commands, and one for the hints.
std::vector<ManualPage> manual_pages(CLI::App const& app);

std::string bash_completion(CLI::App const& app);
std::string zsh_completion(CLI::App const& app);

}  // namespace muster::tool
