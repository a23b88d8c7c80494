#include "job.hpp"

#include <charconv>
#include <functional>
#include <map>

namespace muster::bench {

namespace {

Status refuse(std::string const& name, std::string const& value, std::string const& wanted) {
    return {Code::invalid_argument, name + " is '" + value + "', but wants " + wanted};
}

Status set_count(std::string const& name, std::string const& value, int& count) {
    auto const* const end = value.data() + value.size();
    auto const parsed = std::from_chars(value.data(), end, count);
    if (parsed.ec == std::errc{} && parsed.ptr == end && count >= 0) return {};
    return refuse(name, value, "a number");
}

Status set_choice(std::string const& name, std::string const& value, std::pair<char const*, char const*> words,
                  bool& second) {
    second = value == words.second;
    if (second || value == words.first) return {};
    return refuse(name, value, std::string{words.first} + " or " + words.second);
}

Result<HintPair> parse_pair(std::string const& text) {
    auto const sign = text.find('=');
    if (sign == 0 || sign == std::string::npos) return refuse("a setting", text, "name=value");
    return HintPair{text.substr(0, sign), text.substr(sign + 1)};
}

Status add_option(Job& job, std::string const& value) {
    auto pair = parse_pair(value);
    if (pair.ok()) job.options.push_back(std::move(*pair));
    return pair.status();
}

Status add_back_end(Job& job, std::string const& value) {
    auto back_end = parse_back_end(value);
    if (back_end.ok()) job.back_ends.push_back(std::move(*back_end));
    return back_end.status();
}

Status add_skipped(Job& job, std::string const& value) {
    job.skipped.push_back(value);
    return {};
}

Status add_operation(Job& job, std::string const& value) {
    bool read = false;
    auto const status = set_choice("--operation", value, {"write", "read"}, read);
    if (status.ok()) job.operations.push_back(read ? Operation::read : Operation::write);
    return status;
}

using Setter = std::function<Status(Job&, std::string const& name, std::string const& value)>;

Setter choice(bool Job::*member, std::pair<char const*, char const*> words) {
    return [=](Job& job, std::string const& name, std::string const& value) {
        return set_choice(name, value, words, job.*member);
    };
}

Setter count(int Job::*member) {
    return [=](Job& job, std::string const& name, std::string const& value) {
        return set_count(name, value, job.*member);
    };
}

Setter text(std::string Job::*member) {
    return [=](Job& job, std::string const&, std::string const& value) {
        job.*member = value;
        return Status{};
    };
}

Setter added(Status (*add)(Job&, std::string const&)) {
    return [=](Job& job, std::string const&, std::string const& value) { return add(job, value); };
}

std::map<std::string, Setter> const& setters() {
    static std::map<std::string, Setter> const table{
        {"--workload", text(&Job::workload)},
        {"--directory", text(&Job::directory)},
        {"--option", added(add_option)},
        {"--back-end", added(add_back_end)},
        {"--operation", added(add_operation)},
        {"--skip", added(add_skipped)},
        {"--budget", count(&Job::budget)},
        {"--runs", count(&Job::runs)},
        {"--warm-ups", count(&Job::warm_ups)},
        {"--steps", count(&Job::steps)},
        {"--mode", choice(&Job::independent, {"multi", "independent"})},
        {"--cache", choice(&Job::cold, {"warm", "cold"})},
        {"--file", choice(&Job::overwrite, {"fresh", "overwrite"})},
        {"--types", choice(&Job::flat, {"structured", "flat"})},
        {"--views", choice(&Job::view_each, {"once", "each"})},
        {"--sync", choice(&Job::sync, {"no", "yes"})},
        {"--keep", choice(&Job::keep, {"no", "yes"})},
        {"--floor", choice(&Job::floor, {"no", "yes"})},
    };
    return table;
}

Status check(Job const& job) {
    if (job.workload.empty()) return {Code::invalid_argument, "which --workload?"};
    if (job.directory.empty()) return {Code::invalid_argument, "which --directory?"};
    if (job.back_ends.empty()) return {Code::invalid_argument, "which --back-end?"};
    if (job.operations.empty()) return {Code::invalid_argument, "which --operation?"};
    if (job.runs < 1 || job.steps < 1) return {Code::invalid_argument, "--runs and --steps are at least 1"};
    return {};
}

Result<Kind> parse_kind(std::string const& word) {
    if (word == "native") return Kind::native;
    if (word == "muster") return Kind::muster;
    if (word == "plan") return Kind::kept;
    return refuse("the kind of a back end", word, "native, muster or plan");
}

}  // namespace

char const* name_of(Operation operation) { return operation == Operation::write ? "write" : "read"; }

Result<BackEnd> parse_back_end(std::string const& text) {
    auto const slash = text.find('/');
    if (slash == std::string::npos) return refuse("--back-end", text, "kind/label:name=value,...");
    auto const kind = parse_kind(text.substr(0, slash));
    if (!kind.ok()) return kind.status();
    auto const colon = text.find(':', slash);
    BackEnd back_end{*kind, text.substr(slash + 1, colon == std::string::npos ? colon : colon - slash - 1), {}};
    if (back_end.label.empty()) return refuse("--back-end", text, "a label");
    for (auto const& item : split_list(colon == std::string::npos ? "" : text.substr(colon + 1), ',')) {
        auto pair = parse_pair(item);
        if (!pair.ok()) return pair.status();
        back_end.hints.push_back(std::move(*pair));
    }
    return back_end;
}

Result<Job> parse_job(std::span<std::string const> words) {
    Job job;
    for (std::size_t i = 0; i < words.size(); i += 2) {
        auto const setter = setters().find(words[i]);
        if (setter == setters().end()) return Status{Code::invalid_argument, "there is no option " + words[i]};
        if (i + 1 == words.size()) return Status{Code::invalid_argument, words[i] + " needs a value"};
        if (auto const status = setter->second(job, words[i], words[i + 1]); !status.ok()) return status;
    }
    if (auto const status = check(job); !status.ok()) return status;
    return job;
}

}  // namespace muster::bench
