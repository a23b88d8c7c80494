#include "engine/perform.hpp"

#include "core/hints.hpp"

namespace muster {

namespace {

void fill_report(Call& call, double seconds) {
    auto& report = call.session.report;
    report = {};
    report.operation = name_of(call.plan.direction);
    report.file = call.session.path();
    report.ranks = call.session.comm().size;
    report.nodes = call.session.machine().node_count();
    report.aggregators = call.plan.aggregators;
    report.rounds = call.plan.rounds;
    report.plan_reused = call.reused;
    report.decisions = call.plan.decisions;
    auto const& notes = call.session.hint_notes();
    report.decisions.insert(report.decisions.end(), notes.begin(), notes.end());
    report.hints = list_hints(call.session.hints());
    report.mine = call.numbers;
    auto const laps = call.watch.seconds();
    for (std::size_t i = 0; i < laps.size(); ++i) report.mine.seconds[i] += laps[i];
    report.mine.total_seconds = seconds;
    report.mine.bytes = call.intent.access.size();
    report.mine.pieces = call.intent.access.file.piece_count();
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
    auto const plan = plan_together(session, direction, intent, Beyond::cut);
    if (!plan) return plan.status();
    Call call{session, *plan, *intent};
    call.numbers.seconds[static_cast<std::size_t>(Phase::plan)] = clock_seconds() - start;
    if (auto status = run_and_report(call, start); !status.ok()) return status;
    return intent->access.size();
}

}  // namespace muster
