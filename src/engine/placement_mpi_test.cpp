// Aggregators near their data: whatever the policy, the bytes are the same, and the report tells what was gained.
#include "engine/testing.hpp"
#include "muster/declared.hpp"

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
            if (ranks() > 4 && *machine == '\0') continue;
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

// --- windows in other kinds of memory ---

char const* const two_tiers = "tiers SSD 1GB/s 10us 1MiB persistent at /tmp, DRAM 10GB/s 100ns";

TEST(Tiers, windows_in_a_mapped_file_hold_the_same_bytes) {
    auto const deal = rotate({40, 9, 2});
    for (auto const& setting : settings()) {
        SharedPath const path;
        auto hints = setting.hints;
        hints.machine = two_tiers;
        hints.tier = "SSD";
        OpenFile file{path.get(), Mode::create, hints};
        EXPECT_OK(write_marks(*file, deal));
        path.expect(written({}, deal));
        std::vector<Part> const parts{{mine(deal)}};
        auto declared = Declared::write(*file, parts);
        ASSERT_TRUE(declared.ok()) << setting.name << declared.status().text();
        EXPECT_OK(declared->put(0, marks(rank(), mine(deal)).data()));
        EXPECT_OK(declared->finish());
        path.expect(written({}, deal));
    }
}

TEST(Tiers, a_tier_that_is_full_or_broken_gives_way_and_the_report_says_so) {
    auto const deal = rotate({40, 9});
    for (auto const* machine :
         {"tiers SSD 1GB/s 10us 100B at /tmp, DRAM 10GB/s 100ns", "tiers SSD 1GB/s 10us at /nowhere"}) {
        SharedPath const path;
        auto hints = all_aggregate();
        hints.machine = machine;
        hints.tier = "SSD";
        hints.aggregator_list = {0};
        OpenFile file{path.get(), Mode::create, hints};
        EXPECT_OK(write_marks(*file, deal));
        path.expect(written({}, deal));
        if (rank() == 0) {
            EXPECT_NE(file->report().text().find("SSD: "), std::string::npos) << file->report().text();
        }
    }
}

// The aggregator holds windows of a call before: for it alone there is no room left.
TEST(Tiers, one_that_is_full_on_some_ranks_alone_gives_way_on_all) {
    SharedPath const path;
    auto hints = settings()[0].hints;
    hints.machine = "tiers SSD 1GB/s 10us 400KiB at /tmp, DRAM 10GB/s 100ns";
    hints.tier = "SSD";
    hints.window = Size{64} << 10;
    hints.aggregator_list = {0};
    OpenFile file{path.get(), Mode::create, hints};
    auto const sparse = rotate({8, 4, Size{50} << 10});
    EXPECT_OK(write_marks(*file, sparse));
    auto const dense = rotate({Size{40} << 10, 9});
    std::vector<Part> const parts{{mine(dense)}};
    auto declared = Declared::write(*file, parts);
    ASSERT_TRUE(declared.ok()) << declared.status().text();
    EXPECT_OK(declared->put(0, marks(rank(), mine(dense)).data()));
    EXPECT_OK(declared->finish());
    path.expect(written(written({}, sparse), dense));
}

TEST(Tiers, placement_by_memory_chooses_the_tier_as_the_model_says) {
    SharedPath const path;
    auto hints = all_aggregate();
    if (ranks() == 1) return;
    hints.placement = Placement::memory;
    hints.machine = "network mesh 16; tiers FAST 100GB/s 1us 100B, MIDDLE 10GB/s 2us, SLOW 1GB/s 1ms";
    OpenFile file{path.get(), Mode::create, hints};
    auto const deal = rotate({64, 9});
    EXPECT_OK(write_marks(*file, deal));
    path.expect(written({}, deal));
    EXPECT_NE(decision(*file, "aggregators").find("windows in MIDDLE"), std::string::npos)
        << decision(*file, "aggregators");
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
