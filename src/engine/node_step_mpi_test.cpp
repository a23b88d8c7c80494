// Two-layer aggregation: the ranks of a node hand over in shared memory, and only local aggregators send.
#include <sys/resource.h>

#include <csignal>

#include "engine/testing.hpp"

namespace muster {
namespace {

using namespace test;

// Nodes of four ranks, of which so many gather for the others; the last rank of all aggregates.
Hints nodes_of_four(int local_aggregators) {
    Hints hints;
    hints.ranks_per_node = 4;
    hints.local_aggregators = local_aggregators;
    hints.aggregator_list = {ranks() - 1};
    hints.window = 256;
    hints.direct_write = hints.direct_read = 0;
    return hints;
}

bool several_nodes() { return ranks() > 4; }

Size messages(RankReport const& report) { return report.messages_inside_node + report.messages_between_nodes; }

// Collective. What a write and a read of bytes in turn send, by rank.
std::vector<Size> messages_sent(Hints const& hints) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, hints};
    auto const deal = rotate({3, 100, 0, 0});
    EXPECT_OK(write_marks(*file, deal));
    std::vector<Size> sent;
    for (auto const& each : file->gather_report().by_rank) sent.push_back(messages(each));
    path.expect(written("", deal));
    std::string bytes(static_cast<std::size_t>(size_of(mine(deal))), untouched);
    EXPECT_OK(read_pieces(*file, mine(deal), bytes));
    EXPECT_EQ(bytes, marks(rank(), mine(deal)));
    return sent;
}

TEST(NodeStep, only_local_aggregators_send) {
    if (!several_nodes()) return;
    auto const sent = messages_sent(nodes_of_four(1));
    for (int i = 0; i < ranks(); ++i) {
        EXPECT_EQ(sent[static_cast<std::size_t>(i)] > 0, i % 4 == 0 && i != ranks() - 1) << "rank " << i;
    }
}

TEST(NodeStep, with_as_many_local_aggregators_as_ranks_is_plain_two_phase_io) {
    auto plain = nodes_of_four(0);
    plain.shared_memory = Toggle::off;
    if (several_nodes()) {
        EXPECT_EQ(messages_sent(nodes_of_four(4)), messages_sent(plain));
    }
}

TEST(NodeStep, joins_the_requests_of_a_node) {
    if (!several_nodes()) return;
    SharedPath path;
    auto const deal = rotate({8, 200, 0, 0});
    auto const told = [&](int local_aggregators) {
        auto hints = nodes_of_four(local_aggregators);
        hints.window = 1 << 20;
        OpenFile file{path.get(), Mode::create, hints};
        EXPECT_OK(write_marks(*file, deal));
        return file->gather_report().total;
    };
    auto const gathered = told(1);
    auto const plain = told(4);
    EXPECT_LT(gathered.metadata_bytes, plain.metadata_bytes);
    EXPECT_LT(messages(gathered), messages(plain));
}

TEST(NodeStep, is_not_repeated_for_a_pattern_that_is_known) {
    if (!several_nodes()) return;
    SharedPath path;
    OpenFile file{path.get(), Mode::create, nodes_of_four(2)};
    auto const deal = rotate({3, 50, 1, 0});
    EXPECT_OK(write_marks(*file, deal));
    EXPECT_OK(write_marks(*file, rotate({3, 50, 1, 100000})));
    auto const report = file->gather_report();
    EXPECT_TRUE(report.plan_reused);
    EXPECT_EQ(report.total.metadata_bytes, 0);
    path.expect(written(written("", deal), rotate({3, 50, 1, 100000})));
}

// No file of this process, and so no shared memory, may become larger.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) : handler_{std::signal(SIGXFSZ, SIG_IGN)} {
        getrlimit(RLIMIT_FSIZE, &before_);
        rlimit const now{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &now);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(FileSizeLimit const&) = delete;
    FileSizeLimit& operator=(FileSizeLimit const&) = delete;

private:
    void (*handler_)(int);
    rlimit before_{};
};

bool decided(Report const& report, std::string const& subject, std::string const& choice) {
    return std::any_of(report.decisions.begin(), report.decisions.end(),
                       [&](Decision const& each) { return each.subject == subject && each.choice == choice; });
}

// Collective. A communicator that has nothing yet, on which only so much can be shared, and the same write there, so many times.
Report write_with_little_memory(Hints const& hints, rlim_t bytes, int times = 1) {
    SharedPath path;
    MPI_Comm fresh = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
    Report report;
    {
        OpenFile file{path.get(), Mode::create, hints, fresh};
        auto const deal = rotate({3, 100, 0, 0});
        FileSizeLimit const limit{bytes};
        for (int i = 0; i < times; ++i) EXPECT_OK(write_marks(*file, deal));
        report = file->report();
        path.expect(written("", deal));
    }
    MPI_Comm_free(&fresh);
    return report;
}

TEST(SharedMemory, that_is_not_to_be_had_is_done_without) {
    Hints hints;
    hints.direct_write = 0;
    auto const report = write_with_little_memory(hints, 60000);
    if (ranks() > 1) {
        EXPECT_TRUE(decided(report, "shared memory", "none")) << report.text();
    }
    EXPECT_TRUE(decided(report, "route", "exchange")) << report.text();
}

TEST(NodeStep, without_shared_memory_every_rank_speaks_for_itself) {
    if (!several_nodes()) return;
    auto const report = write_with_little_memory(nodes_of_four(1), 60000);
    EXPECT_TRUE(decided(report, "local aggregators", "none")) << report.text();
}

TEST(NodeStep, does_not_look_for_memory_again_where_there_was_none) {
    if (!several_nodes()) return;
    auto const report = write_with_little_memory(nodes_of_four(1), 60000, 2);
    EXPECT_TRUE(decided(report, "local aggregators", "none")) << report.text();
    EXPECT_TRUE(report.plan_reused);
    EXPECT_EQ(report.total.metadata_bytes, 0);
}

}  // namespace
}  // namespace muster
