#include "hdf5/multi.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <unordered_map>

#include "core/hints.hpp"
#include "engine/context.hpp"
#include "engine/perform.hpp"
#include "hdf5/handle.hpp"
#include "hdf5/one_by_one.hpp"
#include "hdf5/straight.hpp"
#include "hdf5/together.hpp"
#include "mpi/agree.hpp"

namespace muster::hdf5 {

namespace {

double now() { return std::chrono::duration<double>{std::chrono::steady_clock::now().time_since_epoch()}.count(); }

// Adds the time until it goes to one of the parts.
class Lap {
public:
    explicit Lap(double& seconds) : seconds_{seconds}, start_{now()} {}
    ~Lap() { seconds_ += now() - start_; }
    Lap(Lap const&) = delete;
    Lap& operator=(Lap const&) = delete;

private:
    double& seconds_;
    double start_;
};

Result<bool> wants_collective(hid_t dxpl) {
    if (dxpl == H5P_DEFAULT) return false;
    Quiet const quiet;
    auto mode = H5FD_MPIO_INDEPENDENT;
    if (H5Pget_dxpl_mpio(dxpl, &mode) >= 0) return mode == H5FD_MPIO_COLLECTIVE;
    return Status{Code::invalid_argument, "an identifier is not that of a transfer property list"};
}

// The same list for a rank alone.
Handle independent(hid_t dxpl) {
    Handle list{H5Pcopy(dxpl), H5Pclose};
    H5Pset_dxpl_mpio(list, H5FD_MPIO_INDEPENDENT);
    return list;
}

bool has_transform(hid_t dxpl) {
    Quiet const quiet;
    return dxpl != H5P_DEFAULT && H5Pget_data_transform(dxpl, nullptr, 0) > 0;
}

// Of the file of the first dataset.
bool is_atomic(std::span<Entry const> entries) {
    if (entries.empty()) return false;
    Quiet const quiet;
    Handle const file{H5Iget_file_id(entries.front().dataset), H5Fclose};
    hbool_t atomic = 0;
    return H5Fget_mpi_atomicity(file, &atomic) >= 0 && atomic;
}

// Datasets named more than once are left to HDF5, which does one after the other.
void mark_repeated(std::vector<Subject>& subjects) {
    std::unordered_map<haddr_t, Subject*> first;
    for (auto& subject : subjects) {
        if (subject.obstacle == Obstacle::other_file) continue;
        auto const [known, fresh] = first.try_emplace(subject.identity, &subject);
        if (!fresh) known->second->obstacle = subject.obstacle = Obstacle::listed_twice;
    }
}

// A collective call under way.
class Together {
public:
    Together(Request const& request, Attached& file, Status arguments)
        : request_{request}, file_{file}, comm_{Comm::of(file.comm)}, mine_{std::move(arguments)} {}

    Status run() {
        auto const start = now();
        auto status = all_steps();
        tally_.calls = 1;
        tally_.datasets = static_cast<Size>(request_.entries.size());
        tally_.seconds.end(now() - start);
        file_.report.operation = name_of(request_.direction);
        file_.report.call = tally_;
        file_.report.all += tally_;
        return status;
    }

private:
    Status all_steps() {
        file_.report.rounds.clear();
        file_.report.exceptions.clear();
        file_.report.decisions.clear();
        look_at_all();
        if (auto status = agree_on_call(); !status.ok()) return status;
        if (auto status = agree_on_datasets(); !status.ok()) return status;
        if (few_bytes() && is_early()) return run_straight("one piece on each rank, among the first calls on the file");
        open_beside();
        if (few_bytes() && best_alone()) return run_straight("one piece on each rank of a node");
        if (auto status = run_groups(); !status.ok()) return status;
        return run_exceptions();
    }

