#include "bench_exchange.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "bench_start.hpp"
#include "progress.hpp"
#include "table.hpp"

namespace muster::tool {

using Json = nlohmann::ordered_json;

namespace {

std::string milliseconds(Json const& result, char const* name) {
    return fmt::format("{:.3f}", 1e3 * result.value(name, 0.0));
}

Row result_row(Json const& result) {
    return {result.value("pattern", ""),
            result.value("direction", ""),
            result.value("kernel", ""),
            milliseconds(result, "median_seconds"),
            milliseconds(result, "least_seconds") + "-" + milliseconds(result, "most_seconds"),
            fmt::format("{:.2f}", result.value("ratio_to_ascending", 0.0))};
}

std::string csv_of(Json const& told, std::string const& mpi) {
    std::string text =
        "mpi,ranks,pattern,direction,kernel,median_seconds,least_seconds,most_seconds,ratio_to_ascending\n";
    for (auto const& result : told.value("results", Json::array())) {
        text += fmt::format("{},{},{},{},{},{:.6f},{:.6f},{:.6f},{:.4f}\n", mpi, told.value("ranks", 0),
                            result.value("pattern", ""), result.value("direction", ""), result.value("kernel", ""),
                            result.value("median_seconds", 0.0), result.value("least_seconds", 0.0),
                            result.value("most_seconds", 0.0), result.value("ratio_to_ascending", 0.0));
    }
    return text;
}

// What the ranks say: progress, and one object with the results at the end.
struct Hearing {
    ProgressLine line{"measuring"};
    int samples{1};
    Json told;

    void hear(std::string const& said) {
        auto json = Json::parse(said, nullptr, false);
        auto const type = json.is_object() ? json.value("type", "") : "";
        if (type == "progress") {
            line.show(json.value("done", 0.0) / samples, json.value("doing", ""));
        } else if (type == "exchange") {
            told = std::move(json);
        } else {
            fmt::print(stderr, "{}\n", said);
        }
    }
};

Result<Json> measure(BenchRequest const& request, BenchStart const& start) {
    Hearing hearing;
    hearing.samples = start.samples;
    Listener listener;
    listener.timeout = request.timeout;
    listener.hear = [&](std::string const& said) { hearing.hear(said); };
    if (auto const status = run_program(start.words, listener); !status.ok()) return status;
    if (hearing.told.is_null()) return Status{Code::internal, "the ranks told nothing"};
    return std::move(hearing.told);
}

}  // namespace

std::string exchange_text(std::string const& told) {
    auto const json = Json::parse(told, nullptr, false);
    std::vector<Row> rows{{"PATTERN", "", "KERNEL", "MEDIAN ms", "RANGE ms", "RATIO"}};
    for (auto const& result : json.value("results", Json::array())) rows.push_back(result_row(result));
    return fmt::format(
        "exchange: {} ranks ({}), {} bytes a message, {} rounds in each of {} runs, throttle {}\n\n{}\n{}",
        json.value("ranks", 0), json.value("machine", ""), json.value("bytes", 0), json.value("rounds", 0),
        json.value("runs", 0), json.value("throttle", 0), table_text(rows, terminal_width()),
        "ratio: median to that of ascending; below 1 is faster\n");
}

Status run_exchange_bench(BenchRequest const& request) {
    auto const site = find_site(request);
    if (!site.ok()) return site.status();
    auto const plan = plan_exchange_bench(request, *site);
    if (!plan.ok()) return plan.status();
    auto told = measure(request, plan->starts[0]);
    if (!told.ok()) return told.status();
    told->erase("type");
    (*told)["mpi"] = request.mpi;
    (*told)["patient"] = plan->patient;
    (*told)["notes"] = plan->notes;
    if (request.json) {
        fmt::print("{}\n", told->dump(2));
        return {};
    }
    fmt::print("{}", request.csv ? csv_of(*told, request.mpi) : exchange_text(told->dump()));
    for (auto const& note : plan->notes) fmt::print(stderr, "Note: {}.\n", note);
    return {};
}

}  // namespace muster::tool
