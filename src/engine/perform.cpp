#include "engine/perform.hpp"

#include <optional>

#include "core/care.hpp"
#include "core/hints.hpp"

namespace muster {

namespace {

constexpr int most_ranks_told = 1024;

// What stays the same when a plan runs again.
void describe(Call& call) {
    auto& report = call.session.report;
    auto hints = std::move(report.hints);  // stay as they are while a file is open
    report = {};
    report.operation = name_of(call.plan.direction);
    report.file = call.session.path();
    report.ranks = call.session.comm().size;
    report.nodes = call.session.machine().node_count();
    report.aggregators = call.plan.aggregators;
    report.rounds = call.plan.rounds;
    if (report.ranks <= most_ranks_told) report.node_of = call.session.machine().node_of;
    report.decisions = call.plan.decisions;
    report.decisions.insert(report.decisions.end(), call.afterthoughts.begin(), call.afterthoughts.end());
    auto const& notes = call.session.hint_notes();
    report.decisions.insert(report.decisions.end(), notes.begin(), notes.end());
    for (auto const& decision : call.session.tier_decisions()) report.decisions.push_back(decision);
    if (hints.empty()) hints = listed_hints(call.session.hints());
    report.hints = std::move(hints);
}

// Whether the report tells of this plan already, and there is nothing to add. Whoever has a plan's place in memory later is described
// when it runs for the first time.
bool is_described(Call const& call) {
    return call.reused && call.session.reported_plan == &call.plan && call.afterthoughts.empty() &&
           !call.session.has_tier_decisions();
}

void fill_report(Call& call, double seconds) {
    if (!careful) return;
    if (!is_described(call)) describe(call);
    call.session.reported_plan = call.afterthoughts.empty() ? &call.plan : nullptr;
    call.session.asked = call.plan.summary;
    auto& report = call.session.report;
    report.plan_reused = call.reused;
    report.flow = std::move(call.flow);
    report.mine = call.numbers;
    auto const laps = call.watch.seconds();
    for (std::size_t i = 0; i < laps.size(); ++i) report.mine.seconds[i] += laps[i];
    report.mine.total_seconds = seconds;
    report.mine.shortest_plan = report.mine.longest_plan = report.mine.seconds[static_cast<std::size_t>(Phase::plan)];
    report.mine.bytes = call.intent.access.size();
    report.mine.pieces = call.intent.access.file.piece_count();
}

void remember(Session& session, Pattern pattern) {
    switch (pattern.plan.route) {
        case Route::nothing: return;
        case Route::direct: return session.patterns.remember_direct(std::move(pattern.plan));
        case Route::shared:
        case Route::exchange: return session.patterns.remember(std::move(pattern));
    }
}

}  // namespace

double clock_seconds() { return std::chrono::duration<double>{Stopwatch::Clock::now().time_since_epoch()}.count(); }

Status run_and_report(Call& call, double start) {
    auto status = run_plan(call);
    fill_report(call, clock_seconds() - start);
    if (status.ok() && call.plan.direction == Direction::read) apply_duplicates(call.intent.access);
    return status;
}

Result<Size> perform(Session& session, Direction direction, Result<Access> access) {
    auto const start = clock_seconds();
    auto intent = make_intent(session, direction, std::move(access));
    auto planned = plan_or_recall(session, direction, intent);
    if (!planned) return planned.status();
    auto const recalled = planned->earlier != nullptr;
    std::optional<Pattern> fresh;
    if (!recalled) fresh = Pattern{intent->access.file.alone(), std::move(planned->own), {}};
    auto& pattern = recalled ? *planned->earlier : *fresh;
    // A recalled plan runs where it was made, and only the file access is moved to here.
    intent->access.file.shape = intent->access.file.shape.shifted(-planned->shift);
    intent->list.stream.shape = intent->list.stream.shape.shifted(-planned->shift);
    if (recalled) intent->list.coded.clear();
    Call call{session, pattern.plan, *intent, {}, planned->shift, recalled, &pattern.known};
    call.numbers.seconds[static_cast<std::size_t>(Phase::plan)] = clock_seconds() - start;
    if (auto status = run_and_report(call, start); !status.ok()) return status;
    if (fresh && planned->whole) remember(session, std::move(*fresh));
    return intent->size();
}

}  // namespace muster
