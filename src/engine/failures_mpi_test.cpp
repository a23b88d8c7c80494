// When storage or memory fails on one rank: all hear the same, nobody waits for ever, and the file can be used again.
#include <cstdio>
#include <filesystem>

#include "engine/testing.hpp"
#include "memory/buffer.hpp"

namespace muster {
namespace {

using namespace test;

// Short blocks and holes in every window: its aggregator locks, reads, modifies and writes.
Deal holey() { return rotate({4, 64, 4, 0}); }

Hints with_faults(Hints hints, std::string faults) {
    hints.faults = std::move(faults);
    return hints;
}

// "write:2:ENOSPC" on one rank.
std::string on(int target, std::string const& fault) { return fault + "@" + std::to_string(target); }

// Collective. In the extents what was there or the writer's mark, beside them what was there.
void expect_nothing_else_changed(SharedPath const& path, Deal const& deal) {
    auto const found = path.contents();
    auto const wanted = written(std::string(found.size(), untouched), deal);
    for (std::size_t at = 0; at < found.size(); ++at) {
        if (found[at] == untouched) continue;
        ASSERT_EQ(found[at], wanted[at]) << "at " << at;
    }
}

struct Injection {
    char const* fault;
    Code code;
};

// Collective. The first write fails everywhere with the error of `target`, the second does all of it.
void expect_failing_write(Hints const& hints, int target, Injection const& injection) {
    SCOPED_TRACE(on(target, injection.fault));
    SharedPath path;
    auto const deal = holey();
    std::string const old(static_cast<std::size_t>(end_of(deal)) + 100, untouched);
    path.fill(old);
    OpenFile file{path.get(), Mode::update, with_faults(hints, on(target, injection.fault))};
    expect_failure_of(target, write_marks(*file, deal).status(), injection.code);
    expect_nothing_else_changed(path, deal);
    EXPECT_OK(write_marks(*file, deal));
    path.expect(written(old, deal));
}

TEST(FailingWrite, is_known_to_all_ranks_and_leaves_the_file_usable) {
    Injection const injections[] = {
        {"write:1:EIO", Code::io}, {"write:3:ENOSPC", Code::no_space}, {"write:4:EACCES", Code::permission_denied},
        {"read:2:EIO", Code::io},  {"lock:1:EIO", Code::io},           {"unlock:2:EIO", Code::io}};
    for (auto const target : chosen_ranks()) {
        for (auto const& injection : injections) expect_failing_write(all_aggregate(), target, injection);
    }
}

// The file was renamed before the other ranks have touched it, and another has its name.
TEST(FailingWrite, through_a_name_that_leads_elsewhere_touches_nothing) {
    if (ranks() == 1) GTEST_SKIP() << "who has opened the file keeps it";
    SharedPath path, elsewhere;
    auto const deal = holey();
    std::string const old(static_cast<std::size_t>(end_of(deal)), untouched);
    path.fill(old);
    OpenFile file{path.get(), Mode::update, all_aggregate()};
    barrier(world());
    if (rank() == 0) {
        EXPECT_EQ(::rename(path.get().c_str(), elsewhere.get().c_str()), 0);
    }
    path.fill(old);
    expect_failure(write_marks(*file, deal).status(), Code::not_found);
    path.expect(old);
}

TEST(Write, finds_the_file_when_the_program_has_changed_its_directory) {
    SharedPath path;
    auto const deal = holey();
    auto const before = std::filesystem::current_path();
    std::filesystem::path const whole{path.get()};
    std::filesystem::current_path(whole.parent_path());
    OpenFile file{whole.filename().string(), Mode::update, all_aggregate()};
    std::filesystem::current_path("/");
    EXPECT_OK(write_marks(*file, deal));
    std::filesystem::current_path(before);
    path.expect(written(std::string(static_cast<std::size_t>(end_of(deal)), '\0'), deal));
}

// Every rank aggregates, in memory that all ranks of the node share.
Hints all_share() {
    auto hints = all_aggregate();
    hints.ranks_per_node = 0;
    hints.shared_memory = Toggle::automatic;
    return hints;
}

TEST(FailingWrite, through_shared_memory_is_known_to_all_ranks) {
    Injection const injections[] = {{"write:1:ENOSPC", Code::no_space},
                                    {"write:3:EIO", Code::io},
                                    {"read:1:EIO", Code::io},
                                    {"lock:2:EIO", Code::io}};
    for (auto const target : chosen_ranks()) {
        for (auto const& injection : injections) expect_failing_write(all_share(), target, injection);
        if (target > 0) expect_failing_write(all_share(), target, {"open:1:EACCES", Code::permission_denied});
    }
}

TEST(FailingWrite, of_pieces_that_go_directly_is_known_to_all_ranks) {
    auto hints = all_aggregate();
    hints.collective_write = Toggle::off;
    for (auto const target : chosen_ranks()) {
        for (auto const& injection : {Injection{"write:1:ENOSPC", Code::no_space}, {"write:20:EIO", Code::io}}) {
            expect_failing_write(hints, target, injection);
        }
    }
}

TEST(FailingWrite, where_a_rank_cannot_open_the_file_is_known_to_all_ranks) {
    for (auto const collective : {Toggle::on, Toggle::off}) {
        auto hints = all_aggregate();
        hints.collective_write = collective;
        for (auto const target : chosen_ranks()) {
            if (target == 0) continue;  // rank 0 opens the file when all do
            expect_failing_write(hints, target, {"open:1:EACCES", Code::permission_denied});
        }
    }
}

TEST(FailingWrite, of_several_ranks_is_told_as_that_of_the_lowest) {
    SharedPath path;
    auto const last = ranks() - 1;
    auto const faults = on(last, "write:1:EIO") + ";" + on(last / 2, "write:2:ENOSPC");
    OpenFile file{path.get(), Mode::create, with_faults(all_aggregate(), faults)};
    auto const alone = last == last / 2;
    expect_failure_of(last / 2, write_marks(*file, holey()).status(), alone ? Code::io : Code::no_space);
}

TEST(FailingWrite, in_a_chapter_does_not_keep_the_others_from_theirs) {
    auto hints = all_aggregate();
    hints.metadata_memory = 1;
    for (auto const target : chosen_ranks()) expect_failing_write(hints, target, {"write:1:EIO", Code::io});
}

TEST(FailingWrite, by_a_kept_plan_does_not_spoil_the_plan) {
    auto const deal = holey();
    auto const bytes = marks(rank(), mine(deal));
    Segment const segment{bytes.data(), static_cast<Size>(bytes.size())};
    for (auto const target : chosen_ranks()) {
        SharedPath path;
        OpenFile file{path.get(), Mode::create, with_faults(all_aggregate(), on(target, "write:1:ENOSPC"))};
        auto plan = file->plan_write(Pieces{mine(deal), {&segment, 1}});
        ASSERT_TRUE(plan.ok()) << plan.status().text();
        expect_failure_of(target, plan->write(bytes.data()).status(), Code::no_space);
        EXPECT_OK(plan->write(bytes.data()));
        EXPECT_OK(plan->write(bytes.data()));
        path.expect(written("", deal));
    }
}

TEST(FailingWrite, that_always_fails_does_so_every_time) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, with_faults(all_aggregate(), "write:*:ENOSPC@*")};
    for (int i = 0; i < 3; ++i) expect_failure_of(0, write_marks(*file, holey()).status(), Code::no_space);
    EXPECT_EQ(*file->size(), 0);
}

