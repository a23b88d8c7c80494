// Two-phase I/O by messages, write and read: lists to the aggregators, then round by round data and windows.
// A storage error is kept and the rounds go on, so that no rank is left waiting.
#include "engine/behind.hpp"
#include "engine/node_step.hpp"
#include "engine/perform.hpp"
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
    Group* group{nullptr};  // with a node step only, as what it has gathered
    std::shared_ptr<Gathering> gathering;
    std::vector<Contributor> contributors;
    RoundBuffers buffers;

    bool gathers() const { return group != nullptr && !group->alone(); }
};

bool keeps_lists(Call const& call) { return call.known != nullptr && call.plan.rounds_per_chapter >= call.plan.rounds; }

// Collective. What the group has together; null without a node step. A failure is everybody's.
Result<std::shared_ptr<Gathering>> learn_gathering(Call& call, Group* group, Chapter chapter) {
    if (group == nullptr) return std::shared_ptr<Gathering>{};
    if (keeps_lists(call) && call.known->gathering) return call.known->gathering;
    auto const lap = call.watch.phase(Phase::metadata);
    note_progress("merging extent lists of a node", chapter.first_round);
    return gather_lists(call, *group, chapter);
}

// What this rank tells the aggregators: its own list, that of its group, or nothing.
OwnList told_list(Call const& call, Preparation const& ready) {
    if (!ready.gathers()) return call.intent.list;
    return {Stream::whole(ready.gathering->merged), {}};
}

Result<std::vector<Contributor>> learn_lists(Call& call, Courier& courier, Chapter chapter, Preparation const& ready) {
    if (keeps_lists(call) && call.known->lists) return *call.known->lists;
    auto const lap = call.watch.phase(Phase::metadata);
    note_progress("exchanging extent lists", chapter.first_round);
    return exchange_lists(courier, call.plan, told_list(call, ready), chapter);
}

Result<Preparation> prepare(Call& call, Courier& courier, Chapter chapter) {
    Preparation ready;
    if (call.plan.local_aggregators > 0) ready.group = call.session.group(call.plan.local_aggregators);
    auto gathering = learn_gathering(call, ready.group, chapter);
    call.agreed = !gathering;
    if (!gathering) {
        call.afterthoughts.push_back({"local aggregators", "none", gathering.status().message()});
        return gathering.status();
    }
    ready.gathering = std::move(*gathering);
    auto lists = learn_lists(call, courier, chapter, ready);
    auto buffers = RoundBuffers::reserve(call, !ready.gathers());
    auto const lap = call.watch.phase(Phase::wait);
    auto const verdict = call.session.quorum().agree(first_failure(lists.status(), buffers.status()));
    call.agreed = !verdict.ok();
    if (call.agreed) return verdict;
    if (keeps_lists(call)) {  // only now: all ranks have theirs
        call.known->lists = *lists;
        call.known->gathering = ready.gathering;
    }
    ready.contributors = std::move(*lists);
    ready.buffers = std::move(*buffers);
    return ready;
}

Party party_of(Call& call, Courier& courier, Preparation const& ready, NodeStep const& node) {
    Party party{courier,
                call.plan,
                node.access(),
                ready.contributors,
                call.watch,
                ready.buffers.packed(),
                ready.buffers.staging()};
    party.flow = &call.flow;
    return party;
}

// Counts the time it lives.
class RoundTime {
public:
    RoundTime(Call& call, Size round) : call_{call}, round_{round} {}
    ~RoundTime() { count_seconds(call_.flow, round_, clock_seconds() - start_); }
    RoundTime(RoundTime const&) = delete;
    RoundTime& operator=(RoundTime const&) = delete;

private:
    Call& call_;
    Size round_;
    double start_{clock_seconds()};
};

Status write_chapter(Call& call, Courier& courier, Chapter chapter) {
    auto ready = prepare(call, courier, chapter);
    if (!ready) return ready.status();
    NodeStep node{call, ready->group, ready->gathering.get()};
    auto const party = party_of(call, courier, *ready, node);
    WriteBehind writes{call, ready->buffers};
    for (auto round = chapter.first_round; round < chapter.last_round; ++round) {
        note_progress("writing", round);
        RoundTime const time{call, round};
        auto const window = writes.free_window(round);
        for (Size wave = 0; wave < node.waves(); ++wave) {
            auto passage = passage_of(call.plan, round, wave, node.waves());
            node.hand_over(passage);
            gather_round(party, passage, window);
            node.handed_on();
        }
        writes.submit(round, ready->contributors);
    }
    node.finish();
    auto status = writes.finish();
    ready->buffers.release(call.session);
    return status;
}

Status read_chapter(Call& call, Courier& courier, Chapter chapter) {
    auto ready = prepare(call, courier, chapter);
    if (!ready) return ready.status();
    NodeStep node{call, ready->group, ready->gathering.get()};
    auto const party = party_of(call, courier, *ready, node);
    ReadAhead reads{call, ready->buffers};
    auto const ahead = std::max<Size>(ready->buffers.window_count() - 1, 0);
    auto next = chapter.first_round;
    for (auto round = chapter.first_round; round < chapter.last_round; ++round) {
        note_progress("reading", round);
        RoundTime const time{call, round};
        for (; next <= std::min(round + ahead, chapter.last_round - 1); ++next) reads.start(next, ready->contributors);
        auto const window = reads.window(round);
        for (Size wave = 0; wave < node.waves(); ++wave) {
            auto passage = passage_of(call.plan, round, wave, node.waves());
            node.make_room(passage);
            scatter_round(party, passage, window);
            node.hand_out(passage);
        }
    }
    node.finish();
    auto status = reads.finish();
    ready->buffers.release(call.session);
    return status;
}

// Collective. Chapter by chapter, whatever happens in one: a storage failure is known to one rank only.
template <class Run>
Status run_chapters(Call& call, Run&& run) {
    Courier courier{call.session.comm(), call.session.machine(), call.numbers};
    Status failure;
    auto const step = std::max<Size>(call.plan.rounds_per_chapter, 1);
    for (Size first = 0; first < call.plan.rounds; first += step) {
        auto status = run(call, courier, Chapter{first, std::min(first + step, call.plan.rounds)});
        if (call.agreed) return status;
        failure = first_failure(failure, std::move(status));
    }
    return failure;
}

// Collective. Every rank speaks for itself.
template <class Run>
Status run_without_groups(Call& call, Run&& run) {
    auto plan = call.plan;
    plan.local_aggregators = 0;
    Call plain{call.session, plan, call.intent, {}, call.shift, call.reused, call.known};
    plain.flow = call.flow;
    auto status = run_chapters(plain, run);
    call.numbers += plain.numbers;
    call.flow = std::move(plain.flow);
    call.watch.add(plain.watch);
    call.agreed = plain.agreed;
    return status;
}

// Collective. Where the groups found no memory to gather in, they do not look for it in every call that is like this one.
template <class Run>
Status run_exchange(Call& call, Run&& run) {
    auto const given_up = call.known != nullptr ? call.known->no_gathering : std::string{};
    if (given_up.empty()) {
        auto status = run_chapters(call, run);
        if (call.afterthoughts.empty()) return status;
        if (call.known != nullptr) call.known->no_gathering = call.afterthoughts.front().reason;
    } else {
        call.afterthoughts.push_back({"local aggregators", "none", given_up});
    }
    return run_without_groups(call, run);
}

}  // namespace

Status write_by_exchange(Call& call) { return run_exchange(call, write_chapter); }
Status read_by_exchange(Call& call) { return run_exchange(call, read_chapter); }

}  // namespace muster