    void look_at_all() {
        Lap const lap{tally_.seconds.hdf5};
        if (!mine_.ok()) return;
        if (request_.direction == Direction::write && !file_.writable) {
            mine_ = {Code::permission_denied, file_.path + " is open for reading only"};
            return;
        }
        Circumstances const around{request_.direction, file_.number, has_transform(request_.dxpl),
                                   is_atomic(request_.entries)};
        for (auto const& entry : request_.entries) {
            auto subject = look_at(entry, around);
            if (!subject) {
                mine_ = subject.status();
                return;
            }
            auto const may_go = subject->obstacle == Obstacle::none && subject->chunked();
            if (may_go && has_user_block(file_, entry.dataset)) subject->obstacle = Obstacle::user_block;
            subjects_.push_back(std::move(*subject));
        }
        mark_repeated(subjects_);
        count_lists_once();
    }

    // Entries with the same selections share their lists.
    void count_lists_once() {
        std::map<std::pair<hid_t, hid_t>, bool> seen;
        for (std::size_t i = 0; i < subjects_.size(); ++i) {
            auto const& entry = request_.entries[i];
            if (entry.blocks != nullptr || subjects_[i].chunked() || entry.file_space == H5S_ALL) continue;
            auto& known = seen[{entry.memory_space, entry.file_space}];
            if (known) subjects_[i].list_bytes = 0;
            known = true;
        }
    }

    // What the ranks tell each other: of each the largest counts. First about the call, then about each dataset.
    enum CallVote : std::size_t { failed, count, minus_count, kind, minus_kind, call_votes };
    enum DatasetVote : std::size_t { in_the_way, bytes_of_lists, identity, minus_identity, scattered, dataset_votes };
    using Votes = std::vector<Size>;

    Votes votes_on_datasets() const {
        Votes votes;
        votes.reserve(subjects_.size() * dataset_votes);
        for (auto const& subject : subjects_) {
            auto const name = static_cast<Size>(subject.identity);
            votes.insert(votes.end(), {static_cast<Size>(subject.obstacle), subject.list_bytes, name, -name,
                                       subject.scattered ? 1 : 0});
        }
        return votes;
    }

    // Collective. All ranks call the same, and none has a wrong argument. What is to be said about a few datasets is said at the
    // same time.
    Status agree_on_call() {
        Lap const lap{tally_.seconds.collective};
        auto const datasets = static_cast<Size>(request_.entries.size());
        auto const called = static_cast<Size>(request_.direction);
        std::array<Size, Quorum::votes> votes{mine_.ok() ? 0 : 1, datasets, -datasets, called, -called};
        dataset_votes_ = mine_.ok() ? votes_on_datasets() : Votes{};
        auto const room = static_cast<std::ptrdiff_t>(Quorum::votes - call_votes);
        auto const few = std::min(std::ssize(dataset_votes_), room);
        std::copy_n(dataset_votes_.begin(), few, votes.begin() + call_votes);
        quorum_of(file_.comm).vote(votes, Quorum::votes);
        if (votes[failed] != 0) return agree(comm_, mine_);
        if (votes[count] != -votes[minus_count] || votes[kind] != -votes[minus_kind]) {
            return {Code::mismatch, "the ranks called different operations, or with different numbers of datasets"};
        }
        if (std::ssize(dataset_votes_) <= room) {
            std::copy_n(votes.begin() + call_votes, few, dataset_votes_.begin());
        } else {
            reduce_all(comm_, dataset_votes_, MPI_MAX);
        }
        return {};
    }

    // What stands in the way of a dataset on one rank does so on all.
    Status agree_on_datasets() {
        for (std::size_t i = 0; i < subjects_.size(); ++i) {
            auto const* const votes = dataset_votes_.data() + i * dataset_votes;
            subjects_[i].obstacle = static_cast<Obstacle>(votes[in_the_way]);
            subjects_[i].list_bytes = votes[bytes_of_lists];
            subjects_[i].scattered = votes[scattered] != 0;
            if (subjects_[i].obstacle == Obstacle::other_file || votes[identity] == -votes[minus_identity]) continue;
            return {Code::mismatch, "the ranks named different datasets, or in a different order"};
        }
        return {};
    }

