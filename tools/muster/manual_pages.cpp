#include "manual_pages.hpp"

#include "core/hints.hpp"
#include "workloads/registry.hpp"

namespace muster::tool {

namespace {

using Commands = std::vector<CLI::App const*>;
using Options = std::vector<CLI::Option const*>;

Commands commands_of(CLI::App const& app) {
    return app.get_subcommands([](CLI::App const*) { return true; });
}

Options options_of(CLI::App const& command, bool positional) {
    return command.get_options([=](CLI::Option const* option) { return option->get_positional() == positional; });
}

bool takes_value(CLI::Option const& option) { return option.get_items_expected_max() > 0; }

// "--report", "-o,--output"
std::vector<std::string> names_of(CLI::Option const& option) {
    std::vector<std::string> names;
    for (auto const& name : option.get_snames()) names.push_back("-" + name);
    for (auto const& name : option.get_lnames()) names.push_back("--" + name);
    return names;
}

// --- roff ---

std::string escaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto const starts = i == 0 || text[i - 1] == '\n';
        if (starts && (text[i] == '.' || text[i] == '\'')) out += "\\&";
        if (text[i] == '\\') {
            out += "\\e";
        } else if (text[i] == '-') {
            out += "\\-";
        } else {
            out += text[i];
        }
    }
    return out;
}

std::string heading(std::string const& name, int section) {
    return ".TH \"" + name + "\" \"" + std::to_string(section) + "\" \"\" \"Muster\" \"Muster\"\n";
}

std::string name_section(std::string const& name, std::string const& what) {
    return ".SH NAME\n" + escaped(name) + " \\- " + escaped(what) + "\n";
}

std::string item(std::string const& term, std::string const& text) { return ".TP\n" + term + "\n" + text + "\n"; }

std::string bold(std::string const& text) { return "\\fB" + escaped(text) + "\\fR"; }

std::string option_term(CLI::Option const& option) {
    std::string term;
    for (auto const& name : names_of(option)) term += (term.empty() ? "" : ", ") + bold(name);
    return takes_value(option) ? term + " \\fIVALUE\\fR" : term;
}

std::string option_text(CLI::Option const& option) {
    auto const standard = option.get_default_str();
    return escaped(option.get_description() + (standard.empty() ? "" : " [" + standard + "]"));
}

std::string option_items(CLI::App const& command) {
    std::string text;
    for (auto const* const option : options_of(command, true)) {
        text += item("\\fI" + escaped(option->get_name(true)) + "\\fR", option_text(*option));
    }
    for (auto const* const option : options_of(command, false))
        text += item(option_term(*option), option_text(*option));
    return text;
}

// What comes before "Examples:", and what comes after it.
std::string footer_sections(std::string const& footer) {
    static std::string const mark = "Examples:\n";
    auto const at = footer.find(mark);
    auto const words = footer.substr(0, at);
    std::string text;
    if (!words.empty()) text += ".SH NOTES\n" + escaped(words) + "\n";
    if (at != footer.npos) text += ".SH EXAMPLES\n.nf\n" + escaped(footer.substr(at + mark.size())) + "\n.fi\n";
    return text;
}

std::string synopsis(CLI::App const& command) {
    std::string text = ".SH SYNOPSIS\n" + bold("muster " + command.get_name()) + " [\\fIOPTIONS\\fR]";
    for (auto const* const option : options_of(command, true)) {
        auto const name = escaped(option->get_name(true));
        text += option->get_required() ? " \\fI" + name + "\\fR" : " [\\fI" + name + "\\fR]";
        if (option->get_items_expected_max() > 1) text += "...";
    }
    return text + "\n";
}

constexpr auto see_also = ".SH SEE ALSO\n.BR muster (1),\n.BR muster\\-hints (7)\n";

ManualPage command_page(CLI::App const& command) {
    auto const name = "muster-" + command.get_name();
    return {"man1/" + name + ".1", heading(name, 1) + name_section(name, command.get_description()) +
                                       synopsis(command) + ".SH OPTIONS\n" + option_items(command) +
                                       footer_sections(command.get_footer()) + see_also};
}

ManualPage tool_page(CLI::App const& app) {
    auto text = heading("muster", 1) + name_section("muster", "fast collective file I/O for MPI programs") +
                ".SH SYNOPSIS\n" + bold("muster") + " \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH COMMANDS\n";
    for (auto const* const command : commands_of(app)) {
        text += item(".BR muster\\-" + escaped(command->get_name()) + " (1)", escaped(command->get_description()));
    }
    return {"man1/muster.1", text + ".SH SEE ALSO\n.BR muster\\-hints (7)\n"};
}

constexpr auto hints_words =
    R"(Hints tell the library how to do collective file access. They come from the program (muster::Hints in C++, muster_hints in C), from an
MPI_Info, or from the environment, where names are in upper case: MUSTER_WINDOW=8MiB. The environment overrides the others, so that users tune
without compiling again. Sizes take units: 16k, 1MiB, 100MB.)";

