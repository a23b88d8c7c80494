#include "bench_output.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "core/hints.hpp"
#include "table.hpp"

namespace muster::tool {

using Json = nlohmann::ordered_json;

namespace {

std::vector<std::string> operations_of(BenchRequest const& request) { return split_list(request.operations, ','); }

void add_spread(Json& json, std::string const& name, std::vector<double> const& values) {
    if (values.empty()) {
        json[name] = nullptr;
        return;
    }
    auto const [median, min, max] = spread_of(values);
    json[name] = median;
    json[name + "_min"] = min;
    json[name + "_max"] = max;
}

std::vector<double> part_of(Times const* times, std::vector<double> Times::*part) {
    return times == nullptr ? std::vector<double>{} : times->*part;
}
std::vector<double> total_of(Times const* times) { return part_of(times, &Times::total); }

// Back ends that stand for "Muster" and "native": those of that name, else the first of their kind.
std::string leading(BenchPlan const& plan, std::string const& name) {
    for (auto const& back_end : plan.back_ends) {
        if (back_end.label == name) return name;
    }
    for (auto const& back_end : plan.back_ends) {
        if ((back_end.kind == "native") == (name == "native")) return back_end.label;
    }
    return {};
}

// Times of one operation, ready to be compared.
struct Comparison {
    BenchResults const& results;
    std::string operation;
    Times const* native;
    Times const* floor;
    int steps;
    double native_cap;

    Comparison(BenchSummary const& summary, std::string const& which)
        : results{summary.results},
          operation{which},
          native{results.find(which, leading(summary.plan, "native"))},
          floor{results.find(which, "floor")},
          steps{summary.request.steps},
          native_cap{results.cap_of(which, leading(summary.plan, "native"))} {}

