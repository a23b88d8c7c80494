#include "core/care.hpp"
#include "core/flow.hpp"
#include "engine/call.hpp"

namespace muster {

namespace {

Status run_route(Call& call) {
    auto const write = call.plan.direction == Direction::write;
    switch (call.plan.route) {
        case Route::nothing: return {};
        case Route::direct: return write ? write_directly(call) : read_directly(call);
        case Route::shared: return write ? write_by_sharing(call) : read_by_sharing(call);
        case Route::exchange: return write ? write_by_exchange(call) : read_by_exchange(call);
    }
    return {Code::internal, "a plan with an unknown route"};
}

Flow empty_flow(Plan const& plan) {
    if (!careful) return {};
    if (plan.route != Route::shared && plan.route != Route::exchange) return {};
    auto flow = make_flow(1, static_cast<Size>(plan.aggregators.size()), plan.rounds);
    flow.seconds_by_round.resize(flow.by_round.size());
    return flow;
}

}  // namespace

Status run_plan(Call& call) {
    call.flow = empty_flow(call.plan);
    auto const before = call.session.storage_counts();
    auto const mine = run_route(call);
    auto const used = call.session.storage_counts() - before;
    call.numbers.file_reads += used.reads;
    call.numbers.file_writes += used.writes;
    call.numbers.file_bytes_read += used.bytes_read;
    call.numbers.file_bytes_written += used.bytes_written;
    call.numbers.seconds[static_cast<std::size_t>(Phase::file)] += used.seconds;
    if (call.agreed || !careful) return mine;
    auto const lap = call.watch.phase(Phase::wait);
    watchdog().doing = "waiting for the verdict of all ranks";
    watchdog().round = -1;
    return call.session.quorum().agree(mine);
}

}  // namespace muster