    // Each rank has a piece of one dataset, or nothing.
    bool few_bytes() const {
        constexpr Size few = Size{8} << 20;
        return subjects_.size() == 1 && !subjects_[0].scattered && subjects_[0].obstacle == Obstacle::none &&
               subjects_[0].bytes() <= few && file_.handle;
    }
    // To open the file would take longer than the call.
    bool is_early() const {
        constexpr int often = 8;
        return !file_.tried && file_.little_calls < often;
    }
    // Nothing speaks for doing it together: to meet over a window would take longer.
    bool best_alone() const {
        if (!file_.session || file_.session->share() == nullptr) return false;
        auto const& hints = file_.session->hints();
        auto const write = request_.direction == Direction::write;
        return (write ? hints.collective_write : hints.collective_read) == Toggle::automatic &&
               (write ? hints.direct_write : hints.direct_read) > 0 && hints.layout != Layout::striped &&
               file_.session->layout().stripe_count <= 1;
    }

    // Collective. By the handle that HDF5 has open.
    Status run_straight(char const* reason) {
        auto const start = now();
        std::array const all{Participant{request_.entries.data(), subjects_.data()}};
        auto const access = one_access(all, request_.direction);
        auto const found = now();
        auto const moved = access ? move_straight(*file_.handle, request_.direction, *access) : access.status();
        auto const done = now();
        auto status = quorum_of(file_.comm).agree(moved);
        tally_.seconds.hdf5 += found - start;
        tally_.seconds.file += done - found;
        tally_.seconds.collective += now() - done;
        tally_.bytes = access ? access->size() : 0;
        file_.report.decisions.push_back({"route", "straight", reason});
        ++file_.little_calls;
        return status;
    }

    // Collective. Opens the file beside HDF5 if it is not open yet.
    void open_beside() {
        if (subjects_.empty()) return;
        {
            Lap const lap{tally_.seconds.collective};
            reach(file_, request_.entries.front().dataset);
        }
        for (auto& subject : subjects_) {
            if (!file_.session) subject.obstacle = std::max(subject.obstacle, Obstacle::unreachable);
        }
    }

    // Collective. In as few calls as the memory for lists allows; the same on all ranks.
    Status run_groups() {
        if (!file_.session) return {};
        auto const budget = file_.session->hints().metadata_memory;
        std::vector<Participant> group;
        Size lists = 0;
        Size all_lists = 0;
        for (std::size_t i = 0; i < subjects_.size(); ++i) {
            if (subjects_[i].obstacle != Obstacle::none) continue;
            if (!group.empty() && lists + subjects_[i].list_bytes > budget) {
                if (auto status = run_group(group); !status.ok()) return status;
                group.clear();
                lists = 0;
            }
            group.push_back({&request_.entries[i], &subjects_[i]});
            lists += subjects_[i].list_bytes;
            all_lists += subjects_[i].list_bytes;
        }
        if (group.empty()) return {};
        auto status = run_group(group);
        name_split(all_lists, budget);
        return status;
    }

    void name_split(Size lists, Size budget) {
        auto const calls = std::to_string(tally_.collective_calls);
        auto const reason = "lists of " + format_size(lists) + " on a rank, ";
        auto const words = lists <= budget               ? "within "
                           : tally_.collective_calls > 1 ? "more than "
                                                         : "of one dataset, more than ";
        file_.report.decisions.push_back({"collective calls", calls, reason + words + format_size(budget)});
    }

    // Collective.
    Status run_group(std::vector<Participant> const& group) {
        auto& session = *file_.session;
        auto const start = now();
        auto access = one_access(group, request_.direction);
        tally_.seconds.hdf5 += now() - start;
        auto const wanted = access ? *access : Access{};
        auto const done = perform(session, request_.direction, std::move(access));
        auto const& report = session.report;
        ++tally_.collective_calls;
        if (!done) return done.status();
        tally_.rounds += report.rounds;
        tally_.bytes += *done;
        tally_.seconds.add(report.mine);
        file_.report.rounds.push_back(report.rounds);
        file_.report.decisions = report.decisions;
        if (request_.direction == Direction::read) clear_missing(wanted, *done);
        return {};
    }

    void clear_missing(Access const& wanted, Size done) {
        Size asked = wanted.size();
        for (auto const& copy : wanted.duplicates) asked += copy.length;
        if (done == asked) return;
        auto storage = file_.session->storage();
        if (!storage) return;
        if (auto const end = (*storage)->size(); end) clear_behind(wanted, *end);
    }

