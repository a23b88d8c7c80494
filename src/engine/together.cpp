#include "engine/together.hpp"

#include <array>
#include <limits>
#include <new>

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
    file_size,
    maxima,
    bytes = maxima,
    pieces,
    ranks_with_data,
    coded_bytes,
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
    ballots[pieces] = file.piece_count();
    ballots[minus_smallest_mean] = -(file.size() / ballots[pieces]);
    ballots[ranks_with_data] = 1;
    auto const coded = static_cast<Size>(intent.list.coded.size());
    ballots[coded_bytes] = coded > 0 ? coded : ballots[pieces] * coded_piece;
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

// Rank 0 looks up where the file ends.
Status look_up_size(Session& session, Size& size) {
    if (session.comm().rank != 0) return {};
    auto storage = session.storage();
    if (!storage) return storage.status();
    auto found = (*storage)->size();
    if (found) size = *found;
    return found.status();
}

// Collective. The verdict that a vote has brought.
Status verdict(Session& session, Ballots const& ballots, Status const& mine) {
    if (ballots[failed] > 0) {
        return share_failure(session.comm(), mine, session.comm().size - static_cast<Rank>(ballots[failed]));
    }
    if (ballots[kind] != -ballots[minus_kind]) {
        return {Code::mismatch, "the ranks called different operations (some write, some read, or with different shifts)"};
    }
    return {};
}

// Collective. The slots that a plan for shared memory needs.
Status provide_windows(Session& session, Plan const& plan) {
    auto const window = plan.domains.parts() * plan.domains.part_size();
    return session.share()->provide_slots(session.comm(), std::max(session.hints().windows, 2), window);
}

void cut_at_end(Access& access, Size end_of_file) {
    auto const kept = access.file.within(std::numeric_limits<Offset>::min(), end_of_file);
    access.memory.end -= access.file.end - kept.end;
    access.file.end = kept.end;
}

}  // namespace

Result<Intent> make_intent(Session const& session, Direction direction, Result<Access> access) try {
    if (!access) return access.status();
    auto const overlap = direction == Direction::write ? Overlap::last_wins : Overlap::duplicate;
    auto sorted = ordered(std::move(*access), overlap);
    if (!sorted) return sorted.status();
    // On one node nobody will want the list, as a rule; then it is coded only when somebody does.
    auto list = session.share() == nullptr ? make_list(sorted->file) : OwnList{sorted->file, {}};
    return Intent{direction, std::move(*sorted), std::move(list)};
} catch (std::bad_alloc const&) {
    return Status{Code::out_of_memory, "no memory for the list of extents"};
}

Result<Plan> plan_together(Session& session, Direction direction, Result<Intent>& intent, Beyond beyond) {
    auto mine = intent.status();
    Size size = 0;
    if (direction == Direction::read) mine = first_failure(mine, look_up_size(session, size));
    auto ballots = empty_ballots(session, mine, static_cast<Size>(direction));
    if (intent) count_in(ballots, *intent);
    ballots[file_size] = size;
    session.quorum().vote(ballots, maxima);
    if (auto status = verdict(session, ballots, mine); !status.ok()) return status;
    auto summary = summary_of(ballots);
    if (direction == Direction::read && beyond == Beyond::cut && summary.high > ballots[file_size]) {
        cut_at_end(intent->access, ballots[file_size]);
        summary.high = ballots[file_size];
        if (summary.low >= summary.high) summary = {};
    }
    PlanInput input{direction, summary, session.layout(), &session.machine(), &session.hints(), session.share() != nullptr};
    auto plan = make_plan(input);
    if (plan.route != Route::shared) return plan;
    auto const shared = provide_windows(session, plan);
    if (shared.ok()) return plan;
    input.shared_memory = false;
    plan = make_plan(input);
    plan.decisions.push_back({"shared memory", "none", shared.message()});
    return plan;
}

Result<Size> rerun_together(Session& session, Direction direction, Offset shift, Status const& mine) {
    auto status = mine;
    Size size = 0;
    if (direction == Direction::read) status = first_failure(status, look_up_size(session, size));
    // Kinds 0 and 1 are plain calls; the shift is in all others, so that ranks with different shifts are found out.
    auto ballots = empty_ballots(session, status, 2 + 2 * shift + static_cast<Size>(direction));
    ballots[file_size] = size;
    session.quorum().vote(ballots, maxima);
    if (auto const verdict_of_all = verdict(session, ballots, status); !verdict_of_all.ok()) return verdict_of_all;
    return ballots[file_size];
}

}  // namespace muster
