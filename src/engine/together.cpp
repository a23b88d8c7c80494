#include "engine/together.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <new>

#include "engine/placing.hpp"
#include "mpi/agree.hpp"

namespace muster {

namespace {

// What each rank puts into the reduction: first the values of which the largest counts, then those that add up.
enum Ballot : std::size_t {
    minus_low,
    high,
    largest,
    minus_smallest_mean,
    failed,  // communicator size - rank of a rank that failed; 0: none
    kind,    // what is called: all must call the same
    minus_kind,
    moved,  // the shift of a kept plan: as well
    minus_moved,
    file_size,
    moved_up,  // for each remembered pattern: the shift from there to here
    moved_down = moved_up + Patterns::capacity,
    maxima = moved_down + Patterns::capacity,
    bytes = maxima,
    pieces,
    ranks_with_data,
    coded_bytes,
    recalled,  // ranks that fit a remembered pattern, in a field of bits for each
    ballot_size,
};
using Ballots = std::array<Size, Quorum::votes>;
static_assert(ballot_size <= Quorum::votes);

constexpr Size coded_piece = 5;  // bytes that a list takes per piece at most, as a rule

Ballots empty_ballots(Session const& session, Status const& mine, Size called) {
    Ballots ballots{};
    ballots[minus_low] = ballots[high] = std::numeric_limits<Offset>::min();
    ballots[minus_smallest_mean] = std::numeric_limits<Size>::min();
    ballots[failed] = mine.ok() ? 0 : session.comm().size - session.comm().rank;
    ballots[kind] = called;
    ballots[minus_kind] = -called;
    return ballots;
}

void count_in(Ballots& ballots, Intent const& intent) {
    auto const& file = intent.access.file;
    if (file.size() == 0) return;
    auto const range = file.bounds();
    ballots[minus_low] = -range.offset;
    ballots[high] = range.end();
    ballots[largest] = ballots[bytes] = file.size();
    ballots[pieces] = intent.declared_pieces.value_or(file.piece_count());
    ballots[minus_smallest_mean] = -(file.size() / ballots[pieces]);
    ballots[ranks_with_data] = 1;
    auto const coded = static_cast<Size>(intent.list.coded.size());
    ballots[coded_bytes] = coded > 0 ? coded : ballots[pieces] * coded_piece;
}

// The count of ranks for each pattern in a field of its own; where ranks could overflow it, nothing is recalled.
constexpr int bits_per_pattern = 15;
constexpr Size most_ranks = (Size{1} << bits_per_pattern) - 1;

void recall_in(Ballots& ballots, Session const& session, Intent const& intent) {
    for (std::size_t i = 0; i < Patterns::capacity; ++i) {
        ballots[moved_up + i] = ballots[moved_down + i] = std::numeric_limits<Offset>::min();
    }
    if (session.comm().size > most_ranks) return;
    auto const& matches = intent.matches;
    for (std::size_t i = 0; i < matches.size(); ++i) {
        if (!matches[i].fits) continue;
        ballots[recalled] += Size{1} << (i * bits_per_pattern);
        if (matches[i].anywhere) continue;
        ballots[moved_up + i] = matches[i].shift;
        ballots[moved_down + i] = -matches[i].shift;
    }
}

Summary summary_of(Ballots const& ballots) {
    Summary summary;
    if (ballots[ranks_with_data] == 0) return summary;
    summary.low = -ballots[minus_low];
    summary.high = ballots[high];
    summary.bytes = ballots[bytes];
    summary.pieces = ballots[pieces];
    summary.largest = ballots[largest];
    summary.ranks_with_data = static_cast<int>(ballots[ranks_with_data]);
    summary.smallest_mean_piece = -ballots[minus_smallest_mean];
    summary.coded_bytes = ballots[coded_bytes];
    return summary;
}

// Rank 0 looks up where the file ends; where it reaches only a part, the others as well.
Status look_up_size(Session& session, Size& size) {
    if (!session.looks_after_file()) return {};
    auto const found = session.own_size();
    if (found) size = *found;
    return found.status();
}

// Collective. The verdict that a vote has brought.
Status verdict(Session& session, Ballots const& ballots, Status const& mine) {
    if (ballots[failed] > 0) {
        return share_failure(session.comm(), mine, session.comm().size - static_cast<Rank>(ballots[failed]));
    }
    if (ballots[kind] != -ballots[minus_kind] || ballots[moved] != -ballots[minus_moved]) {
        return {
            Code::mismatch,
            "the ranks called different operations (some write, some read, or different plans, or with different shifts)"};
    }
    return {};
}

// Collective. The shared memory that a plan needs; the same outcome on all ranks.
Status provide_memory(Session& session, Plan const& plan) {
    if (plan.local_aggregators > 0 && session.group(plan.local_aggregators) == nullptr) {
        return {Code::out_of_memory, "the ranks of some node cannot share memory"};
    }
    if (plan.route != Route::shared) return {};
    auto const window = plan.domains.parts() * plan.domains.part_size();
    return session.share()->provide_slots(session.comm(), std::max(session.hints().windows, 2), window);
}

void cut_at_end(Access& access, Size end_of_file) {
    auto const kept = access.file.within(std::numeric_limits<Offset>::min(), end_of_file);
    access.memory.end -= access.file.end - kept.end;
    access.file.end = kept.end;
    for (auto& copy : access.duplicates) copy.length = std::clamp(end_of_file - copy.file, Size{0}, copy.length);
}

}  // namespace

Result<Intent> make_intent(Session const& session, Direction direction, Result<Access> access) try {
    if (!access) return access.status();
    auto const overlap = direction == Direction::write ? Overlap::last_wins : Overlap::duplicate;
    auto const asked = access->size();
    auto sorted = ordered(std::move(*access), overlap);
    if (!sorted) return sorted.status();
    // On one node nobody will want the list, as a rule, nor where the aggregators know it from an earlier call; then it is coded only
    // when somebody does.
    auto const matches = session.patterns.match(direction, sorted->file);
    auto const known = std::ranges::any_of(matches, [](Patterns::Match const& match) { return match.fits; });
    auto const wanted = session.share() == nullptr && !known;
    auto list = wanted ? make_list(sorted->file) : OwnList{sorted->file, {}};
    auto const overwritten = direction == Direction::write ? asked - sorted->size() : 0;
    return Intent{direction, std::move(*sorted), std::move(list), matches, overwritten};
} catch (std::bad_alloc const&) {
    return Status{Code::out_of_memory, "no memory for the list of extents"};
}

Size Intent::size() const {
    auto bytes = access.size() + overwritten;
    for (auto const& copy : access.duplicates) bytes += copy.length;
    return bytes;
}

namespace {

struct Voted {
    Ballots ballots;
    Summary summary;
    bool cut{false};  // a read reaches beyond the end of the file
};

// What is called; all must call the same.
enum class Kind : Size { plain, kept, declared };
constexpr Size kinds = 8;  // more than there are
Size kind_of(Direction direction, Kind what) { return static_cast<Size>(direction) + 2 * static_cast<Size>(what); }

// Collective.
Result<Voted> vote_on(Session& session, Direction direction, Result<Intent>& intent) {
    auto mine = intent.status();
    Size size = 0;
    if (direction == Direction::read) mine = first_failure(mine, look_up_size(session, size));
    auto const declared = intent && intent->declared_pieces;
    Voted voted{empty_ballots(session, mine, kind_of(direction, declared ? Kind::declared : Kind::plain)), {}, false};
    auto& ballots = voted.ballots;
    if (intent) count_in(ballots, *intent);
    if (intent) recall_in(ballots, session, *intent);
    ballots[file_size] = size;
    session.quorum().vote(ballots, maxima);
    if (auto status = verdict(session, ballots, mine); !status.ok()) return status;
    voted.summary = summary_of(ballots);
    voted.cut = direction == Direction::read && voted.summary.high > ballots[file_size];
    return voted;
}

// Collective.
Plan plan_for(Session& session, Summary const& summary, Intent const& intent) {
    PlanInput input{intent.direction,
                    summary,
                    session.layout(),
                    &session.machine(),
                    &session.hints(),
                    session.share() != nullptr,
                    session.shares_inside_nodes(),
                    nullptr,
                    intent.declared_pieces.has_value(),
                    session.all_reach_file()};
    auto plan = make_plan(input);
    auto const shared = input.declared ? Status{} : provide_memory(session, plan);  // they have windows of their own
    if (!shared.ok()) {
        input.shared_memory = input.node_memory = false;
        plan = make_plan(input);
    }
    if (plan.route != Route::shared) plan = place_together(session, std::move(plan), input, intent.access.file);
    if (!shared.ok()) plan.decisions.push_back({"shared memory", "none", shared.message()});
    return plan;
}

// Whether a plan may run elsewhere: stripes stay whole, and with those who alone may reach them.
bool may_move(Session const& session, Domains const& domains, Offset shift) {
    return session.all_reach_file() ? domains.keeps_edges(shift) : domains.keeps_owners(shift);
}

// The pattern that all ranks have accessed before, with the same shift, if there is one; rather one that leaves stripes with their
// aggregators. The same answer on every rank.
std::optional<Planned> recall_pattern(Session& session, Ballots const& ballots) {
    std::optional<Planned> found;
    for (std::size_t i = 0; i < Patterns::capacity; ++i) {
        auto const fits = (ballots[recalled] >> (i * bits_per_pattern)) & most_ranks;
        auto const shift = ballots[moved_up + i];
        if (fits != session.comm().size || shift != -ballots[moved_down + i]) continue;
        auto& pattern = session.patterns.at(i);
        if (!may_move(session, pattern.plan.domains, shift)) continue;
        auto const best = pattern.plan.domains.keeps_owners(shift);
        if (best || !found) found = Planned{&pattern, shift, {}, true};
        if (best) break;
    }
    return found;
}

// That, or pieces of the same sizes directly.
std::optional<Planned> recall(Session& session, Direction direction, Voted const& voted) {
    if (voted.cut || voted.summary.bytes == 0) return {};
    if (auto found = recall_pattern(session, voted.ballots); found) return found;
    if (auto* const direct = session.patterns.match_direct(direction, voted.summary))
        return Planned{direct, 0, {}, true};
    return {};
}

}  // namespace

Result<Plan> plan_together(Session& session, Direction direction, Result<Intent>& intent) {
    Size end_of_file = 0;
    return plan_together(session, direction, intent, end_of_file);
}

Result<Plan> plan_together(Session& session, Direction direction, Result<Intent>& intent, Size& end_of_file) {
    auto voted = vote_on(session, direction, intent);
    if (!voted) return voted.status();
    end_of_file = voted->ballots[file_size];
    return plan_for(session, voted->summary, *intent);
}

Result<Planned> plan_or_recall(Session& session, Direction direction, Result<Intent>& intent) {
    auto voted = vote_on(session, direction, intent);
    if (!voted) return voted.status();
    if (auto recalled_plan = recall(session, direction, *voted); recalled_plan) return std::move(*recalled_plan);
    auto& summary = voted->summary;
    if (voted->cut) {
        cut_at_end(intent->access, voted->ballots[file_size]);
        summary.high = voted->ballots[file_size];
        if (summary.low >= summary.high) summary = {};
        intent->list = {intent->access.file, {}};  // nobody is told of what lies behind the end
    }
    return Planned{nullptr, 0, plan_for(session, summary, *intent), !voted->cut};
}

Result<Size> rerun_together(Session& session, Rerun const& rerun, Status const& mine) {
    auto status = mine;
    Size size = 0;
    if (rerun.direction == Direction::read) status = first_failure(status, look_up_size(session, size));
    auto ballots = empty_ballots(session, status, kind_of(rerun.direction, Kind::kept) + kinds * rerun.plan);
    ballots[moved] = rerun.shift;
    ballots[minus_moved] = -rerun.shift;
    ballots[file_size] = size;
    session.quorum().vote(ballots, maxima);
    if (auto const verdict_of_all = verdict(session, ballots, status); !verdict_of_all.ok()) return verdict_of_all;
    return ballots[file_size];
}

}  // namespace muster