    std::vector<double> speedup(Times const& times) const { return ratios(total_of(native), times.total); }
    double cap_of(std::string const& label) const { return results.cap_of(operation, label); }
    // Where native was ended: at least so many times faster. 0 where it was not.
    double speedup_more_than(Times const& times) const {
        auto const seconds = spread_of(times.total).median;
        return native == nullptr && seconds > 0 ? native_cap / seconds : 0;
    }
    // Of one step, and of all ranks together.
    std::vector<double> ns_per_extent(Times const& times) const {
        auto const pieces = static_cast<double>(std::max<Size>(results.pieces(), 1)) * steps;
        return ratios(times.total, std::vector<double>(times.total.size(), pieces * 1e-9));
    }
    std::vector<double> floor_ratio(Times const& times, std::vector<double> Times::*part = &Times::total) const {
        return ratios(times.*part, part_of(floor, part));
    }
};

// --- JSON ---

void add_steps(Json& json, Times const& times, Comparison const& comparison) {
    if (times.repeat.empty()) return;
    add_spread(json, "first_s", times.first);
    add_spread(json, "repeat_s", times.repeat);
    add_spread(json, "repeat_cpu_s", times.repeat_cpu);
    add_spread(json, "first_floor_ratio", comparison.floor_ratio(times, &Times::first));
    add_spread(json, "repeat_floor_ratio", comparison.floor_ratio(times, &Times::repeat));
}

Json hints_json(std::string const& hints) {
    auto json = Json::object();
    for (auto const& pair : split_list(hints, ','))
        json[pair.substr(0, pair.find('='))] = pair.substr(pair.find('=') + 1);
    return json;
}

Json back_end_json(BackEndRequest const& back_end, Times const* times, Comparison const& comparison) {
    Json json{{"label", back_end.label}, {"kind", back_end.kind}, {"hints", hints_json(back_end.hints)}};
    if (!back_end.io.empty()) json["io"] = back_end.io;
    json["verified"] = times != nullptr && times->verified;
    if (comparison.cap_of(back_end.label) > 0) json["more_than_s"] = comparison.cap_of(back_end.label);
    if (times == nullptr) return json;
    add_spread(json, "seconds", times->total);
    add_spread(json, "ns_per_extent", comparison.ns_per_extent(*times));
    add_spread(json, "speedup", comparison.speedup(*times));
    if (comparison.speedup_more_than(*times) > 0) json["speedup_more_than"] = comparison.speedup_more_than(*times);
    add_spread(json, "floor_ratio", comparison.floor_ratio(*times));
    add_steps(json, *times, comparison);
    add_spread(json, "open_s", times->open);
    add_spread(json, "close_s", times->close);
    add_spread(json, "cpu_s", times->cpu);
    json["runs_s"] = times->total;
    return json;
}

Json operation_json(BenchSummary const& summary, std::string const& operation) {
    auto const& results = summary.results;
    Comparison const comparison{summary, operation};
    auto const* const ours = results.find(operation, leading(summary.plan, "muster"));
    Json json;
    add_spread(json, "native_s", total_of(comparison.native));
    add_spread(json, "muster_s", total_of(ours));
    add_spread(json, "speedup", ours == nullptr ? std::vector<double>{} : comparison.speedup(*ours));
    add_spread(json, "floor_s", total_of(comparison.floor));
    add_spread(json, "floor_ratio", ours == nullptr ? std::vector<double>{} : comparison.floor_ratio(*ours));
    json["verified"] = results.verified(operation);
    if (comparison.native_cap > 0) json["native_more_than_s"] = comparison.native_cap;
    if (ours != nullptr && comparison.speedup_more_than(*ours) > 0)
        json["speedup_more_than"] = comparison.speedup_more_than(*ours);
    add_spread(json, "cpu_s", ours == nullptr ? std::vector<double>{} : ours->cpu);
    add_spread(json, "ns_per_extent", ours == nullptr ? std::vector<double>{} : comparison.ns_per_extent(*ours));
    if (ours != nullptr) add_steps(json, *ours, comparison);
    json["back_ends"] = Json::array();
    for (auto const& back_end : summary.plan.back_ends) {
        json["back_ends"].push_back(back_end_json(back_end, results.find(operation, back_end.label), comparison));
    }
    auto const* const report = results.report_of(operation, leading(summary.plan, "muster"));
    if (summary.request.report && report != nullptr) json["report"] = *report;
    return json;
}

// --- text ---

std::string seconds_text(double seconds) {
    return seconds < 10 ? fmt::format("{:.4f}", seconds) : fmt::format("{:.2f}", seconds);
}

std::string times_text(double ratio) {
    return ratio < 10 ? fmt::format("{:.2f}", ratio) : fmt::format("{:.1f}", ratio);
}

std::string with_range(Spread const& spread, std::string (*text)(double)) {
    return fmt::format("{} ({}-{})", text(spread.median), text(spread.min), text(spread.max));
}

std::string ratio_text(std::vector<double> const& list) {
    return list.empty() ? "-" : with_range(spread_of(list), times_text);
}

std::string rate_text(BenchSummary const& summary, double seconds, int steps) {
    if (seconds <= 0) return "-";
    return fmt::format("{:.0f}", static_cast<double>(summary.results.bytes()) * steps / seconds / 1e6);
}

Row heading() {
    return {"", "SECONDS (MIN-MAX)", "MB/s", "FASTER THAN NATIVE", "TIMES THE FLOOR", "CPU SECONDS", "NS PER EXTENT"};
}

std::string speedup_text(Comparison const& comparison, Times const& times) {
    auto const least = comparison.speedup_more_than(times);
    return least > 0 ? "> " + times_text(least) : ratio_text(comparison.speedup(times));
}

Row back_end_row(BenchSummary const& summary, std::string const& label, Times const& times,
                 Comparison const& comparison) {
    auto const seconds = spread_of(times.total);
    auto const is_native = &times == comparison.native;
    return {"  " + label,
            with_range(seconds, seconds_text),
            rate_text(summary, seconds.median, comparison.steps),
            is_native ? "" : speedup_text(comparison, times),
            ratio_text(comparison.floor_ratio(times)),
            seconds_text(spread_of(times.cpu).median),
            times_text(spread_of(comparison.ns_per_extent(times)).median)};
}

// With several steps: the first, which plans, and those that follow.
void add_step_rows(std::vector<Row>& rows, BenchSummary const& summary, Times const& times,
                   Comparison const& comparison) {
    if (times.repeat.empty()) return;
    for (auto const& [name, part] :
         {std::pair{"    first step", &Times::first}, std::pair{"    later steps", &Times::repeat}}) {
        auto const seconds = spread_of(times.*part);
        auto const is_native = comparison.native == nullptr || comparison.native == &times;
        auto const faster = is_native ? "" : ratio_text(ratios(comparison.native->*part, times.*part));
        rows.push_back({name, with_range(seconds, seconds_text), rate_text(summary, seconds.median, 1), faster,
                        ratio_text(comparison.floor_ratio(times, part)), ""});
    }
}

void add_rows(std::vector<Row>& rows, BenchSummary const& summary, std::string const& operation) {
    Comparison const comparison{summary, operation};
    rows.push_back({operation});
    for (auto const& back_end : summary.plan.back_ends) {
        auto const* const times = summary.results.find(operation, back_end.label);
        if (times == nullptr) {
            auto const cap = comparison.cap_of(back_end.label);
            rows.push_back({"  " + back_end.label, cap > 0 ? "> " + seconds_text(cap) + " (ended)" : "not done"});
            continue;
        }
        rows.push_back(back_end_row(summary, back_end.label, *times, comparison));
        add_step_rows(rows, summary, *times, comparison);
    }
    if (comparison.floor == nullptr) return;
    auto const seconds = spread_of(comparison.floor->total);
    rows.push_back(
        {"  floor", with_range(seconds, seconds_text), rate_text(summary, seconds.median, comparison.steps)});
}

std::string verdict(BenchSummary const& summary) {
    if (summary.complete) return "every byte verified";
    auto good = summary.results.any_capped() && summary.results.error().empty();
    for (auto const& operation : operations_of(summary.request)) good = good && summary.results.verified(operation);
    return good ? "every byte verified of what was not ended" : "NOT VERIFIED";
}

std::string headline(BenchSummary const& summary) {
    auto const& [request, plan, site, results, complete] = summary;
    return fmt::format("{}: {} in {} pieces{}, {} ranks on {} cores, {}\n{}{}, {} runs; {}\n\n", request.workload,
                       format_size(results.bytes()), with_commas(results.pieces()),
                       request.steps > 1 ? fmt::format(" in each of {} steps", request.steps) : "", request.ranks,
                       site.cores, results.mpi(), request.target, results.in_memory() ? " (memory)" : "", request.runs,
                       verdict(summary));
}

std::string phases_text(Json const& report) {
    std::vector<Row> rows;
    auto const phases = report.value("phases", Json::object());
    for (auto const& [phase, spread] : phases.items()) {
        auto const mean = spread.value("mean", 0.0);
        rows.push_back({"    " + phase, fmt::format("{:.6f}", mean), fmt::format("{:.6f}", spread.value("max", 0.0))});
    }
    rows.insert(rows.begin(), {"    SECONDS", "MEAN", "SLOWEST RANK"});
    return table_text(rows, terminal_width());
}

std::string report_text(BenchSummary const& summary, std::string const& operation) {
    auto const* const report = summary.results.report_of(operation, leading(summary.plan, "muster"));
    if (!summary.request.report || report == nullptr) return {};
    return fmt::format("\nWhere Muster's last {} spent its time, over the ranks:\n{}", operation, phases_text(*report));
}

}  // namespace

Json bench_json(BenchSummary const& summary) {
    auto const& [request, plan, site, results, complete] = summary;
    Json json{{"workload", request.workload}, {"options", Json::object()},
              {"ranks", request.ranks},       {"mpi", request.mpi},
              {"mpi_version", results.mpi()}, {"cores", site.cores},
              {"target", request.target},     {"in_memory", results.in_memory()},
              {"runs", request.runs},         {"steps", request.steps},
              {"mode", request.mode},         {"cache", request.cache},
              {"file", request.file},         {"types", request.types},
              {"sync", request.sync},         {"patient", plan.patient},
              {"bytes", results.bytes()},     {"pieces", results.pieces()}};
    for (auto const& [name, value] : plan.options) json["options"][name] = value;
    json["notes"] = plan.notes;
    for (auto const& operation : operations_of(request)) json[operation] = operation_json(summary, operation);
    json["verified"] = complete;
    return json;
}

std::string bench_csv(BenchSummary const& summary) {
    std::string text =
        "workload,ranks,mpi,target,operation,back_end,bytes,steps,seconds,seconds_min,seconds_max,speedup,"
        "floor_ratio,cpu_s,ns_per_extent,verified\n";
    auto const& request = summary.request;
    for (auto const& operation : operations_of(request)) {
        Comparison const comparison{summary, operation};
        for (auto const& back_end : summary.plan.back_ends) {
            auto const* const times = summary.results.find(operation, back_end.label);
            if (times == nullptr) continue;
            auto const seconds = spread_of(times->total);
            text += fmt::format("{},{},{},{},{},{},{},{},{:.6f},{:.6f},{:.6f},{:.4f},{:.4f},{:.6f},{:.3f},{}\n",
                                request.workload, request.ranks, request.mpi, request.target, operation, back_end.label,
                                summary.results.bytes(), request.steps, seconds.median, seconds.min, seconds.max,
                                spread_of(comparison.speedup(*times)).median,
                                spread_of(comparison.floor_ratio(*times)).median, spread_of(times->cpu).median,
                                spread_of(comparison.ns_per_extent(*times)).median, times->verified);
        }
    }
    return text;
}

std::string bench_text(BenchSummary const& summary) {
    std::vector<Row> rows{heading()};
    for (auto const& operation : operations_of(summary.request)) add_rows(rows, summary, operation);
    auto text = headline(summary) + table_text(rows, terminal_width());
    for (auto const& operation : operations_of(summary.request)) text += report_text(summary, operation);
    for (auto const& note : summary.plan.notes) text += "\nNote: " + note + ".\n";
    return text;
}

}  // namespace muster::tool
