#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "command.hpp"
#include "manual_pages.hpp"

namespace muster::tool {

namespace {

namespace fs = std::filesystem;

Status write_pages(CLI::App const& app, fs::path const& directory) {
    for (auto const& [name, text] : manual_pages(app)) {
        std::error_code ignored;
        fs::create_directories((directory / name).parent_path(), ignored);
        std::ofstream out{directory / name};
        out << text;
        if (!out.flush()) return {Code::io, "cannot write " + (directory / name).string()};
    }
    return {};
}

}  // namespace

void add_manual_command(CLI::App& app, Run& chosen) {
    auto* const command = app.add_subcommand("manual", "Writes manual pages of all commands and of the hints");
    auto const directory = std::make_shared<std::string>();
    command->add_option("DIRECTORY", *directory, "Where man1 and man7 are made")->required();
    command->footer("Examples:\n  muster manual man && man -l man/man7/muster-hints.7");
    command->callback(
        [&chosen, &app, directory] { chosen = [&app, directory] { return write_pages(app, *directory); }; });
}

void add_completion_command(CLI::App& app, Run& chosen) {
    auto* const command =
        app.add_subcommand("completion", "Prints what makes a shell complete commands, options and hints");
    auto const shell = std::make_shared<std::string>();
    command->add_option("SHELL", *shell, "bash or zsh")->required()->check(CLI::IsMember({"bash", "zsh"}));
    command->footer("Examples:\n  source <(muster completion bash)");
    command->callback([&chosen, &app, shell] {
        chosen = [&app, shell]() -> Status {
            fmt::print("{}", *shell == "bash" ? bash_completion(app) : zsh_completion(app));
            return {};
        };
    });
}

}  // namespace muster::tool
