// Aggregators near their data: whatever the policy, the bytes are the same, and the report tells what was gained.
#include "engine/testing.hpp"

namespace muster {
namespace {

using namespace test;

std::vector<Placement> const policies{Placement::automatic, Placement::spread,   Placement::round_robin,
                                      Placement::locality,  Placement::topology, Placement::memory};

Hints placed_by(Placement policy, std::string machine) {
    auto hints = all_aggregate();
    hints.placement = policy;
    hints.machine = std::move(machine);
    return hints;
}

std::string decision(File const& file, std::string const& subject) {
    for (auto const& decision : file.report().decisions) {
        if (decision.subject == subject) return decision.choice + ": " + decision.reason;
    }
    return {};
}

// Every rank has one block, in the opposite order: classic placement sends all of it.
Deal reversed_blocks(Size block) {
    Deal deal(static_cast<std::size_t>(ranks()));
    for (int i = 0; i < ranks(); ++i) deal[static_cast<std::size_t>(i)] = {{(ranks() - 1 - i) * block, block}};
    return deal;
}

TEST(Placement, every_policy_writes_and_reads_the_same_bytes) {
    auto const deal = rotate({24, 7, 3});
    for (auto const policy : policies) {
        for (auto const& machine : {"", "network mesh 16", "network tree 4 x 4; at random 3"}) {
            SharedPath const path;
            OpenFile file{path.get(), Mode::create, placed_by(policy, machine)};
            EXPECT_OK(write_marks(*file, deal));
            path.expect(written({}, deal));
            std::string bytes(static_cast<std::size_t>(size_of(mine(deal))), ' ');
            EXPECT_OK(read_pieces(*file, mine(deal), bytes));
            EXPECT_EQ(bytes, marks(rank(), mine(deal)));
        }
    }
}

TEST(Placement, locality_leaves_every_byte_where_it_is_when_that_can_be) {
    if (ranks() == 1) return;
    SharedPath const path;
    auto const deal = reversed_blocks(4096);
    OpenFile file{path.get(), Mode::create, placed_by(Placement::locality, "")};
    EXPECT_OK(write_marks(*file, deal));
    path.expect(written({}, deal));
    EXPECT_EQ(file->report().aggregators.front(), ranks() - 1);
    EXPECT_EQ(file->gather_report().total.messages_between_nodes, 0) << file->report().text();
    EXPECT_NE(decision(*file, "aggregators").find("placed by locality"), std::string::npos) << file->report().text();
}

TEST(Placement, topology_tells_hop_bytes_and_the_busiest_link) {
    if (ranks() == 1) return;
    SharedPath const path;
    auto const deal = reversed_blocks(4096);
    OpenFile file{path.get(), Mode::create, placed_by(Placement::topology, "network mesh 16")};
    EXPECT_OK(write_marks(*file, deal));
    path.expect(written({}, deal));
    EXPECT_NE(decision(*file, "aggregators").find("hop-bytes 0 B instead of"), std::string::npos)
        << decision(*file, "aggregators");
}

TEST(Placement, a_pattern_that_comes_again_keeps_its_places) {
    SharedPath const path;
    OpenFile file{path.get(), Mode::create, placed_by(Placement::topology, "network torus 4 x 4")};
    auto const deal = reversed_blocks(512);
    EXPECT_OK(write_marks(*file, deal));
    auto const first = file->report().aggregators;
    EXPECT_OK(write_marks(*file, deal));
    EXPECT_EQ(file->report().aggregators, first);
    EXPECT_TRUE(file->report().plan_reused);
}

TEST(Placement, a_machine_that_makes_no_sense_is_refused_by_all) {
    SharedPath const path;
    for (auto const& machine : {"network ring", "nodes 99 x 99", "@/no/such/file"}) {
        auto const opened =
            File::open(MPI_COMM_WORLD, path.get(), Mode::create, placed_by(Placement::topology, machine));
        EXPECT_FALSE(opened.ok()) << machine;
        EXPECT_EQ(opened.status().text(), of_first_rank(opened.status().text()));
    }
}

TEST(Placement, a_file_may_describe_the_machine) {
    SharedPath const description;
    description.fill("# two rows\nnetwork mesh 2 x 8\n");
    SharedPath const path;
    OpenFile file{path.get(), Mode::create, placed_by(Placement::topology, "@" + description.get())};
    EXPECT_OK(write_marks(*file, rotate({100, 3})));
    path.expect(written({}, rotate({100, 3})));
}

}  // namespace
}  // namespace muster
