#include "preload/record.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <mutex>

#include "core/environment.hpp"
#include "core/json.hpp"
#include "core/report_json.hpp"
#include "preload/capturing.hpp"
#include "preload/info.hpp"
#include "preload/record_sums.hpp"

namespace muster::preload {

namespace {

struct Records {
    std::mutex mutex;
    std::string files;  // JSON objects with commas between
    Totals totals;
};

Records& records() {
    static auto* const kept = new Records;
    return *kept;
}

bool asked_for(char const* name) {
    auto const value = environment_variable(name);
    return value && !value->empty() && *value != "0";
}

bool& wanted() {
    static bool wants = asked_for("MUSTER_REPORT") || asked_for("MUSTER_SUMMARY");
    return wants;
}

// --- one file ---

void write_counts(JsonWriter& json, std::vector<Size> const& counts) {
    json.key("calls").begin_array();
    for (std::size_t call = 0; call < call_count; ++call) {
        auto const* const row = counts.data() + call * reason_count;
        Size all = 0;
        for (std::size_t i = 0; i < reason_count; ++i) all += row[i];
        if (all == 0) continue;
        json.begin_object().member("call", call_names[call]);
        json.member("handled", row[0]).member("passed", all - row[0]).key("reasons").begin_object();
        for (std::size_t i = 1; i < reason_count; ++i) {
            if (row[i] > 0) json.member(reason_names[i], row[i]);
        }
        json.end_object().end_object();
    }
    json.end_array();
}

void write_phases(JsonWriter& json, PatternSums const& sums) {
    json.key("phases").begin_object();
    for (std::size_t i = 0; i < phase_count; ++i) {
        json.key(name_of(static_cast<Phase>(i))).begin_object();
        json.member("min", sums.lowest[i]).member("mean", sums.mean[i]).member("max", sums.highest[i]).end_object();
    }
    json.end_object();
}

void write_plan(JsonWriter& json, PatternAccount const& pattern) {
    auto const& report = pattern.report;
    json.member("rounds", report.rounds).member("plans_reused", pattern.reused).member("nodes", report.nodes);
    json.key("aggregators").begin_array();
    for (auto const rank : report.aggregators) json.value(rank);
    json.end_array().key("decisions").begin_array();
    for (auto const& [subject, choice, reason] : report.decisions) {
        json.begin_object().member("subject", subject).member("choice", choice).member("reason", reason).end_object();
    }
    json.end_array();
}

void write_details(JsonWriter& json, PatternSums const& sums) {
    if (!sums.flow.empty()) write_flow(json.key("flow"), sums.flow);
    if (sums.by_rank.empty()) return;
    json.key("by_rank").begin_array();
    for (auto const& rank : sums.by_rank) {
        json.begin_object().key("phases").begin_object();
        for (std::size_t i = 0; i < phase_count; ++i) json.member(name_of(static_cast<Phase>(i)), rank.seconds[i]);
        json.end_object().member("shortest_plan", rank.shortest_plan).member("longest_plan", rank.longest_plan);
        json.end_object();
    }
    json.end_array();
}

void write_pattern(JsonWriter& json, PatternAccount const& pattern, PatternSums const& sums) {
    auto const seconds = sums.highest[phase_count];
    auto const& summary = pattern.summary;
    json.begin_object().member("call", name_of(pattern.call)).member("operation", pattern.report.operation);
    json.member("calls", pattern.calls).member("bytes", sums.total.bytes).member("pieces", sums.total.pieces);
    json.member("bytes_per_call", summary.bytes).member("pieces_per_call", summary.pieces);
    json.member("range_per_call", summary.high - summary.low).member("ranks_with_data", summary.ranks_with_data);
    json.member("seconds", seconds);
    json.member("bytes_per_second", seconds > 0 ? static_cast<double>(sums.total.bytes) / seconds : 0.0);
    write_phases(json, sums);
    write_plan(json, pattern);
    write_rank(json.key("total"), sums.total);
    write_details(json, sums);
    json.end_object();
}

void write_patterns(JsonWriter& json, Accounts const& accounts, std::vector<PatternSums> const& sums) {
    json.key("patterns").begin_array();
    for (std::size_t i = 0; i < sums.size(); ++i) write_pattern(json, accounts.patterns()[i], sums[i]);
    json.end_array();
}

// Which rank is on which node, where they are not too many.
void write_nodes(JsonWriter& json, OpenFile const& file) {
    json.key("node_of").begin_array();
    if (file.session && file.comm.comm.size <= 1024) {
        for (auto const node : file.session->machine().node_of) json.value(node);
    }
    json.end_array();
}

std::string describe(OpenFile const& file, std::vector<Size> const& counts, std::vector<PatternSums> const& sums) {
    JsonWriter json;
    json.begin_object().member("file", file.path).member("ranks", file.comm.comm.size);
    json.member("left_to_the_mpi", file.left_alone() ? name_of(file.reason) : std::string_view{});
    json.member("first_failure", file.accounts.failure());
    write_nodes(json, file);
    write_counts(json, counts);
    write_patterns(json, file.accounts, sums);
    json.key("hints").begin_object();
    auto const hints = file.session ? list_hints(file.session->hints()) : in_force(sensible(file.hints));
    for (auto const& [name, value] : hints) json.member(name, value);
    return json.end_object().end_object().text();
}

}  // namespace

bool wants_record() { return wanted(); }

void agree_on_records() {
    std::array<Size, 2> wants{wanted() ? 1 : 0, wants_capture() ? 1 : 0};
    broadcast(Comm::of(MPI_COMM_WORLD), std::as_writable_bytes(std::span{wants}), 0);
    wanted() = wants[0] != 0;
    want_capture(wants[1] != 0);
}

void keep_record(OpenFile& file) {
    auto counts = file.accounts.counts();
    reduce_all(file.comm.comm, counts, MPI_SUM);
    auto const sums = add_up(file.comm.comm, file.accounts.patterns());
    if (file.comm.comm.rank != 0) return;
    auto const text = describe(file, counts, sums);
    std::lock_guard const lock{records().mutex};
    auto& kept = records();
    kept.files += (kept.files.empty() ? "" : ",\n") + text;
    kept.totals += totals_of(counts, file.accounts.patterns(), sums);
}

// --- all of them ---

namespace {

// Collective over the world. The texts of all ranks, on the first.
std::string join_texts(Comm const& world, std::string const& mine) {
    std::string all;
    auto const sizes = gather_all(world, static_cast<Size>(mine.size()));
    for (Rank rank = 0; rank < world.size; ++rank) {
        if (sizes[static_cast<std::size_t>(rank)] == 0) continue;
        auto const text = broadcast(world, rank == world.rank ? mine : std::string{}, rank);
        if (world.rank == 0) all += (all.empty() ? "" : ",\n") + text;
    }
    return all;
}

std::string name_of_report(std::string name) {
    if (auto const at = name.find("%p"); at != name.npos) name.replace(at, 2, std::to_string(getpid()));
    return name;
}

void write_report(Comm const& world, std::string const& files, Size unclosed) {
    auto const name = environment_variable("MUSTER_REPORT");
    if (!name || name->empty() || *name == "0") return;
    std::ofstream out{name_of_report(*name)};
    JsonWriter head;
    head.begin_object().member("schema", "muster.drop-in").member("version", 1).member("muster", MUSTER_VERSION);
    head.member("mpi", MUSTER_MPI_NAME).member("ranks", world.size).member("files_not_closed", unclosed);
    out << head.text() << ",\"files\":[\n" << files << "\n]}\n";
    if (!out.flush()) std::fprintf(stderr, "muster: cannot write the report %s\n", name->c_str());
}

}  // namespace

void tell_records() {
    write_capture();
    if (!wanted()) return;
    auto const world = Comm::of(MPI_COMM_WORLD);
    auto const files = join_texts(world, records().files);
    auto const totals = add_up(world, records().totals);
    auto unclosed = still_open();
    reduce_all(world, std::span{&unclosed, 1}, MPI_MAX);
    if (world.rank != 0) return;
    write_report(world, files, unclosed);
    if (asked_for("MUSTER_SUMMARY")) std::fprintf(stderr, "%s\n", summary_of(totals).c_str());
}

}  // namespace muster::preload
