#include "bench_results.hpp"

#include <algorithm>
#include <numeric>

namespace muster::tool {

using Json = nlohmann::ordered_json;

namespace {

double median_of(std::vector<double> const& values) { return spread_of(values).median; }

void add_times(Times& times, Json const& line) {
    auto const steps = line.value("steps_s", std::vector<double>{});
    if (steps.empty()) return;
    times.total.push_back(std::accumulate(steps.begin(), steps.end(), 0.0));
    times.first.push_back(steps.front());
    if (steps.size() > 1) times.repeat.push_back(median_of({steps.begin() + 1, steps.end()}));
    times.open.push_back(line.value("open_s", 0.0));
    times.close.push_back(line.value("close_s", 0.0));
    auto const cpu = line.value("steps_cpu_s", std::vector<double>{});
    times.cpu.push_back(std::accumulate(cpu.begin(), cpu.end(), 0.0));
    if (cpu.size() > 1) times.repeat_cpu.push_back(median_of({cpu.begin() + 1, cpu.end()}));
}

}  // namespace

Spread spread_of(std::vector<double> values) {
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    auto const middle = values.size() / 2;
    auto const median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    return {median, values.front(), values.back()};
}

std::vector<double> ratios(std::vector<double> const& over, std::vector<double> const& under) {
    std::vector<double> list;
    for (std::size_t i = 0; i < std::min(over.size(), under.size()); ++i) {
        if (under[i] > 0) list.push_back(over[i] / under[i]);
    }
    return list;
}

bool BenchResults::hear(std::string const& line) {
    auto const json = Json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("type")) return false;
    take(json);
    return true;
}

void BenchResults::take(Json const& line) {
    auto const type = line.value("type", "");
    if (type == "sample") take_sample(line);
    if (type == "job") take_job(line);
    if (type == "progress") doing_ = line.value("doing", "");
    if (type == "report")
        reports_[{line.value("operation", ""), line.value("back_end", "")}] = line.value("report", Json{});
    if (type == "end") skipped_ += line.value("skipped", 0);
    if (type == "error" && error_.empty()) error_ = line.value("error", "");
}

void BenchResults::take_job(Json const& line) {
    mpi_ = line.value("mpi", "");
    bytes_ = line.value("bytes", Size{0});
    pieces_ = line.value("pieces", Size{0});
    in_memory_ = line.value("in_memory", false);
}

// Warm-ups have to be right, but count only where there was no time for more.
void BenchResults::take_sample(Json const& line) {
    ++heard_;
    auto const label = line.value("back_end", "");
    Key const key{line.value("operation", ""), label};
    auto& times = times_[key];
    if (!line.value("verified", false)) {
        times.verified = false;
        if (error_.empty()) error_ = line.value("operation", "") + " by " + label + ": " + line.value("error", "");
        return;
    }
    add_times(line.value("run", 0) < 0 ? warm_ups_[key] : times, line);
}

Times const* BenchResults::find(std::string const& operation, std::string const& label) const {
    for (auto const* list : {&times_, &warm_ups_}) {
        auto const found = list->find({operation, label});
        if (found != list->end() && !found->second.total.empty()) return &found->second;
    }
    return nullptr;
}

double BenchResults::cap_of(std::string const& operation, std::string const& label) const {
    auto const found = capped_.find({operation, label});
    return found == capped_.end() ? 0 : found->second;
}

Json const* BenchResults::report_of(std::string const& operation, std::string const& label) const {
    auto const found = reports_.find({operation, label});
    return found == reports_.end() ? nullptr : &found->second;
}

bool BenchResults::verified(std::string const& operation) const {
    auto any = false;
    for (auto const& [key, times] : times_) {
        if (key.first != operation) continue;
        if (!times.verified) return false;
        any = true;
    }
    return any;
}

}  // namespace muster::tool