    // As collective as the others: the same datasets on all ranks.
    Status run_exceptions() {
        Lap const lap{tally_.seconds.hdf5};
        Status status;
        for (std::size_t i = 0; i < subjects_.size(); ++i) {
            if (subjects_[i].obstacle == Obstacle::none) continue;
            status = first_failure(status, run_exception(request_.entries[i], subjects_[i].obstacle));
            file_.report.exceptions.push_back(
                {name_of_object(request_.entries[i].dataset), reason_with_cause(subjects_[i].obstacle)});
        }
        tally_.one_by_one = static_cast<Size>(file_.report.exceptions.size());
        return tally_.one_by_one > 0 ? quorum_of(file_.comm).agree(status) : Status{};
    }

    // With some MPIs HDF5 1.10 cannot read chunks collectively when some are missing; alone it can.
    Status run_exception(Entry const& entry, Obstacle obstacle) const {
        if (obstacle != Obstacle::unallocated || request_.direction == Direction::write) {
            return transfer_one(request_, entry);
        }
        auto const alone = independent(request_.dxpl);
        return transfer_one({request_.direction, request_.entries, alone}, entry);
    }

    std::string reason_with_cause(Obstacle obstacle) const {
        if (obstacle != Obstacle::unreachable) return reason_of(obstacle);
        return std::string{reason_of(obstacle)} + ": " + file_.unreachable.message();
    }

    Request const& request_;
    Attached& file_;
    Comm comm_;
    Status mine_;
    std::vector<Subject> subjects_;
    Votes dataset_votes_;
    Tally tally_;
};

Status no_dataset() { return {Code::invalid_argument, "no identifier is that of a dataset"}; }

// Local. HDF5 does one after the other.
Status transfer_alone(Request const& request, Attached& file, char const* reason) {
    Tally tally;
    tally.calls = 1;
    tally.datasets = tally.one_by_one = static_cast<Size>(request.entries.size());
    auto& report = file.report;
    report.rounds.clear();
    report.exceptions.clear();
    report.decisions.clear();
    Status status;
    {
        Lap const lap{tally.seconds.hdf5};
        for (auto const& entry : request.entries) {
            auto const arguments = check_arguments(entry);
            status = first_failure(status, arguments.ok() ? transfer_one(request, entry) : arguments);
            report.exceptions.push_back({name_of_object(entry.dataset), reason});
        }
    }
    tally.seconds.end(tally.seconds.hdf5);
    report.operation = name_of(request.direction);
    report.call = tally;
    report.all += tally;
    return status;
}

// The first identifier of a dataset, or an invalid one.
hid_t first_dataset(Request const& request) {
    Quiet const quiet;
    for (auto const& entry : request.entries) {
        if (H5Iget_type(entry.dataset) == H5I_DATASET) return entry.dataset;
    }
    return H5I_INVALID_HID;
}

// Collective.
Status transfer_together(Request const& request, Status const& arguments) {
    auto const dataset = first_dataset(request);
    // A rank whose identifiers are all wrong takes the only file there is, so that the others learn about it.
    auto const file = dataset >= 0 ? attach(dataset) : Result<Attached*>{only_attached()};
    if (!file) return file.status();
    if (*file == nullptr) return request.entries.empty() ? arguments : no_dataset();
    recognise_ranks(**file, dataset);
    if ((*file)->comm == MPI_COMM_NULL) ask_for_ranks(**file, dataset);
    if ((*file)->comm == MPI_COMM_NULL) {
        if (!arguments.ok()) return arguments;
        auto const alone = independent(request.dxpl);
        return transfer_alone({request.direction, request.entries, alone}, **file, "the file is not open in parallel");
    }
    return Together{request, **file, arguments}.run();
}

}  // namespace

Status transfer(Request const& request) {
    auto const collective = wants_collective(request.dxpl);
    if (!collective || *collective) return transfer_together(request, collective.status());
    if (request.entries.empty()) return {};
    auto const file = attach(first_dataset(request));
    if (!file) return no_dataset();
    return transfer_alone(request, **file, "independent transfer by the property list");
}

}  // namespace muster::hdf5
