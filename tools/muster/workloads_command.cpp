#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "table.hpp"
#include "workloads/registry.hpp"

namespace muster::tool {

namespace {

struct Request {
    std::string name;
    bool json{false};
};

std::string or_dash(std::string_view text) { return std::string{text.empty() ? "-" : text}; }

void print_workload(WorkloadInfo const& info) {
    fmt::print("{}: {} (in the papers on {} ranks)\n", info.name, info.meaning, with_commas(info.paper_ranks));
    std::vector<Row> rows;
    for (auto const& option : info.options) {
        rows.push_back({"  --" + std::string{option.name}, or_dash(option.default_value), std::string{option.meaning}});
    }
    fmt::print("{}", table_text(rows, terminal_width()));
}

nlohmann::ordered_json to_json(WorkloadInfo const& info) {
    auto options = nlohmann::ordered_json::array();
    for (auto const& option : info.options) {
        options.push_back({{"name", option.name}, {"default", option.default_value}, {"meaning", option.meaning}});
    }
    return {{"name", info.name}, {"meaning", info.meaning}, {"paper_ranks", info.paper_ranks}, {"options", options}};
}

Status print_workloads(Request const& request) {
    auto list = nlohmann::ordered_json::array();
    Size shown = 0;
    for (auto const& info : workload_table()) {
        if (!request.name.empty() && info.name != request.name) continue;
        if (request.json) list.push_back(to_json(info));
        if (!request.json) {
            fmt::print("{}", shown > 0 ? "\n" : "");
            print_workload(info);
        }
        ++shown;
    }
    if (request.json) fmt::print("{}\n", list.dump(2));
    if (shown > 0) return {};
    return {Code::not_found, "there is no workload '" + request.name + "'; 'muster workloads' lists them"};
}

}  // namespace

void add_workloads_command(CLI::App& app, Run& chosen) {
    auto* const command = app.add_subcommand("workloads", "Every workload with its options and their defaults");
    auto const request = std::make_shared<Request>();
    command->add_option("WORKLOAD", request->name, "Only this one");
    command->add_flag("--json", request->json, "As JSON");
    command->callback([&chosen, request] { chosen = [request] { return print_workloads(*request); }; });
}

}  // namespace muster::tool
