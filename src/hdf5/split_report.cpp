#include "hdf5/split_report.hpp"

#include <algorithm>
#include <cstdio>

#include "core/json.hpp"

namespace muster::hdf5 {

namespace {

struct Part {
    char const* name;
    double TimeSplit::*seconds;
};

constexpr std::array parts{
    Part{"file", &TimeSplit::file},
    Part{"communication", &TimeSplit::communication},
    Part{"collective", &TimeSplit::collective},
    Part{"hdf5", &TimeSplit::hdf5},
    Part{"total", &TimeSplit::total},
};

std::string seconds_text(TimeSplit const& split) {
    std::string text;
    for (auto const& part : parts) {
        std::array<char, 64> buffer{};
        std::snprintf(buffer.data(), buffer.size(), "%s%s %.6f s", text.empty() ? "" : ", ", part.name,
                      split.*part.seconds);
        text += buffer.data();
    }
    return text;
}

std::string tally_text(Tally const& tally) {
    auto const number = [](Size value) { return std::to_string(value); };
    return number(tally.calls) + " calls, " + number(tally.datasets) + " datasets, " + number(tally.one_by_one) +
           " of them one by one, " + number(tally.collective_calls) + " collective calls, " + number(tally.rounds) +
           " rounds, " + number(tally.bytes) + " B\n  " + seconds_text(tally.seconds) + "\n";
}

void write_tally(JsonWriter& json, char const* name, Tally const& tally) {
    json.key(name).begin_object();
    json.member("calls", tally.calls).member("collective_calls", tally.collective_calls);
    json.member("rounds", tally.rounds).member("datasets", tally.datasets).member("one_by_one", tally.one_by_one);
    json.member("bytes", tally.bytes).key("seconds").begin_object();
    for (auto const& part : parts) json.member(part.name, tally.seconds.*part.seconds);
    json.end_object().end_object();
}

// Seconds as whole nanoseconds, so that one reduction serves all.
constexpr double nanoseconds = 1e9;

void collect(TimeSplit const& split, std::vector<Size>& values) {
    for (auto const& part : parts) values.push_back(static_cast<Size>(split.*part.seconds * nanoseconds));
}

void spread(Size const* values, TimeSplit& split) {
    for (auto const& part : parts) split.*part.seconds = static_cast<double>(*values++) / nanoseconds;
}

}  // namespace

TimeSplit& TimeSplit::operator+=(TimeSplit const& other) {
    for (auto const& part : parts) this->*part.seconds += other.*part.seconds;
    return *this;
}

void TimeSplit::add(RankReport const& call) {
    auto const seconds = [&](Phase phase) { return call.seconds[static_cast<std::size_t>(phase)]; };
    file += seconds(Phase::file);
    communication +=
        seconds(Phase::metadata) + seconds(Phase::pack) + seconds(Phase::exchange) + seconds(Phase::assemble);
    collective += seconds(Phase::plan) + seconds(Phase::wait);
}

void TimeSplit::end(double seconds) {
    total = seconds;
    collective += std::max(0.0, total - file - communication - collective - hdf5);
}

Tally& Tally::operator+=(Tally const& other) {
    calls += other.calls;
    collective_calls += other.collective_calls;
    rounds += other.rounds;
    datasets += other.datasets;
    one_by_one += other.one_by_one;
    bytes += other.bytes;
    seconds += other.seconds;
    return *this;
}

std::string SplitReport::text() const {
    auto text = (operation.empty() ? "no call yet" : operation) + " of " + file + "\nlast: " + tally_text(call);
    text += "all:  " + tally_text(all);
    for (auto const& [dataset, reason] : exceptions) text += "one by one: " + dataset + ": " + reason + "\n";
    for (auto const& decision : decisions) {
        text += "  " + decision.subject + " " + decision.choice + ": " + decision.reason + "\n";
    }
    return text;
}

std::string SplitReport::json() const {
    JsonWriter json;
    json.begin_object().member("operation", operation).member("file", file);
    write_tally(json, "last", call);
    write_tally(json, "all", all);
    json.key("rounds").begin_array();
    for (auto const count : rounds) json.value(count);
    json.end_array().key("one_by_one").begin_array();
    for (auto const& [dataset, reason] : exceptions) {
        json.begin_object().member("dataset", dataset).member("reason", reason).end_object();
    }
    json.end_array().key("decisions").begin_array();
    for (auto const& [subject, choice, reason] : decisions) {
        json.begin_object().member("subject", subject).member("choice", choice).member("reason", reason).end_object();
    }
    return json.end_array().end_object().text();
}

SplitReport gather(Comm const& comm, SplitReport report) {
    std::vector<Size> seconds;
    collect(report.call.seconds, seconds);
    collect(report.all.seconds, seconds);
    reduce_all(comm, seconds, MPI_MAX);
    spread(seconds.data(), report.call.seconds);
    spread(seconds.data() + parts.size(), report.all.seconds);
    std::array bytes{report.call.bytes, report.all.bytes};
    reduce_all(comm, bytes, MPI_SUM);
    report.call.bytes = bytes[0];
    report.all.bytes = bytes[1];
    return report;
}

}  // namespace muster::hdf5