constexpr auto drop_in_words = R"(.SH ENVIRONMENT OF THE DROP-IN LIBRARY
.TP
\fBMUSTER_ENABLE=0\fR
Everything goes to the MPI's own I/O.
.TP
\fBMUSTER_ENABLE=always\fR
The library does all that it can do, also where the MPI's own I/O may be faster.
.TP
\fBMUSTER_REPORT=FILE\fR
Writes a report at the end of MPI_Finalize; %p in it is the process id of rank 0.
.TP
\fBMUSTER_CAPTURE=FILE\fR
Records where the accesses of the program lie, for muster\-replay(1).
.TP
\fBMUSTER_SUMMARY=1\fR
One line on standard error at the end.
.TP
\fBMUSTER_THREADS=1\fR
Asks the MPI for MPI_THREAD_MULTIPLE, so that nonblocking collective calls are done by Muster, too.
)";

ManualPage hints_page() {
    auto text = heading("muster-hints", 7) +
                name_section("muster-hints", "hints for collective file access by Muster") + ".SH DESCRIPTION\n" +
                escaped(hints_words) + "\n.SH HINTS\n";
    for (auto const& hint : hint_table()) {
        auto words = std::string{hint.meaning} +
                     " Default: " + (hint.default_value.empty() ? "empty" : hint.default_value) + ".";
        if (!hint.unit.empty()) words += " Unit: " + hint.unit + ".";
        for (auto const old : hint.old_names) words += " Also: " + std::string{old} + ".";
        text += item(bold(std::string{hint.name}), escaped(words));
    }
    return {"man7/muster-hints.7", text + drop_in_words + ".SH SEE ALSO\n.BR muster (1)\n"};
}

// --- completion ---

std::string option_words(CLI::App const& command) {
    std::string words;
    for (auto const* const option : options_of(command, false)) {
        for (auto const& name : names_of(*option)) words += (words.empty() ? "" : " ") + name;
    }
    return words;
}

std::string workload_words() {
    std::string words;
    for (auto const& info : workload_table()) words += (words.empty() ? "" : " ") + std::string{info.name};
    return words;
}

std::string hint_words(std::string const& end) {
    std::string words;
    for (auto const& hint : hint_table()) words += (words.empty() ? "" : " ") + std::string{hint.name} + end;
    return words;
}

std::string for_zsh(std::string const& text) {
    std::string out;
    for (auto const letter : text) {
        if (letter == '\'') {
            out += "'\\''";
        } else if (letter == '[' || letter == ']' || letter == ':') {
            out += std::string{"\\"} + letter;
        } else {
            out += letter;
        }
    }
    return out;
}

}  // namespace

std::vector<ManualPage> manual_pages(CLI::App const& app) {
    std::vector<ManualPage> pages{tool_page(app), hints_page()};
    for (auto const* const command : commands_of(app)) pages.push_back(command_page(*command));
    return pages;
}

std::string bash_completion(CLI::App const& app) {
    std::string names, cases;
    for (auto const* const command : commands_of(app)) {
        names += (names.empty() ? "" : " ") + command->get_name();
        cases += "        " + command->get_name() + ") words='" + option_words(*command) + "' ;;\n";
    }
    return "# Completion of muster for bash, made by 'muster completion bash'.\n"
           "_muster() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W '" +
           names +
           "' -- \"$word\"))\n"
           "        return\n"
           "    fi\n"
           "    case $before in\n"
           "        --hint) compopt -o nospace; COMPREPLY=($(compgen -W '" +
           hint_words("=") +
           "' -- \"$word\")); return ;;\n"
           "        --mpi) COMPREPLY=($(compgen -W 'mpich openmpi' -- \"$word\")); return ;;\n"
           "        plan|bench|workloads) [ \"$COMP_CWORD\" -ne 2 ] || words='" +
           workload_words() +
           "' ;;\n"
           "    esac\n"
           "    if [[ $word == -* ]]; then case ${COMP_WORDS[1]} in\n" +
           cases +
           "    esac; fi\n"
           "    [ -z \"$words\" ] || COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "}\n"
           "complete -o default -F _muster muster\n";
}

std::string zsh_completion(CLI::App const& app) {
    std::string names, cases;
    for (auto const* const command : commands_of(app)) {
        names += "        '" + command->get_name() + ":" + for_zsh(command->get_description()) + "'\n";
        cases += "    " + command->get_name() + ")\n        _arguments \\\n";
        for (auto const* const option : options_of(*command, false)) {
            for (auto const& name : names_of(*option)) {
                cases += "            '*" + name + "[" + for_zsh(option->get_description()) + "]" +
                         (takes_value(*option) ? ":value:_files" : "") + "' \\\n";
            }
        }
        cases += "            '*:file:_files' ;;\n";
    }
    return "#compdef muster\n"
           "# Completion of muster for zsh, made by 'muster completion zsh'.\n"
           "_muster() {\n"
           "    local -a commands\n"
           "    commands=(\n" +
           names +
           "    )\n"
           "    if (( CURRENT == 2 )); then\n"
           "        _describe command commands\n"
           "        return\n"
           "    fi\n"
           "    local command=$words[2]\n"
           "    shift words\n"
           "    (( CURRENT-- ))\n"
           "    case $command in\n" +
           cases +
           "    esac\n"
           "}\n"
           "_muster \"$@\"\n";
}

}  // namespace muster::tool