// Collective. The first read fails everywhere, the second brings all bytes.
void expect_failing_read(Hints const& hints, int target, Injection const& injection) {
    SCOPED_TRACE(on(target, injection.fault));
    SharedPath path;
    auto const deal = holey();
    auto const bytes = marks(99, {{0, end_of(deal)}});
    path.fill(bytes);
    OpenFile file{path.get(), Mode::read, with_faults(hints, on(target, injection.fault))};
    std::string memory(static_cast<std::size_t>(size_of(mine(deal))), '#');
    expect_failure_of(target, read_pieces(*file, mine(deal), memory).status(), injection.code);
    EXPECT_OK(read_pieces(*file, mine(deal), memory));
    EXPECT_EQ(memory, cut_out(bytes, mine(deal)));
}

TEST(FailingRead, is_known_to_all_ranks_and_leaves_the_file_usable) {
    for (auto const collective : {Toggle::on, Toggle::off}) {
        auto hints = all_aggregate();
        hints.collective_read = collective;
        for (auto const target : chosen_ranks()) {
            expect_failing_read(hints, target, {"read:1:EIO", Code::io});
            expect_failing_read(hints, target, {"read:3:EACCES", Code::permission_denied});
            if (target > 0) expect_failing_read(hints, target, {"open:1:EACCES", Code::permission_denied});
        }
    }
}

// Which ranks read depends on the cores, so all fail that do.
TEST(FailingRead, through_shared_memory_is_known_to_all_ranks) {
    SharedPath path;
    auto const deal = holey();
    auto const bytes = marks(99, {{0, end_of(deal)}});
    path.fill(bytes);
    OpenFile file{path.get(), Mode::read, with_faults(all_share(), "read:1:EIO@*")};
    std::string memory(static_cast<std::size_t>(size_of(mine(deal))), '#');
    expect_failure(read_pieces(*file, mine(deal), memory).status(), Code::io);
    EXPECT_OK(read_pieces(*file, mine(deal), memory));
    EXPECT_EQ(memory, cut_out(bytes, mine(deal)));
}

TEST(FailingRead, where_the_size_cannot_be_found_out_is_known_to_all_ranks) {
    expect_failing_read(all_aggregate(), 0, {"size:1:EIO", Code::io});
}

