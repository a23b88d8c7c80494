// Plans that are made once and run often.
#include <limits>

#include "engine/file_state.hpp"
#include "engine/perform.hpp"

namespace muster {

namespace {

// The lowest number has no negative: it is refused also where there is nothing to shift.
Status check_shift(Access const& access, Offset shift) {
    using Limits = std::numeric_limits<Offset>;
    Status const before{Code::invalid_argument, "a shift that leads before the beginning of the file"};
    if (shift == Limits::min()) return before;
    if (access.size() == 0) return {};
    auto const bounds = access.file.bounds();
    if (bounds.offset < -shift) return before;
    if (shift <= Limits::max() - bounds.end()) return {};
    return {Code::invalid_argument, "a shift that leads beyond the largest offset"};
}

// A buffer as MPI describes it.
struct Typed {
    void const* buffer{nullptr};
    Size count{0};
    MPI_Datatype type{MPI_BYTE};
};

}  // namespace

struct File::Plan::State {
    Session* session{nullptr};
    Direction direction{Direction::write};
    Intent intent;
    muster::Plan plan;
    Knowledge known;
    Offset origin{0};  // where the memory begins, in bytes behind the buffer
    bool has_run{false};
    Size number{0};  // of the session's plans

    // Collective.
    static Result<File::Plan> make(Session& session, Direction direction, Result<Access> access, Offset origin = 0);
    static Result<File::Plan> make_viewed(File::State& file, Direction direction, Typed const& typed, Offset offset);
    Result<Size> run(Direction asked, void const* buffer, Offset shift);

private:
    Access access_at(void const* buffer, Offset shift) const;
};

Result<File::Plan> File::Plan::State::make(Session& session, Direction direction, Result<Access> access,
                                           Offset origin) {
    auto intent = make_intent(session, direction, std::move(access));
    auto plan = plan_together(session, direction, intent);
    if (!plan) return plan.status();
    auto state = std::make_unique<State>();
    state->session = &session;
    state->number = session.kept_plans++;
    state->direction = direction;
    state->intent = std::move(*intent);
    state->plan = std::move(*plan);
    state->origin = origin;
    return File::Plan{std::move(state)};
}

Result<File::Plan> File::Plan::State::make_viewed(File::State& file, Direction direction, Typed const& typed,
                                                  Offset offset) {
    auto memory = memory_layout(typed.buffer, typed.count, typed.type);
    auto const origin = memory ? address_of(memory->base) - address_of(typed.buffer) : 0;
    return make(*file.session, direction, viewed(file.view, offset, std::move(memory)), origin);
}

// The access with other memory, at another place in the file.
Access File::Plan::State::access_at(void const* buffer, Offset shift) const {
    auto access = intent.access;
    access.base = reinterpret_cast<std::byte*>(address_of(buffer) + origin);
    access.file.shape = access.file.shape.shifted(shift);
    for (auto& copy : access.duplicates) copy.file += shift;
    return access;
}

Result<Size> File::Plan::State::run(Direction asked, void const* buffer, Offset shift) {
    auto const start = clock_seconds();
    Status mine;
    if (asked != direction) mine = {Code::invalid_argument, "a plan for writing cannot read, nor the other way round"};
    mine = first_failure(mine, check_shift(intent.access, shift));
    if (intent.access.size() > 0 && address_of(buffer) + origin < first_page) mine = no_buffer();
    auto const end_of_file = rerun_together(*session, {direction, number, mine.ok() ? shift : 0}, mine);
    if (!end_of_file) return end_of_file.status();
    // A read that meets the end of the file is planned anew, cut there; so is what would leave pieces with ranks that see others.
    auto const cut = direction == Direction::read && plan.summary.high + shift > *end_of_file;
    if (cut || (!session->all_reach_file() && !plan.domains.keeps_owners(shift))) {
        return perform(*session, direction, access_at(buffer, shift));
    }
    intent.access.base = access_at(buffer, 0).base;
    Call call{*session, plan, intent, {}, shift, has_run, &known};
    has_run = true;
    if (auto status = run_and_report(call, start); !status.ok()) return status;
    return intent.size();
}

File::Plan::Plan(std::unique_ptr<State> state) : state_{std::move(state)} {}
File::Plan::Plan(Plan&&) noexcept = default;
File::Plan& File::Plan::operator=(Plan&&) noexcept = default;
File::Plan::~Plan() = default;

Result<Size> File::Plan::write(void const* buffer, Offset shift) {
    return state_->run(Direction::write, buffer, shift);
}
Result<Size> File::Plan::read(void* buffer, Offset shift) { return state_->run(Direction::read, buffer, shift); }
std::string File::Plan::text() const { return state_->plan.text(); }

Result<File::Plan> File::plan_write(void const* buffer, Size count, MPI_Datatype type, Offset offset) {
    return Plan::State::make_viewed(*state_, Direction::write, {buffer, count, type}, offset);
}

Result<File::Plan> File::plan_read(void* buffer, Size count, MPI_Datatype type, Offset offset) {
    return Plan::State::make_viewed(*state_, Direction::read, {buffer, count, type}, offset);
}

Result<File::Plan> File::plan_write(Pieces const& pieces) {
    return Plan::State::make(*state_->session, Direction::write, listed(pieces));
}

Result<File::Plan> File::plan_read(Pieces const& pieces) {
    return Plan::State::make(*state_->session, Direction::read, listed(pieces));
}

Result<File::Plan> File::plan_write(Subarray const& block) {
    return Plan::State::make(*state_->session, Direction::write, boxed(block, nullptr));
}

Result<File::Plan> File::plan_read(Subarray const& block) {
    return Plan::State::make(*state_->session, Direction::read, boxed(block, nullptr));
}

}  // namespace muster
