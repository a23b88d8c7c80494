#include <fmt/core.h>

#include <fstream>
#include <memory>

#include "advice.hpp"
#include "command.hpp"
#include "inputs.hpp"
#include "page_parts.hpp"

namespace muster::tool {

namespace {

struct ReportRequest {
    std::vector<std::string> files;
    std::string output{"muster-report.html"};
};

Json for_page(Input const& input) {
    return {{"name", input.name},
            {"kind", name_of(input.source)},
            {"advice", to_json(advise(input.source, input.data))},
            {"data", input.data}};
}

// Inside a script element nothing may look like its end.
std::string for_script(Json const& json) {
    auto text = json.dump();
    for (auto at = text.find("</"); at != std::string::npos; at = text.find("</", at)) text.replace(at, 2, "<\\/");
    return text;
}

void put(std::string& page, std::string_view mark, std::string_view text) {
    if (auto const at = page.find(mark); at != std::string::npos) page.replace(at, mark.size(), text);
}

std::string make_page(Json const& inputs) {
    std::string page{page_frame()};
    put(page, "/*STYLE*/", page_style());
    put(page, "/*CHART*/", page_chart());
    put(page, "/*CODE*/", page_code());
    put(page, "/*DATA*/", for_script(inputs));
    return page;
}

Status run(ReportRequest const& request) {
    auto inputs = Json::array();
    for (auto const& name : request.files) {
        auto const read = read_inputs(name);
        if (!read.ok()) return read.status();
        for (auto const& input : *read) inputs.push_back(for_page(input));
    }
    std::ofstream out{request.output, std::ios::binary};
    out << make_page(inputs);
    if (!out.flush()) return {Code::io, "cannot write " + request.output};
    fmt::print("{}\n", request.output);
    return {};
}

constexpr auto footer =
    R"(FILE is a capture of 'muster capture', or the report of 'muster run', of 'muster replay --json', of 'muster topo --json', of File::gather_report().json(), of 'muster bench --report --json' or of 'muster plan --json'.
The page is one file that needs no network. docs/report.md tells how to read it.
Examples:
  muster report muster-run.json
  muster report before.json after.json -o compared.html)";

}  // namespace

void add_report_command(CLI::App& app, Run& chosen) {
    auto* const command = app.add_subcommand("report", "One page with pictures of any report");
    auto const request = std::make_shared<ReportRequest>();
    command->add_option("FILE", request->files, "Reports, as JSON")->required();
    command->add_option("-o,--output", request->output, "The page")->capture_default_str();
    command->footer(footer);
    command->callback([&chosen, request] { chosen = [request] { return run(*request); }; });
}

}  // namespace muster::tool
