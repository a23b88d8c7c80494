#include "run_words.hpp"

#include <filesystem>

namespace muster::tool {

namespace {

bool has(std::string const& text, std::string_view part) { return text.find(part) != std::string::npos; }

// The values that the command itself gives to LD_PRELOAD are taken out of it: "-x LD_PRELOAD=a", "-genv LD_PRELOAD a".
std::string take_preload(Words& words) {
    std::string taken;
    auto const take = [&](std::size_t at, std::size_t count, std::string const& value) {
        taken += (taken.empty() ? "" : ":") + value;
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(at),
                    words.begin() + static_cast<std::ptrdiff_t>(at + count));
    };
    constexpr std::string_view start = "LD_PRELOAD=";
    for (std::size_t i = 1; i + 1 < words.size();) {
        if (words[i] == "-x" && words[i + 1].starts_with(start)) {
            take(i, 2, words[i + 1].substr(start.size()));
        } else if ((words[i] == "-genv" || words[i] == "-env") && words[i + 1] == "LD_PRELOAD" &&
                   i + 2 < words.size()) {
            take(i, 3, std::string{words[i + 2]});
        } else {
            ++i;
        }
    }
    return taken;
}

Words as_options(Launcher launcher, Variables const& variables) {
    Words options;
    std::string exported = "--export=ALL";
    for (auto const& [name, value] : variables) {
        if (launcher == Launcher::open_mpi) options.insert(options.end(), {"-x", name + "=" + value});
        if (launcher == Launcher::hydra) options.insert(options.end(), {"-genv", name, value});
        exported += "," + name + "=" + value;
    }
    if (launcher == Launcher::slurm) options.push_back(exported);
    return options;
}

}  // namespace

Launcher recognise_launcher(std::string const& name, std::string const& version) {
    if (std::filesystem::path{name}.filename() == "srun") return Launcher::slurm;
    if (has(version, "Open MPI") || has(version, "OpenRTE") || has(version, "PRTE")) return Launcher::open_mpi;
    if (has(version, "HYDRA")) return Launcher::hydra;
    return Launcher::unknown;
}

std::string mpi_of(Launcher launcher) {
    if (launcher == Launcher::open_mpi) return "openmpi";
    return launcher == Launcher::hydra ? "mpich" : "";
}

RankCommand with_variables(Launcher launcher, Words words, Variables variables) {
    if (launcher == Launcher::unknown) return {std::move(words), std::move(variables)};
    auto const before = take_preload(words);
    for (auto& [name, value] : variables) {
        if (name == "LD_PRELOAD" && !before.empty()) value += ":" + before;
    }
    auto const options = as_options(launcher, variables);
    words.insert(words.begin() + 1, options.begin(), options.end());
    return {std::move(words), {}};
}

}  // namespace muster::tool
