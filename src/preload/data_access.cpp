#include "preload/data_access.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/file_state.hpp"
#include "engine/perform.hpp"
#include "preload/capturing.hpp"
#include "preload/control.hpp"
#include "preload/errors.hpp"
#include "preload/info.hpp"
#include "preload/shared_pointer.hpp"

namespace muster::preload {

namespace {

// One call on its way.
struct Errand {
    OpenFile& file;
    CallName call;
    DataRequest const& asked;
    NativeCall const& native;

    Facts const& facts() const { return preload::facts(call); }
};

Size size_of_request(DataRequest const& asked) {
    MPI_Count size = 0;
    MPI_Type_size_x(asked.type, &size);
    return Size{asked.count} * size;
}

// --- by the MPI ---

void follow_native_pointer(Errand const& errand) {
    auto& file = errand.file;
    auto const unit = file.view.etype_size;
    if (whole_etypes || unit == 1 || file.left_alone() || errand.facts().place != Place::pointer) return;
    file.pointer.within = (file.pointer.within + size_of_request(errand.asked)) % unit;
}

int pass(Errand const& errand, Reason reason) {
    errand.file.accounts.count(errand.call, reason);
    if (errand.facts().place == Place::pointer && !errand.file.left_alone()) {
        if (auto const error = hand_down_pointer(errand.file); error != MPI_SUCCESS) return error;
    }
    auto const error = errand.native();
    if (error == MPI_SUCCESS) follow_native_pointer(errand);
    return error;
}

int pass_together(Errand const& errand, Reason reason) {
    if (!errand.file.left_alone()) {
        if (auto const error = hand_down_view(errand.file); error != MPI_SUCCESS) return error;
    }
    if (errand.facts().form == Form::begin) errand.file.split = Split{reason, errand.facts().direction, 0};
    return pass(errand, reason);
}

// --- what is asked for ---

constexpr Size little_in_pieces = 256;  // bytes of a rank, if there may be several pieces

struct Wanted {
    int error{MPI_SUCCESS};  // class, of wrong arguments
    Offset begin{0};         // bytes of the view
    Size bytes{0};
    Offset shared_end{0};  // where the shared file pointer is to stand, if it was used
    Result<Access> access{Status{}};
};

// Local. What is wrong with the arguments, or how much is asked for.
Wanted examined(Errand const& errand) {
    auto const& file = errand.file;
    auto const& asked = errand.asked;
    auto const offset = errand.facts().place == Place::offset ? asked.offset : 0;
    auto const write = errand.facts().direction == Direction::write;
    Wanted result;
    result.error = check({file.mode, write, offset, asked.count, asked.type, file.view.etype_size});
    Offset place = 0;
    if (result.error == MPI_SUCCESS && __builtin_mul_overflow(Offset{offset}, file.view.etype_size, &place)) {
        result.error = MPI_ERR_ARG;
    }
    result.begin = place;
    if (result.error == MPI_SUCCESS) result.bytes = size_of_request(asked);
    return result;
}

// Local. With the bytes of file and memory, where all is well so far.
Wanted with_access(Errand const& errand, Wanted request) {
    auto const& asked = errand.asked;
    if (request.error != MPI_SUCCESS) {
        request.access = status_of(request.error);
    } else {
        request.access =
            viewed(errand.file.view.bytes, request.begin, memory_stream(asked.buffer, asked.count, asked.type));
    }
    return request;
}

bool in_turn(Errand const& errand) {
    return errand.facts().place == Place::shared_pointer && errand.facts().collective;
}

// Collective for the shared file pointer, from which on the ranks come one behind the other. False, on all ranks: the MPI does
// not tell where it stands.
bool find_place(Errand const& errand, Wanted& request) {
    if (in_turn(errand)) {
        auto const turn = take_turn(errand.file, request.bytes);
        if (!turn) return false;
        request.begin = turn->begin;
        request.shared_end = turn->end;
    } else if (errand.facts().place == Place::pointer) {
        request.begin = position_of(errand.file);
    }
    return true;
}

// Local.
Wanted wanted(Errand const& errand) {
    auto request = examined(errand);
    if (errand.facts().place == Place::pointer) request.begin = position_of(errand.file);
    return with_access(errand, std::move(request));
}

// Local. At the shared file pointer, which moves by what is asked for.
Wanted wanted_at_shared(Errand const& errand) {
    auto request = examined(errand);
    auto const place = request.error == MPI_SUCCESS ? move_shared_alone(errand.file, request.bytes) : Result<Offset>{0};
    request.begin = place ? *place : 0;
    request = with_access(errand, std::move(request));
    if (!place) request.access = place.status();
    return request;
}

// The pointer moves by what was asked for, also where the file ends before. Collective for the shared one.
int move_on(Errand const& errand, Wanted const& request) {
    if (in_turn(errand)) return move_shared(errand.file, request.shared_end);
    if (errand.facts().place == Place::pointer) move_to(errand.file, request.begin + request.bytes);
    return MPI_SUCCESS;
}

int failed(Errand const& errand, Wanted const& request, Status const& status) {
    errand.file.accounts.add_failure(errand.call, status);
    return raise(errand.file.handle, request.error != MPI_SUCCESS ? request.error : class_of(status));
}

// --- for a capture ---

void note_place(Errand const& errand, Wanted const& request) {
    if (errand.file.captured < 0) return;
    auto const write = errand.facts().direction == Direction::write;
    capture_access(errand.file, write, request.access ? request.access->file : Stream{});
}

// Local. Whoever does it then. Where the view is not known to us, the access is only counted; where the shared file pointer stands
// is known only when it is done.
void note(Errand const& errand) {
    auto const& file = errand.file;
    auto const& facts = errand.facts();
    auto const placed = !file.left_alone() && file.view.representation == "native";
    if (facts.collective && placed) {
        if (!in_turn(errand)) note_place(errand, wanted(errand));
    } else {
        auto const bytes = errand.asked.type == MPI_DATATYPE_NULL ? 0 : size_of_request(errand.asked);
        capture_count(file, facts.direction == Direction::write, bytes);
    }
}

// --- by Muster ---

int finish(Errand const& errand, Wanted const& request, Result<Size> const& done) {
    if (!done) return failed(errand, request, done.status());
    auto const error = move_on(errand, request);
    if (errand.facts().form == Form::begin) {
        errand.file.split = Split{Reason::none, errand.facts().direction, *done};
    } else {
        set_status(errand.asked.status, *done);
    }
    return error;
}

// Local. Whether the file ends before what is asked for.
bool ends_before(OpenFile& file, Wanted const& request) {
    if (request.bytes == 0) return false;
    auto const end = place_in_file(file.view, request.begin + request.bytes - 1) + 1;
    if (end <= file.size_seen) return false;
    MPI_Offset size = 0;
    Inside const inside;
    PMPI_File_get_size(file.handle, &size);
    file.size_seen = size;
    return end > size;
}

// Local. The MPI counts what was asked for where the file ends before; a read that we could have done counts what there is.
void count_what_there_is(Errand const& errand, Wanted const& request) {
    auto& file = errand.file;
    if (!ends_before(file, request)) return;
    auto const there = bytes_before(file.view, file.size_seen) - request.begin;
    set_status(errand.asked.status, std::clamp(there, Size{0}, request.bytes));
}

// Collective.
int pass_small(Errand const& errand, Reason reason) {
    auto const counts =
        errand.facts().direction == Direction::read && !in_turn(errand) && errand.asked.status != MPI_STATUS_IGNORE;
    if (!counts) return pass_together(errand, reason);
    auto request = examined(errand);
    find_place(errand, request);
    auto const error = pass_together(errand, reason);
    if (error == MPI_SUCCESS && request.error == MPI_SUCCESS) count_what_there_is(errand, request);
    return error;
}

// Collective. By the MPI, to see which of the two is faster, or because that has been seen.
int try_mpi(Errand const& errand, Trial& trial) {
    if (trial.decided()) return pass_small(errand, Reason::no_gain);
    auto const start = clock_seconds();
    auto const error = pass_small(errand, Reason::no_gain);
    if (!trial.mpi_took(clock_seconds() - start)) return error;
    std::array<Size, 2> nanoseconds{std::llround(trial.own_seconds() * 1e9), std::llround(trial.mpi_seconds() * 1e9)};
    reduce_all(errand.file.comm.comm, nanoseconds, MPI_MAX);
    trial.decide(static_cast<double>(nanoseconds[0]), static_cast<double>(nanoseconds[1]));
    return error;
}

// Calls at the shared file pointer have costs of their own.
Trial& trial_of(Errand const& errand) {
    auto const direction = static_cast<std::size_t>(errand.facts().direction);
    return errand.file.trials[in_turn(errand) ? 2 + direction : direction];
}

// Local. What is wrong is ours, so that all are told; and so is what reaches beyond the end of the file, where MPIs return
// what they happen to have.
bool may_be_left(Errand const& errand, Wanted& request) {
    auto const direction = errand.facts().direction;
    if (request.error != MPI_SUCCESS || is_decided(errand.file.hints, direction)) return false;
    if (direction == Direction::write) return true;
    if (in_turn(errand)) return false;
    find_place(errand, request);
    return !ends_before(errand.file, request);
}

// Local. The bytes of an access that the MPI may have; else more than it may.
Size bytes_to_leave(Errand const& errand) {
    auto request = examined(errand);
    return may_be_left(errand, request) ? request.bytes : Trial::large;
}

// Collective. Whether all ranks have so little that it is not worth opening the file for.
bool all_have_little(Errand const& errand) {
    auto& file = errand.file;
    auto const told = std::exchange(file.largest, std::nullopt);
    auto most = told ? *told : bytes_to_leave(errand);
    if (!told) find_largest(file, std::span{&most, 1});
    return most < (file.all_contiguous ? Trial::large : little_in_pieces);
}

// Collective. Before anything is known of the accesses to a file.
bool comes_early(Errand const& errand, Trial& trial) {
    auto const& file = errand.file;
    if (file.session || !trial.early() || !file.all_native_see()) return false;
    if (all_have_little(errand)) return true;
    trial.no_longer_early();
    return false;
}

// Nothing is tried where the user has decided, and a capture is to have what a replay will have. The same on all ranks.
bool may_try(Errand const& errand) {
    return !errand.file.always && errand.file.captured < 0 && errand.facts().form == Form::blocking;
}

bool is_automatic(Session const& session, Direction direction) {
    auto const& hints = session.hints();
    return (direction == Direction::write ? hints.collective_write : hints.collective_read) == Toggle::automatic;
}

// Collective. By Muster.
int access_by_us(Errand const& errand, Session& session) {
    auto& file = errand.file;
    auto const direction = errand.facts().direction;
    auto const start = clock_seconds();
    auto request = examined(errand);
    if (!find_place(errand, request)) return pass_together(errand, Reason::shared_pointer);
    request = with_access(errand, std::move(request));
    if (in_turn(errand)) note_place(errand, request);
    auto const done = perform(session, direction, std::move(request.access));
    file.accounts.count(errand.call, Reason::none);
    if (done) file.accounts.add(errand.call, session);
    auto const error = finish(errand, request, done);
    if (done && file.all_contiguous && may_try(errand) && is_automatic(session, direction)) {
        trial_of(errand).took(session.asked, clock_seconds() - start);
    }
    return error;
}

// Collective.
int access_together(Errand const& errand) {
    auto& file = errand.file;
    if (file.split && (strict_splits || errand.facts().form == Form::begin)) {
        return raise(file.handle, second_split);
    }
    file.queue.drain();
    file.largest.reset();
    if (!file.settled) settle(file, bytes_to_leave(errand));
    if (auto const reason = file.why_native(); reason != Reason::none) return pass_together(errand, reason);
    auto& trial = trial_of(errand);
    if (may_try(errand) && comes_early(errand, trial)) {
        trial.passed_early();
        return pass_small(errand, Reason::early);
    }
    if (may_try(errand) && file.all_contiguous && trial.to_mpi()) return try_mpi(errand, trial);
    if (auto* const session = session_of(file); session != nullptr) return access_by_us(errand, *session);
    leave_to_mpi(file, Reason::not_opened);
    return pass_together(errand, Reason::not_opened);
}

bool is_one_piece(Errand const& errand) {
    MPI_Aint begin = 0, extent = 0;
    MPI_Count size = 0;
    MPI_Type_get_extent(errand.asked.type, &begin, &extent);
    MPI_Type_size_x(errand.asked.type, &size);
    return size == extent && errand.file.view.contiguous();
}

// Local. By this rank alone, through a view that the MPI does not have.
int access_without_mpi(Errand const& errand) {
    auto& file = errand.file;
    file.wish = true;
    auto request = errand.facts().place == Place::shared_pointer ? wanted_at_shared(errand) : wanted(errand);
    auto const done = access_alone(file, errand.facts().direction, std::move(request.access));
    file.accounts.count(errand.call, Reason::none);
    if (errand.facts().form != Form::nonblocking) {
        if (stops_at_the_end && done && is_one_piece(errand)) request.bytes = *done;
        return finish(errand, request, done);
    }
    if (!done && request.error != MPI_SUCCESS) return failed(errand, request, done.status());
    if (done) (void)move_on(errand, request);
    return completed_request({class_of(done.status()), done ? *done : 0}, errand.asked.request);
}

// What a nonblocking call does in its turn. Collective, by the thread of the file.
Ending run_queued(OpenFile& file, CallName call, Result<Access> access) {
    auto const direction = facts(call).direction;
    auto* const session = session_of(file);
    auto const done = session != nullptr ? perform(*session, direction, std::move(access))
                                         : access_alone(file, direction, std::move(access));
    if (done && session != nullptr) file.accounts.add(call, *session);
    if (!done) file.accounts.add_failure(call, done.status());
    return {class_of(done.status()), done ? *done : 0};
}

// Collective, but does not wait for the others. A rank with wrong arguments takes its turn all the same.
int start_together(Errand const& errand) {
    auto& file = errand.file;
    if (auto const reason = file.why_native(); reason != Reason::none) return pass(errand, reason);
    if (!file.threads) {
        return file.all_native_see() ? pass(errand, Reason::threads) : access_without_mpi(errand);
    }
    file.accounts.count(errand.call, Reason::none);
    auto request = wanted(errand);
    if (request.error == MPI_SUCCESS) (void)move_on(errand, request);
    auto const error = file.queue.start(
        [&file, call = errand.call, access = std::move(request.access)]() mutable {
            return run_queued(file, call, std::move(access));
        },
        errand.asked.request);
    return error != MPI_SUCCESS ? raise(file.handle, error) : MPI_SUCCESS;
}

// --- at the shared file pointer ---

// Where every rank has its turn, by Muster; else by the MPI, if it has the view.
int access_shared(Errand const& errand) {
    auto& file = errand.file;
    file.shared_used = true;
    if (errand.facts().collective) return access_together(errand);
    if (file.left_alone()) return pass(errand, file.reason);
    return file.all_native_see() ? pass(errand, Reason::shared_pointer) : access_without_mpi(errand);
}

// Where our pointer stands within an etype. The MPI cannot be told: it seeks whole ones.
bool stands_within_etype(Errand const& errand) {
    auto const& file = errand.file;
    return errand.facts().place == Place::pointer && !file.pointer.native &&
           file.pointer.position % file.view.etype_size != 0;
}

int access_independently(Errand const& errand) {
    auto& file = errand.file;
    if (file.left_alone()) return pass(errand, file.reason);
    if (!file.native_sees() || stands_within_etype(errand)) return access_without_mpi(errand);
    return pass(errand, Reason::independent);
}

}  // namespace

int access_data(OpenFile& file, CallName call, DataRequest const& asked, NativeCall const& native) {
    Errand const errand{file, call, asked, native};
    auto const& facts = errand.facts();
    if (file.captured >= 0) note(errand);
    if (facts.place == Place::shared_pointer) return access_shared(errand);
    if (!facts.collective) return access_independently(errand);
    return facts.form == Form::nonblocking ? start_together(errand) : access_together(errand);
}

int end_access(OpenFile& file, CallName call, MPI_Status* status, NativeCall const& native) {
    auto const split = std::exchange(file.split, std::nullopt);
    auto const reason = split ? split->reason : file.reason;
    file.accounts.count(call, reason);
    if (!split || reason != Reason::none) return native();
    if (strict_splits && split->direction != facts(call).direction) return raise(file.handle, second_split);
    set_status(status, split->bytes);
    return MPI_SUCCESS;
}

}  // namespace muster::preload
