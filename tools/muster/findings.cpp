#include "findings.hpp"

#include <algorithm>
#include <fstream>

#include "advice.hpp"
#include "core/hints.hpp"

namespace muster::tool {

namespace {

std::string decided(Json const& json, std::string_view subject) {
    for (auto const& decision : json.value("decisions", Json::array())) {
        if (decision["subject"] == subject) return decision["choice"];
    }
    return {};
}

// "16 MiB" as decisions tell it, "16MiB" as hints do.
Size size_in(std::string text) {
    std::erase(text, ' ');
    auto const size = parse_size(text);
    return size.ok() ? *size : 0;
}

Size size_hint(Json const& hints, char const* name) { return size_in(hints.value(name, std::string{"0"})); }

void read_phases(Finding& finding, Json const& phases) {
    for (auto const& [name, spread] : phases.items()) {
        finding.phases[name] = {spread["min"], spread["mean"], spread["max"]};
    }
}

void read_arrival(Finding& finding, Json const& by_rank) {
    for (auto const& rank : by_rank) {
        auto const mean = rank["phases"]["plan"].get<double>() / static_cast<double>(std::max<Size>(finding.calls, 1));
        finding.arrival.push_back({mean, rank.value("shortest_plan", mean)});
    }
}

void read_common(Finding& finding, Json const& json) {
    finding.nodes = json["nodes"];
    finding.aggregators = static_cast<Size>(json["aggregators"].size());
    finding.rounds = json["rounds"];
    finding.route = decided(json, "route");
    finding.layout = decided(json, "layout");
    finding.window = size_in(decided(json, "window"));
    finding.bytes = json["bytes"];
}

Finding from_report(Json const& json) {
    Finding finding;
    read_common(finding, json);
    finding.title = json["operation"].get<std::string>() + " of " + json["file"].get<std::string>();
    finding.ranks = json["ranks"];
    finding.pieces = json["pieces"];
    finding.seconds = json["seconds"];
    finding.stripe_size = size_hint(json["hints"], "muster_stripe_size");
    read_phases(finding, json["phases"]);
    auto const& counters = json["total"].is_null() ? json["mine"] : json["total"];
    finding.read_modify_writes = counters["read_modify_writes"];
    finding.calls = json.value("calls", Size{1});
    finding.rounds /= std::max<Size>(finding.calls, 1);
    read_arrival(finding, json["by_rank"]);
    return finding;
}

Finding from_pattern(Json const& file, Json const& pattern) {
    Finding finding;
    read_common(finding, pattern);
    finding.title = pattern["operation"].get<std::string>() + " of " + file["file"].get<std::string>();
    finding.ranks = file["ranks"];
    finding.calls = pattern["calls"];
    finding.pieces = pattern["pieces"];
    finding.seconds = pattern["seconds"];
    finding.stripe_size = size_hint(file["hints"], "muster_stripe_size");
    finding.read_modify_writes = pattern["total"]["read_modify_writes"];
    read_phases(finding, pattern["phases"]);
    read_arrival(finding, pattern.value("by_rank", Json::array()));
    return finding;
}

Finding from_plan(Json const& json) {
    Finding finding;
    read_common(finding, json);
    finding.title =
        json["direction"].get<std::string>() + " of " + json.value("file", json["workload"].get<std::string>());
    finding.planned = true;
    finding.ranks = json["ranks"];
    finding.calls = json["calls"];
    finding.pieces = json["requests"];
    finding.route = json["route"];
    finding.layout = json.value("layout", "");
    finding.window = json.value("window", Size{0});
    finding.stripe_size = json.value("stripe_size", Size{0});
    finding.messages_to_one = json["messages_per_aggregator_max"];
    finding.seconds = expected_seconds(finding);
    return finding;
}

std::vector<Finding> from_bench(Json const& json) {
    std::vector<Finding> findings;
    for (auto const* const operation : {"write", "read"}) {
        if (!json.contains(operation) || !json[operation].contains("report")) continue;
        findings.push_back(from_report(json[operation]["report"]));
        findings.back().title = std::string{operation} + " of " + json["workload"].get<std::string>();
    }
    return findings;
}

std::vector<Finding> from_drop_in(Json const& json) {
    std::vector<Finding> findings;
    for (auto const& file : json["files"]) {
        for (auto const& pattern : file["patterns"]) findings.push_back(from_pattern(file, pattern));
    }
    return findings;
}

}  // namespace

char const* name_of(Source source) {
    switch (source) {
        case Source::report: return "report";
        case Source::drop_in: return "drop-in";
        case Source::bench: return "bench";
        case Source::plan: return "plan";
        case Source::topo: return "topo";
    }
    return "";
}

Result<Source> recognise(Json const& json) {
    if (!json.is_object()) return Status{Code::invalid_argument, "this is no report"};
    if (json.value("schema", "") == "muster.drop-in") return Source::drop_in;
    if (json.contains("operation") && json.contains("phases")) return Source::report;
    if (json.contains("workload") && json.contains("requests")) return Source::plan;
    if (json.contains("workload") && (json.contains("write") || json.contains("read"))) return Source::bench;
    if (json.contains("tiers") && json.contains("network")) return Source::topo;
    return Status{Code::invalid_argument,
                  "this is no report of a call, of the drop-in, of 'muster bench --json' or of 'muster plan --json'"};
}

Result<Json> read_json(std::string const& name) {
    std::ifstream in{name};
    if (!in) return Status{Code::not_found, "cannot read " + name};
    auto json = Json::parse(in, nullptr, false);
    if (json.is_discarded()) return Status{Code::invalid_argument, name + " is no JSON"};
    return json;
}

double Finding::phase(std::string const& name) const {
    auto const found = phases.find(name);
    return found == phases.end() ? 0 : found->second.mean;
}

double Finding::least(std::string const& name) const {
    auto const found = phases.find(name);
    return found == phases.end() ? 0 : found->second.min;
}

std::vector<Finding> findings_of(Source source, Json const& json) {
    switch (source) {
        case Source::report: return {from_report(json)};
        case Source::drop_in: return from_drop_in(json);
        case Source::bench: return from_bench(json);
        case Source::plan: return {from_plan(json)};
        case Source::topo: return {};
    }
    return {};
}

std::map<std::string, Size> left_to_the_mpi(Source source, Json const& json) {
    std::map<std::string, Size> reasons;
    if (source != Source::drop_in) return reasons;
    for (auto const& file : json["files"]) {
        for (auto const& call : file["calls"]) {
            for (auto const& [reason, count] : call["reasons"].items()) {
                auto const name = call["call"].get<std::string>();
                if (name.find("_all") != name.npos) reasons[reason] += count.get<Size>();
            }
        }
    }
    return reasons;
}

}  // namespace muster::tool
