#include "muster/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>

#include "core/hints.hpp"
#include "core/report_json.hpp"

namespace muster {

namespace {

struct Counter {
    char const* name;
    Size RankReport::*member;
};

constexpr std::array counters{
    Counter{"bytes", &RankReport::bytes},
    Counter{"pieces", &RankReport::pieces},
    Counter{"messages_inside_node", &RankReport::messages_inside_node},
    Counter{"messages_between_nodes", &RankReport::messages_between_nodes},
    Counter{"bytes_inside_node", &RankReport::bytes_inside_node},
    Counter{"bytes_between_nodes", &RankReport::bytes_between_nodes},
    Counter{"metadata_bytes", &RankReport::metadata_bytes},
    Counter{"file_reads", &RankReport::file_reads},
    Counter{"file_writes", &RankReport::file_writes},
    Counter{"file_bytes_read", &RankReport::file_bytes_read},
    Counter{"file_bytes_written", &RankReport::file_bytes_written},
    Counter{"read_modify_writes", &RankReport::read_modify_writes},
    Counter{"kernel_fallbacks", &RankReport::kernel_fallbacks},
};

constexpr auto phases = [] {
    std::array<Phase, phase_count> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Phase>(i);
    return all;
}();

double seconds_of(RankReport const& rank, Phase phase) { return rank.seconds[static_cast<std::size_t>(phase)]; }

// Of a phase, over the ranks.
struct Spread {
    double min{0};
    double mean{0};
    double max{0};
};

using Ranks = std::span<RankReport const>;

Spread spread_of(Ranks ranks, Phase phase) {
    Spread spread{seconds_of(ranks[0], phase), 0, 0};
    for (auto const& rank : ranks) {
        auto const seconds = seconds_of(rank, phase);
        spread.min = std::min(spread.min, seconds);
        spread.max = std::max(spread.max, seconds);
        spread.mean += seconds / static_cast<double>(ranks.size());
    }
    return spread;
}

bool gathered(Report const& report) { return !report.by_rank.empty(); }

// All ranks where they are known, else this one.
Ranks known_ranks(Report const& report) { return gathered(report) ? Ranks{report.by_rank} : Ranks{&report.mine, 1}; }

RankReport const& known_sum(Report const& report) { return gathered(report) ? report.total : report.mine; }

double slowest(Ranks ranks) {
    double seconds = 0;
    for (auto const& rank : ranks) seconds = std::max(seconds, rank.total_seconds);
    return seconds;
}

double bytes_per_second(Report const& report) {
    auto const seconds = slowest(known_ranks(report));
    return seconds > 0 ? static_cast<double>(known_sum(report).bytes) / seconds : 0;
}

// --- text ---

template <class... Values>
std::string formatted(char const* format, Values... values) {
    std::array<char, 128> text{};
    std::snprintf(text.data(), text.size(), format, values...);
    return text.data();
}

std::string counted(Size count, std::string const& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string headline(Report const& report) {
    auto const calls = report.calls > 1 ? std::to_string(report.calls) + " calls, " : std::string{};
    return report.operation + " of " + report.file + ": " + calls + counted(report.ranks, "rank") + " on " +
           counted(report.nodes, "node") + ", " + counted(static_cast<Size>(report.aggregators.size()), "aggregator") +
           ", " + counted(report.rounds, "round") + (report.plan_reused ? ", plan reused" : "") + "\n";
}

std::string volume(Report const& report) {
    auto const& sum = known_sum(report);
    return (gathered(report) ? "  " : "  this rank only: ") + format_size(sum.bytes) + " in " +
           counted(sum.pieces, "piece") + formatted(", %.6f s, ", slowest(known_ranks(report))) +
           format_size(std::llround(bytes_per_second(report))) + "/s\n";
}

// "0-3,8": ranks in their order, runs shortened; the rest of a long list is only counted.
std::string aggregator_list(std::vector<Rank> const& ranks) {
    constexpr std::size_t most_runs = 12;
    std::string text;
    std::size_t runs = 0;
    for (std::size_t i = 0; i < ranks.size();) {
        if (runs++ == most_runs) return text + " and " + std::to_string(ranks.size() - i) + " more";
        auto last = i;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
        text.append(text.empty() ? "" : ",").append(std::to_string(ranks[i]));
        if (last > i) text.append("-").append(std::to_string(ranks[last]));
        i = last + 1;
    }
    return text;
}

std::string bar(double part, double whole) {
    constexpr double width = 30;
    return std::string(whole > 0 ? static_cast<std::size_t>(std::lround(width * part / whole)) : 0, '#');
}

std::string phase_table(Report const& report) {
    auto const ranks = known_ranks(report);
    std::array<Spread, phase_count> spreads{};
    double longest = 0;
    for (auto const phase : phases) {
        auto& spread = spreads[static_cast<std::size_t>(phase)] = spread_of(ranks, phase);
        longest = std::max(longest, spread.mean);
    }
    std::string text = "\n  seconds          min       mean        max\n";
    for (auto const phase : phases) {
        auto const& [min, mean, max] = spreads[static_cast<std::size_t>(phase)];
        auto line = formatted("  %-9s %10.6f %10.6f %10.6f  ", name_of(phase), min, mean, max) + bar(mean, longest);
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string traffic(RankReport const& sum) {
    return "\n  messages  " + std::to_string(sum.messages_inside_node) + " (" + format_size(sum.bytes_inside_node) +
           ") inside nodes, " + std::to_string(sum.messages_between_nodes) + " (" +
           format_size(sum.bytes_between_nodes) + ") between nodes; metadata " + format_size(sum.metadata_bytes) +
           "\n  file      " + counted(sum.file_writes, "write") + " (" + format_size(sum.file_bytes_written) + "), " +
           counted(sum.file_reads, "read") + " (" + format_size(sum.file_bytes_read) + "), " +
           counted(sum.read_modify_writes, "read-modify-write") + "\n";
}

// Every rank counts the rounds.
std::string fallbacks(RankReport const& mine) {
    if (mine.kernel_fallbacks == 0) return {};
    return "  kernel    alltoallw gave way to ascending-sync in " + counted(mine.kernel_fallbacks, "exchange") +
           ": the messages did not fit at once\n";
}

std::string decision_list(std::vector<Decision> const& decisions) {
    std::string text = decisions.empty() ? "" : "\n  decisions\n";
    for (auto const& [subject, choice, reason] : decisions) {
        text += "    " + subject + ": " + choice + (reason.empty() ? "" : " (" + reason + ")") + "\n";
    }
    return text;
}

std::string hint_list(std::vector<HintPair> const& hints) {
    auto const changed = changed_hints(hints);
    std::string text = changed.empty() ? "" : "\n  hints that differ from the default\n";
    for (auto const& [name, value] : changed) text += "    " + name + " = " + value + "\n";
    return text;
}

// --- JSON ---

void write_head(JsonWriter& json, Report const& report) {
    json.member("operation", report.operation).member("file", report.file);
    json.member("ranks", report.ranks).member("nodes", report.nodes);
    json.key("aggregators").begin_array();
    for (auto const rank : report.aggregators) json.value(rank);
    json.end_array().member("rounds", report.rounds).member("plan_reused", report.plan_reused);
    json.member("calls", report.calls).key("node_of").begin_array();
    for (auto const node : report.node_of) json.value(node);
    json.end_array();
    if (report.flow.empty()) {
        json.key("flow").null();
    } else {
        write_flow(json.key("flow"), report.flow);
    }
}

void write_sums(JsonWriter& json, Report const& report) {
    auto const ranks = known_ranks(report);
    json.member("gathered", gathered(report));
    json.member("bytes", known_sum(report).bytes).member("pieces", known_sum(report).pieces);
    json.member("seconds", slowest(ranks)).member("bytes_per_second", bytes_per_second(report));
    json.key("phases").begin_object();
    for (auto const phase : phases) {
        auto const spread = spread_of(ranks, phase);
        json.key(name_of(phase)).begin_object();
        json.member("min", spread.min).member("mean", spread.mean).member("max", spread.max).end_object();
    }
    json.end_object();
}

void write_ranks(JsonWriter& json, Report const& report) {
    write_rank(json.key("mine"), report.mine);
    json.key("total");
    if (gathered(report)) {
        write_rank(json, report.total);
    } else {
        json.null();
    }
    json.key("by_rank").begin_array();
    for (auto const& rank : report.by_rank) write_rank(json, rank);
    json.end_array();
}

void write_reasons(JsonWriter& json, Report const& report) {
    json.key("decisions").begin_array();
    for (auto const& [subject, choice, reason] : report.decisions) {
        json.begin_object().member("subject", subject).member("choice", choice).member("reason", reason).end_object();
    }
    json.end_array().key("hints").begin_object();
    for (auto const& [name, value] : report.hints) json.member(name, value);
    json.end_object();
}

template <class Values>
void write_list(JsonWriter& json, Values const& values) {
    json.begin_array();
    for (auto const value : values) json.value(value);
    json.end_array();
}

}  // namespace

void write_rank(JsonWriter& json, RankReport const& rank) {
    json.begin_object().key("phases").begin_object();
    for (auto const phase : phases) json.member(name_of(phase), seconds_of(rank, phase));
    json.end_object().member("total_seconds", rank.total_seconds);
    for (auto const& [name, member] : counters) json.member(name, rank.*member);
    json.member("shortest_plan", rank.shortest_plan).member("longest_plan", rank.longest_plan).end_object();
}

void write_flow(JsonWriter& json, Flow const& flow) {
    json.begin_object().member("ranks_per_row", flow.ranks_per_row);
    json.member("aggregators_per_column", flow.aggregators_per_column).member("rounds_per_step", flow.rounds_per_step);
    json.key("bytes").begin_array();
    for (auto const& row : flow.bytes) write_list(json, row);
    write_list(json.end_array().key("bytes_by_round"), flow.by_round);
    write_list(json.key("seconds_by_round"), flow.seconds_by_round);
    json.end_object();
}

char const* name_of(Phase phase) {
    switch (phase) {
        case Phase::plan: return "plan";
        case Phase::metadata: return "metadata";
        case Phase::pack: return "pack";
        case Phase::exchange: return "exchange";
        case Phase::assemble: return "assemble";
        case Phase::file: return "file";
        case Phase::wait: return "wait";
    }
    return "unknown";
}

RankReport& RankReport::operator+=(RankReport const& other) {
    for (std::size_t i = 0; i < seconds.size(); ++i) seconds[i] += other.seconds[i];
    total_seconds += other.total_seconds;
    for (auto const& counter : counters) this->*counter.member += other.*counter.member;
    auto const first = longest_plan == 0;
    shortest_plan = first ? other.shortest_plan : std::min(shortest_plan, other.shortest_plan);
    longest_plan = std::max(longest_plan, other.longest_plan);
    return *this;
}

namespace {

template <class Values>
void add_each(Values& sums, Values const& more) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += more[i];
}

bool same_sizes(Flow const& left, Flow const& right) {
    return left.bytes.size() == right.bytes.size() && left.bytes.front().size() == right.bytes.front().size() &&
           left.by_round.size() == right.by_round.size() && left.ranks_per_row == right.ranks_per_row &&
           left.seconds_by_round.size() == right.seconds_by_round.size();
}

}  // namespace

Flow& Flow::operator+=(Flow const& other) {
    if (empty()) return *this = other;
    if (other.empty() || !same_sizes(*this, other)) return *this;
    for (std::size_t row = 0; row < bytes.size(); ++row) add_each(bytes[row], other.bytes[row]);
    add_each(by_round, other.by_round);
    add_each(seconds_by_round, other.seconds_by_round);
    return *this;
}

Report& Report::operator+=(Report const& later) {
    calls += later.calls;
    rounds += later.rounds;
    plan_reused = later.plan_reused;
    mine += later.mine;
    flow += later.flow;
    return *this;
}

std::string Report::text() const {
    if (operation.empty()) return "nothing was read or written yet\n" + hint_list(hints);
    auto const who = aggregators.empty() ? "" : "  aggregators: " + aggregator_list(aggregators) + "\n";
    return headline(*this) + volume(*this) + who + phase_table(*this) + traffic(known_sum(*this)) + fallbacks(mine) +
           decision_list(decisions) + hint_list(hints);
}

std::string Report::json() const {
    JsonWriter json;
    json.begin_object();
    write_head(json, *this);
    write_sums(json, *this);
    write_ranks(json, *this);
    write_reasons(json, *this);
    return json.end_object().text();
}

}  // namespace muster
