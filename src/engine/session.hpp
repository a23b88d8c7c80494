// A session: what stays constant while a file is open, and what is kept between calls.
#pragma once

#include <mpi.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/context.hpp"
#include "engine/patterns.hpp"
#include "engine/quorum.hpp"
#include "engine/subfiling.hpp"
#include "memory/tier.hpp"
#include "muster/report.hpp"
#include "plan/plan.hpp"
#include "storage/counting.hpp"
#include "storage/faulty.hpp"
#include "storage/window.hpp"
#include "storage/worker.hpp"

namespace muster {

class WindowSpace;

struct SessionOptions {
    std::string path;
    OpenOptions open;
    Hints hints;                  // from code; the environment goes on top
    std::vector<HintPair> pairs;  // from MPI_Info, between the two
    bool delete_on_close{false};
    Size inode{0};      // of the file that it must be, which rank 0 has open already; 0: what the name leads to
    bool plain{false};  // whatever hints say, also those of the environment
};

class MUSTER_API Session {
public:
    ~Session();
    // Collective. Rank 0 creates or opens the file; the others open it when they first touch it.
    static Result<std::unique_ptr<Session>> open(MPI_Comm comm, SessionOptions options);
    // Collective. The session is unusable afterwards, unless it is busy.
    Status close();
    // What close() says while declarations are under way.
    static bool is_busy(Status const& closed);

    Comm const& comm() const { return context_->comm; }
    Machine const& machine() const { return machine_; }
    bool shares_inside_nodes() const { return machine_.node_count() > 1 && hints_.shared_memory != Toggle::off; }
    Quorum const& quorum() const { return quorum_; }
    NodeShare* share() const { return share_; }  // null: the ranks are on several nodes, or share no memory
    // Collective when it is first asked for. The ranks this one gathers with; null, on all ranks, where they share no memory.
    Group* group(int local_aggregators) { return group_of(*context_, machine_, local_aggregators); }
    Hints const& hints() const { return hints_; }
    HolePolicy const& hole_policy() const { return hole_policy_; }
    FileLayout const& layout() const { return layout_; }
    std::string const& path() const { return options_.path; }
    std::vector<Decision> const& hint_notes() const { return hint_notes_; }

    // Local. The memory that windows come from, from now on.
    void use_tier(std::string const& name);
    // Local. Which memory windows lie in on this rank, and why not in another; empty where that is plain memory as usual.
    std::vector<Decision> tier_decisions() const;
    bool has_tier_decisions() const { return subfiles_ || !tiers.plain() || !tiers.notes().empty(); }  // or may have

    // Whether every rank can read and write all of the file itself.
    bool all_reach_file() const { return !subfiles_ || subfiling().all_see(*subfiles_); }
    // Whether this rank acts on the file as a whole: the first for all, or each on what it reaches.
    bool looks_after_file() const { return comm().rank == 0 || !all_reach_file(); }

    // Local. Opens the file at first use.
    Result<Storage*> storage();
    StorageCounts storage_counts() const { return storage_ ? storage_->counts() : StorageCounts{}; }

    // Local. As far as this rank reaches.
    Result<Size> own_size();
    // Collective.
    Result<Size> size();
    Status resize(Size size);
    Status reserve(Size size);
    Status sync();
    // Local. What this rank has written.
    Status sync_own() { return storage_ ? storage_->sync() : Status{}; }

    Report report;                       // of the last call
    Plan const* reported_plan{nullptr};  // told by the report, apart from the numbers of a run; only to be compared
    Summary asked;                       // by the last call, all ranks together
    Patterns patterns;                   // of earlier calls
    Size kept_plans{0};                  // made so far: by all ranks alike
    int declarations{0};                 // under way on this rank
    Size declared{0};                    // so far: by all ranks alike
    // Of declarations that were dropped, by their number: closing them takes all ranks, which drop them in any order.
    std::map<Size, std::unique_ptr<WindowSpace>> abandoned;
    BufferPool pool;
    TierStack tiers;       // where windows come from
    BufferPool windows{};  // of that memory
    Worker worker;         // last: its jobs use the others

private:
    Session();
    Status learn_machine();
    Status resolve_hints();
    Status agree_on_hints();
    Status take_hints(std::string const& text);
    Status go_to(Size inode);
    Status open_storage(OpenOptions const& options);
    PieceAccess piece_access() const;
    Result<std::optional<SubfileIndex>> open_what_is_there();
    void close_abandoned();
    void remove_elsewhere(std::string const& index);
    Status find_file();
    Status open_set(std::string const& index);
    SubfilingInput subfiling() const { return {comm(), quorum_, machine_, hints_, place_, options_.open}; }

    std::shared_ptr<Context> context_;
    Machine machine_;
    NodeShare* share_{nullptr};
    Quorum quorum_;
    Hints hints_;
    HolePolicy hole_policy_;
    FileLayout layout_;
    SessionOptions options_;
    std::string place_;  // the whole path
    Size inode_{0};      // of the file that was opened, where it is an ordinary one
    std::optional<SubfileIndex> subfiles_;
    std::string tier_name_;
    std::vector<Decision> hint_notes_;
    std::vector<Fault> faults_;
    Size openings_{0};  // tried so far, for faults
    std::unique_ptr<CountingStorage> storage_;
};

}  // namespace muster
