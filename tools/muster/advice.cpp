#include "advice.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/hints.hpp"

namespace muster::tool {

namespace {

// Prices of the cost model, in seconds and bytes per second.
constexpr double price_of_call = 2e-4;   // the vote, and an end that all wait for
constexpr double price_of_round = 5e-5;  // messages come and go, a write is begun
constexpr double price_of_message = 2e-6;
constexpr double price_of_shared_stripe = 1e-4;  // a lock goes from one to another
constexpr double network_speed = 5e9;            // into one aggregator
constexpr double storage_speed = 1e9;            // of one aggregator

constexpr double least_gain = 0.1;  // of the time: less is not worth a word
constexpr Size good_window = Size{16} << 20;
constexpr Size good_shared_window = Size{256} << 10;  // in shared memory rounds need no messages

// As a hint takes it.
std::string hint_text(Size bytes) {
    if (bytes % (1 << 20) == 0) return std::to_string(bytes >> 20) + "MiB";
    return bytes % 1024 == 0 ? std::to_string(bytes >> 10) + "KiB" : std::to_string(bytes);
}

bool windows_share_stripes(Finding const& finding) {
    if (finding.stripe_size == 0 || finding.window == 0) return false;
    return finding.layout != "striped" || finding.window % finding.stripe_size != 0;
}

Advice about(Finding const& finding, std::string subject) {
    Advice advice;
    advice.subject = std::move(subject);
    advice.where = finding.title;
    advice.of = finding.seconds;
    return advice;
}

double gain_by_model(Finding const& before, Finding const& after) {
    return expected_seconds(before) - expected_seconds(after);
}

// --- the rules: each gives an advice, with no gain where it does not apply ---

Advice on_aggregators(Finding const& finding) {
    auto advice = about(finding, "aggregators");
    if (finding.route != "exchange" || finding.aggregators >= finding.nodes || finding.aggregators == 0) return advice;
    auto const factor = static_cast<double>(finding.nodes) / static_cast<double>(finding.aggregators);
    advice.problem = fmt::format("{} of {} nodes have an aggregator: all bytes go through few memories and links",
                                 finding.aggregators, finding.nodes);
    advice.change = fmt::format("muster_aggregators={} (one per node), or leave the hint out", finding.nodes);
    auto const served = finding.phase("exchange") + finding.phase("assemble") + finding.phase("file");
    advice.gain = served * (1 - 1 / factor);
    if (!finding.planned) return advice;
    auto after = finding;
    after.aggregators = finding.nodes;
    after.rounds = static_cast<Size>(std::ceil(static_cast<double>(finding.rounds) / factor));
    after.messages_to_one = static_cast<Size>(static_cast<double>(finding.messages_to_one) / factor);
    advice.gain = gain_by_model(finding, after);
    return advice;
}

Advice on_window(Finding const& finding) {
    auto advice = about(finding, "window");
    auto const rounds = finding.planned ? finding.rounds / std::max<Size>(finding.calls, 1) : finding.rounds;
    auto const enough = finding.route == "shared" ? good_shared_window : good_window;
    if (finding.window == 0 || finding.window >= enough || rounds < 4) return advice;
    auto const fewer = std::min<Size>(good_window / finding.window, rounds);
    auto const window = finding.window * fewer;
    advice.problem = fmt::format("a window of {} makes {} rounds, and every round costs messages and waiting",
                                 format_size(finding.window), rounds);
    advice.change = "muster_window=" + hint_text(window);
    auto const kept = 1 / static_cast<double>(fewer);
    advice.gain = (finding.phase("exchange") + finding.phase("wait")) * (1 - kept) / 2;  // the bytes stay the same
    if (!finding.planned) return advice;
    auto after = finding;
    after.window = window;
    after.rounds = static_cast<Size>(std::ceil(static_cast<double>(finding.rounds) * kept));
    after.messages_to_one = static_cast<Size>(static_cast<double>(finding.messages_to_one) * kept);
    advice.gain = gain_by_model(finding, after);
    return advice;
}

Advice on_calls(Finding const& finding) {
    auto advice = about(finding, "calls");
    auto const each = finding.bytes / std::max<Size>(finding.calls, 1);
    if (finding.calls < 8 || each / std::max<Size>(finding.aggregators, 1) > good_window) return advice;
    advice.problem = fmt::format("{} calls of {} each: every call is planned, voted on and waited for by itself",
                                 finding.calls, format_size(each));
    advice.change =
        "access several datasets in one call (HDF5: H5Dwrite_multi; PnetCDF: ncmpi_iput and ncmpi_wait_all; Muster: one "
        "access with all extents), or keep a plan";
    auto const saved = 1 - 1 / static_cast<double>(finding.calls);
    // What even the busiest rank spends on it: others wait for that one's work.
    advice.gain = (finding.least("plan") + finding.least("metadata") + finding.least("wait")) * saved;
    if (!finding.planned) return advice;
    auto after = finding;
    after.calls = 1;
    auto const whole = static_cast<double>(finding.bytes) /
                       (static_cast<double>(finding.aggregators) * static_cast<double>(finding.window));
    after.rounds = std::max<Size>(1, std::min<Size>(finding.rounds, static_cast<Size>(std::ceil(whole))));
    after.messages_to_one = finding.messages_to_one * after.rounds / std::max<Size>(finding.rounds, 1);
    advice.gain = gain_by_model(finding, after);
    return advice;
}

Advice on_stripes(Finding const& finding) {
    auto advice = about(finding, "stripes");
    if (!windows_share_stripes(finding)) return advice;
    advice.problem = fmt::format("stripes of {} are not served whole by one aggregator: their locks go to and fro",
                                 format_size(finding.stripe_size));
    auto after = finding;
    after.layout = "striped";
    after.window = (finding.window + finding.stripe_size - 1) / finding.stripe_size * finding.stripe_size;
    advice.change =
        "muster_layout=striped" + (after.window == finding.window ? "" : " muster_window=" + hint_text(after.window));
    advice.gain = finding.planned ? gain_by_model(finding, after) : finding.phase("file") / 2;
    return advice;
}

// One call may have met a rank that was not scheduled in time; where all cores are busy that is common.
constexpr Size calls_to_be_sure = 3;
constexpr double surely_late = 0.2;  // seconds, for fewer calls
constexpr double surely_late_share = 0.5;

double middle(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// The others wait in the first vote for the one that comes last. It is the same one every time if the others wait in every
// call, even in that in which they wait least, longer than it does.
Advice on_late_rank(Finding const& finding) {
    auto advice = about(finding, "late rank");
    if (finding.arrival.size() < 3) return advice;
    auto const earlier = [](Arrival const& a, Arrival const& b) { return a.mean < b.mean; };
    auto const late = std::min_element(finding.arrival.begin(), finding.arrival.end(), earlier);
    std::vector<double> means, shortest;
    for (auto rank = finding.arrival.begin(); rank != finding.arrival.end(); ++rank) {
        if (rank == late) continue;
        means.push_back(rank->mean);
        shortest.push_back(rank->shortest);
    }
    if (*std::min_element(means.begin(), means.end()) < middle(means) / 2) return advice;  // several come late
    auto const gain = (middle(means) - late->mean) * static_cast<double>(finding.calls);
    auto const often = finding.calls >= calls_to_be_sure && middle(shortest) > 2 * late->mean;
    auto const long_enough = gain > surely_late && gain > finding.seconds * surely_late_share;
    if (finding.calls >= calls_to_be_sure ? !often : !long_enough) return advice;
    advice.problem =
        fmt::format("rank {} comes {:.4f} s after the others, which wait for it{}", late - finding.arrival.begin(),
                    middle(means) - late->mean, finding.calls > 1 ? " in every call" : "");
    advice.change = "look at what this rank does before the call; its file access is not the reason";
    advice.gain = gain;
    return advice;
}

Advice on_holes(Finding const& finding) {
    auto advice = about(finding, "holes");
    if (finding.read_modify_writes == 0) return advice;
    advice.problem =
        fmt::format("{} windows had holes, and were read before they were written", finding.read_modify_writes);
    advice.change =
        "write all bytes of the range, fill values too; or raise muster_hole_writes if the holes are few and large";
    advice.gain = finding.phase("file") / 2;
    return advice;
}

void add_left_to_the_mpi(std::vector<Advice>& list, Source source, Json const& json) {
    for (auto const& [reason, count] : left_to_the_mpi(source, json)) {
        Advice advice;
        advice.subject = "drop-in";
        advice.where = "all files";
        advice.problem = fmt::format("{} collective accesses were left to the MPI: {}", count, reason);
        advice.change = "see docs/drop-in.md for what it cannot take over";
        list.push_back(advice);
    }
}

}  // namespace

double expected_seconds(Finding const& finding) {
    auto const count = [](Size number) { return static_cast<double>(number); };
    auto const servers = count(std::max<Size>(finding.aggregators, 1));
    auto const moved = count(finding.bytes) / servers;
    auto seconds = count(finding.calls) * price_of_call + count(finding.rounds) * price_of_round +
                   count(finding.messages_to_one) * price_of_message +
                   std::max(moved / network_speed, moved / storage_speed);
    if (windows_share_stripes(finding)) seconds += moved / count(finding.stripe_size) * price_of_shared_stripe;
    return seconds;
}

std::vector<Advice> advise(Finding const& finding) {
    std::vector<Advice> list{on_aggregators(finding), on_window(finding),    on_calls(finding),
                             on_stripes(finding),     on_late_rank(finding), on_holes(finding)};
    std::erase_if(list, [](Advice const& advice) { return advice.gain <= advice.of * least_gain || advice.gain <= 0; });
    std::stable_sort(list.begin(), list.end(), [](Advice const& a, Advice const& b) { return a.gain > b.gain; });
    return list;
}

std::vector<Advice> advise(Source source, Json const& json) {
    std::vector<Advice> list;
    for (auto const& finding : findings_of(source, json)) {
        auto const more = advise(finding);
        list.insert(list.end(), more.begin(), more.end());
    }
    std::stable_sort(list.begin(), list.end(), [](Advice const& a, Advice const& b) { return a.gain > b.gain; });
    add_left_to_the_mpi(list, source, json);
    return list;
}

Json to_json(std::vector<Advice> const& list) {
    auto json = Json::array();
    for (auto const& advice : list) {
        json.push_back({{"subject", advice.subject},
                        {"where", advice.where},
                        {"problem", advice.problem},
                        {"change", advice.change},
                        {"gain_s", advice.gain},
                        {"of_s", advice.of}});
    }
    return json;
}

}  // namespace muster::tool