TEST(FailingSize, resize_and_sync_are_known_to_all_ranks) {
    SharedPath path;
    auto const faults = "size:1:EIO@0;resize:1:ENOSPC@0;reserve:1:ENOSPC@0;" + on(ranks() - 1, "sync:1:EIO");
    OpenFile file{path.get(), Mode::create, with_faults(all_aggregate(), faults)};
    expect_failure_of(0, file->size().status(), Code::io);
    expect_failure_of(0, file->resize(10), Code::no_space);
    expect_failure_of(0, file->reserve(10), Code::no_space);
    EXPECT_OK(write_marks(*file, holey()));  // now all ranks have the file open
    expect_failure_of(ranks() - 1, file->sync(), Code::io);
    EXPECT_OK(file->sync());
    EXPECT_OK(file->resize(10));
    EXPECT_EQ(*file->size(), 10);
}

TEST(FailingClose, is_known_to_all_ranks) {
    for (auto const target : chosen_ranks()) {
        SharedPath path;
        auto file = File::open(MPI_COMM_WORLD, path.get(), Mode::create,
                               with_faults(all_aggregate(), on(target, "close:1:EIO")));
        ASSERT_TRUE(file.ok()) << file.status().text();
        EXPECT_OK(write_marks(*file, holey()));
        expect_failure_of(target, file->close(), Code::io);
    }
}

TEST(ShortTransfers, are_continued) {
    SharedPath path;
    auto const deal = holey();
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        std::string const old(static_cast<std::size_t>(end_of(deal)) + 100, untouched);
        path.fill(old);
        OpenFile file{path.get(), Mode::update, with_faults(hints, "write:*:short@*;read:*:short@*")};
        EXPECT_OK(write_marks(*file, deal));
        path.expect(written(old, deal));
        std::string memory(static_cast<std::size_t>(size_of(mine(deal))), '#');
        EXPECT_OK(read_pieces(*file, mine(deal), memory));
        EXPECT_EQ(memory, marks(rank(), mine(deal)));
    }
}

TEST(SlowStorage, of_one_rank_only_makes_the_others_wait) {
    SharedPath path;
    auto const deal = holey();
    auto const faults = on(ranks() - 1, "write:*:delay=5") + ";" + on(0, "read:*:delay=5");
    OpenFile file{path.get(), Mode::create, with_faults(all_aggregate(), faults)};
    EXPECT_OK(write_marks(*file, deal));
    std::string memory(static_cast<std::size_t>(size_of(mine(deal))), '#');
    EXPECT_OK(read_pieces(*file, mine(deal), memory));
    EXPECT_EQ(memory, marks(rank(), mine(deal)));
}

TEST(RefusedLock, of_a_file_system_without_locks_does_not_matter) {
    SharedPath path;
    auto const deal = holey();
    std::string const old(static_cast<std::size_t>(end_of(deal)), untouched);
    path.fill(old);
    OpenFile file{path.get(), Mode::update, with_faults(all_aggregate(), "lock:*:ENOLCK@*")};
    EXPECT_OK(write_marks(*file, deal));
    path.expect(written(old, deal));
}

// On one rank no memory is to be had while this exists.
class Famine {
public:
    explicit Famine(int target) {
        if (rank() == target) fail_allocations_above(0);
    }
    ~Famine() { fail_allocations_above(no_allocation_limit); }
    Famine(Famine const&) = delete;
    Famine& operator=(Famine const&) = delete;
};

TEST(NoMemory, on_one_rank_is_known_to_all_ranks_and_leaves_the_file_usable) {
    auto const deal = holey();
    for (auto const metadata_memory : {Size{1} << 20, Size{1}}) {
        for (auto const target : chosen_ranks()) {
            SharedPath path;
            auto hints = all_aggregate();
            hints.metadata_memory = metadata_memory;
            OpenFile file{path.get(), Mode::create, hints};
            {
                Famine const famine{target};
                expect_failure_of(target, write_marks(*file, deal).status(), Code::out_of_memory);
            }
            EXPECT_OK(write_marks(*file, deal));
            path.expect(written("", deal));
            OpenFile again{path.get(), Mode::read, hints};
            std::string memory(static_cast<std::size_t>(size_of(mine(deal))), '#');
            {
                Famine const famine{target};
                expect_failure_of(target, read_pieces(*again, mine(deal), memory).status(), Code::out_of_memory);
            }
            EXPECT_OK(read_pieces(*again, mine(deal), memory));
            EXPECT_EQ(memory, marks(rank(), mine(deal)));
        }
    }
}

TEST(NoMemory, for_scattered_memory_that_goes_directly_is_known_to_all_ranks) {
    SharedPath path;
    auto hints = all_aggregate();
    hints.collective_write = hints.collective_read = Toggle::off;
    OpenFile file{path.get(), Mode::create, hints};
    std::string memory(40, static_cast<char>('a' + rank() % 26));
    std::vector<Segment> const segments{{&memory[0], 3}, {&memory[10], 3}};
    Extents const extents{{6 * rank(), 6}};
    {
        Famine const famine{ranks() - 1};
        expect_failure_of(ranks() - 1, file->write_all(Pieces{extents, segments}).status(), Code::out_of_memory);
    }
    EXPECT_OK(file->write_all(Pieces{extents, segments}));
    std::string wanted;
    for (int writer = 0; writer < ranks(); ++writer) wanted += std::string(6, static_cast<char>('a' + writer % 26));
    path.expect(wanted);
}

}  // namespace
}  // namespace muster
