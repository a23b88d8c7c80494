// Two-phase I/O by messages, write and read: lists to the aggregators, then round by round data and windows.
// A storage error is kept and the rounds go on, so that no rank is left waiting.
#include "engine/behind.hpp"
#include "exchange/rounds.hpp"

namespace muster {

namespace {

// Where the watchdog finds what this rank does.
void note_progress(char const* doing, Size round) {
    watchdog().doing = doing;
    watchdog().round = static_cast<long>(round);
}

// Collective. What the aggregators know of the others for these rounds, and the memory for them: the last steps that may fail
// on one rank alone, so the verdict is agreed upon here.
struct Preparation {
    std::vector<Contributor> contributors;
    RoundBuffers buffers;
};

bool keeps_lists(Call const& call) { return call.known != nullptr && call.plan.rounds_per_chapter >= call.plan.rounds; }

Result<std::vector<Contributor>> learn_lists(Call& call, Courier& courier, Chapter chapter) {
    if (keeps_lists(call) && call.known->lists) return *call.known->lists;
    auto const lap = call.watch.phase(Phase::metadata);
    note_progress("exchanging extent lists", chapter.first_round);
    auto const& own = call.intent.list;
    auto lists = own.coded.empty() ? exchange_lists(courier, call.plan, make_list(own.stream), chapter)
                                   : exchange_lists(courier, call.plan, own, chapter);
    return lists;
}

Result<Preparation> prepare(Call& call, Courier& courier, Chapter chapter) {
    auto lists = learn_lists(call, courier, chapter);
    auto buffers = RoundBuffers::reserve(call);
    auto const lap = call.watch.phase(Phase::wait);
    auto const verdict = call.session.quorum().agree(first_failure(lists.status(), buffers.status()));
    call.agreed = !verdict.ok();
    if (call.agreed) return verdict;
    if (keeps_lists(call)) call.known->lists = *lists;  // only now: all ranks have theirs
    return Preparation{std::move(*lists), std::move(*buffers)};
}

Party party_of(Call& call, Courier& courier, Preparation const& ready) {
    return {courier,
            call.plan,
            call.intent.access,
            ready.contributors,
            call.watch,
            ready.buffers.packed(),
            ready.buffers.staging()};
}

Status write_chapter(Call& call, Courier& courier, Chapter chapter) {
    auto ready = prepare(call, courier, chapter);
    if (!ready) return ready.status();
    auto const party = party_of(call, courier, *ready);
    WriteBehind writes{call, ready->buffers};
    for (auto round = chapter.first_round; round < chapter.last_round; ++round) {
        note_progress("writing", round);
        auto const window = writes.free_window(round);
        gather_round(party, round, window);
        writes.submit(round, ready->contributors);
    }
    auto status = writes.finish();
    ready->buffers.release(call.session.pool);
    return status;
}

Status read_chapter(Call& call, Courier& courier, Chapter chapter) {
    auto ready = prepare(call, courier, chapter);
    if (!ready) return ready.status();
    auto const party = party_of(call, courier, *ready);
    ReadAhead reads{call, ready->buffers};
    auto const ahead = std::max<Size>(ready->buffers.window_count() - 1, 0);
    auto next = chapter.first_round;
    for (auto round = chapter.first_round; round < chapter.last_round; ++round) {
        note_progress("reading", round);
        for (; next <= std::min(round + ahead, chapter.last_round - 1); ++next) reads.start(next, ready->contributors);
        scatter_round(party, round, reads.window(round));
    }
    auto status = reads.finish();
    ready->buffers.release(call.session.pool);
    return status;
}

// Collective. Chapter by chapter, whatever happens in one: a storage failure is known to one rank only.
template <class Run>
Status run_chapters(Call& call, Run&& run) {
    Courier courier{call.session.comm(), call.session.machine(), call.numbers};
    Status failure;
    auto const step = std::max<Size>(call.plan.rounds_per_chapter, 1);
    for (Size first = 0; first < call.plan.rounds; first += step) {
        auto status = run(courier, Chapter{first, std::min(first + step, call.plan.rounds)});
        if (call.agreed) return status;
        failure = first_failure(failure, std::move(status));
    }
    return failure;
}

}  // namespace

Status write_by_exchange(Call& call) {
    return run_chapters(call, [&](Courier& courier, Chapter chapter) { return write_chapter(call, courier, chapter); });
}

Status read_by_exchange(Call& call) {
    return run_chapters(call, [&](Courier& courier, Chapter chapter) { return read_chapter(call, courier, chapter); });
}

}  // namespace muster
