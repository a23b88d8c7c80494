// Sets of pieces in a directory of the node: it may fill up, fail or go, and other nodes do not see it.
#include <sys/stat.h>

#include <filesystem>

#include "engine/subfiling.hpp"
#include "engine/testing.hpp"
#include "muster/declared.hpp"

namespace muster {
namespace {

using namespace test;

// A directory for pieces, and a set that goes away with them.
class LocalSet {
public:
    LocalSet() : directory_{path_.get() + ".local"} {
        if (rank() == 0) std::filesystem::create_directories(directory_);
        barrier(world());
    }
    ~LocalSet() {
        barrier(world());
        if (rank() != 0) return;
        if (auto index = read_subfile_index(path()); index && *index) remove_pieces(path(), **index);
        std::filesystem::remove_all(directory_);
    }
    std::string const& path() const { return path_.get(); }
    std::string const& directory() const { return directory_; }
    void remove_directory() const {
        barrier(world());
        if (rank() == 0) std::filesystem::remove_all(directory_);
        barrier(world());
    }
    Hints hints(int ranks_per_node, std::string const& faults = "") const {
        Hints hints;
        hints.subfiles = "node";
        hints.subfile_unit = 48;
        hints.window = 96;
        hints.subfile_directory = directory_;
        hints.ranks_per_node = ranks_per_node;
        hints.direct_write = hints.direct_read = 0;
        hints.faults = faults;
        return hints;
    }

private:
    SharedPath path_;
    std::string directory_;
};

Status declared_write(File& file, Deal const& deal) {
    std::vector<Part> const parts{{mine(deal)}};
    auto declared = Declared::write(file, parts);
    if (!declared) return declared.status();
    auto const bytes = marks(rank(), mine(deal));
    EXPECT_OK(declared->put(0, bytes.data()));
    return declared->finish().status();
}

// From the end to the beginning, in pieces of 7 bytes.
std::string declared_read(File& file, Extents const& extents) {
    std::vector<Part> const parts{{extents}};
    auto declared = Declared::read(file, parts);
    std::string bytes(static_cast<std::size_t>(size_of(extents)), '?');
    EXPECT_TRUE(declared.ok()) << declared.status().text();
    if (!declared) return bytes;
    constexpr Size step = 7;
    for (auto at = (size_of(extents) - 1) / step * step; at >= 0; at -= step) {
        EXPECT_OK(declared->get(0, bytes.data() + at, at, std::min(step, size_of(extents) - at)));
    }
    EXPECT_OK(declared->finish());
    return bytes;
}

void expect_readable(LocalSet const& set, Deal const& deal, int ranks_per_node) {
    Hints hints;
    hints.ranks_per_node = ranks_per_node;
    hints.direct_read = 0;
    OpenFile file{set.path(), Mode::read, hints};
    EXPECT_EQ(declared_read(*file, mine(deal)), marks(rank(), mine(deal)));
    std::string bytes(static_cast<std::size_t>(size_of(mine(deal))), ' ');
    EXPECT_OK(read_pieces(*file, mine(deal), bytes));
    EXPECT_EQ(bytes, marks(rank(), mine(deal)));
}

bool told(File& file, std::string const& words) {
    Size found = file.report().text().find(words) != std::string::npos ? 1 : 0;
    reduce_all(world(), std::span{&found, 1}, MPI_MAX);
    return found == 1;
}

TEST(LocalSet, a_directory_that_fills_up_gives_way_and_the_report_says_so) {
    auto const deal = rotate({64, 9});
    for (int const ranks_per_node : {0, 1, 2}) {
        for (auto const* fault : {"write:1:ENOSPC@*", "write:3:ENOSPC@*", "write:2:EIO@0;write:2:short@*"}) {
            for (auto const declared : {false, true}) {
                LocalSet const set;
                {
                    OpenFile file{set.path(), Mode::create, set.hints(ranks_per_node, fault)};
                    EXPECT_OK(declared ? declared_write(*file, deal) : write_marks(*file, deal).status());
                    if (fault[6] == '1') {
                        EXPECT_TRUE(told(*file, "passed over")) << file->report().text();
                    }
                }
                expect_readable(set, deal, ranks_per_node);
            }
        }
        if (ranks() > 4) break;
    }
}

TEST(LocalSet, a_persistent_tier_of_the_machine_may_keep_the_pieces) {
    auto const deal = rotate({64, 9});
    for (auto const* wanted : {"tier", "tier:NVR"}) {
        LocalSet const set;
        auto hints = set.hints(0);
        hints.machine =
            "tiers HBM 180GB/s 10us, SSD 1GB/s 100us persistent at /nowhere, NVR 2GB/s 50us persistent at " +
            set.directory();
        hints.subfile_directory = wanted;
        {
            OpenFile file{set.path(), Mode::create, hints};
            EXPECT_OK(write_marks(*file, deal));
        }
        barrier(world());
        EXPECT_EQ((*read_subfile_index(set.path()))->directory, set.directory());
        expect_readable(set, deal, 0);
        hints.subfile_directory = "tier:HBM";
        expect_failure(File::open(MPI_COMM_WORLD, set.path() + "x", Mode::create, hints).status(), Code::invalid_hint);
    }
}

TEST(LocalSet, a_directory_that_is_missing_or_vanishes_takes_nothing_with_it) {
    auto const deal = rotate({64, 9});
    for (int const ranks_per_node : {0, 1}) {
        for (auto const early : {false, true}) {
            LocalSet const set;
            if (early) set.remove_directory();
            {
                OpenFile file{set.path(), Mode::create, set.hints(ranks_per_node)};
                EXPECT_OK(write_marks(*file, deal));
                if (!early) set.remove_directory();
                EXPECT_OK(declared_write(*file, deal));
            }
            expect_readable(set, deal, ranks_per_node);
        }
    }
}

TEST(LocalSet, a_directory_that_vanishes_before_the_file_is_closed_takes_nothing_with_it) {
    auto const deal = rotate({64, 9});
    LocalSet const set;
    {
        OpenFile file{set.path(), Mode::create, set.hints(1)};
        EXPECT_OK(write_marks(*file, deal));
        set.remove_directory();
    }
    expect_readable(set, deal, 1);
}

TEST(LocalSet, reading_errors_are_told_to_all_and_nobody_hangs) {
    auto const deal = rotate({64, 9});
    for (int const ranks_per_node : {0, 1}) {
        LocalSet const set;
        {
            OpenFile file{set.path(), Mode::create, set.hints(ranks_per_node)};
            EXPECT_OK(write_marks(*file, deal));
        }
        auto hints = set.hints(ranks_per_node);
        OpenFile file{set.path(), Mode::update, [&] {
                          hints.faults = "read:*:EIO@0";
                          return hints;
                      }()};
        std::vector<Part> const parts{{mine(deal)}};
        auto declared = Declared::read(*file, parts);
        ASSERT_TRUE(declared.ok()) << declared.status().text();
        std::string bytes(static_cast<std::size_t>(size_of(mine(deal))), ' ');
        (void)declared->get(0, bytes.data());
        expect_failure(declared->finish().status(), Code::io);
    }
}

TEST(LocalSet, on_other_nodes_it_is_read_in_any_order_and_behind_its_end) {
    auto const deal = rotate({64, 9});
    for (int const ranks_per_node : {1, 2}) {
        LocalSet const set;
        {
            OpenFile file{set.path(), Mode::create, set.hints(ranks_per_node)};
            EXPECT_OK(write_marks(*file, deal));
        }
        Hints hints;
        hints.ranks_per_node = ranks_per_node;
        for (auto const mode : {Mode::read, Mode::update}) {
            OpenFile file{set.path(), mode, hints};
            EXPECT_EQ(*file->size(), end_of(deal));
            Extents const all{{0, end_of(deal) - 5}, {end_of(deal) - 5, 20}};
            auto const expected = written({}, deal) + std::string(15, '?');
            EXPECT_EQ(declared_read(*file, all), expected) << "and again, and again";
            EXPECT_EQ(declared_read(*file, is_last() ? Extents{} : all), is_last() ? "" : expected);
        }
    }
}

TEST(LocalSet, on_other_nodes_its_size_can_be_set) {
    auto const deal = rotate({64, 9});
    LocalSet const set;
    {
        OpenFile file{set.path(), Mode::create, set.hints(1)};
        EXPECT_OK(write_marks(*file, deal));
        EXPECT_OK(file->resize(end_of(deal) / 2));
        EXPECT_EQ(*file->size(), end_of(deal) / 2);
    }
    OpenFile file{set.path(), Mode::read, [] {
                      Hints hints;
                      hints.ranks_per_node = 1;
                      return hints;
                  }()};
    EXPECT_EQ(*file->size(), end_of(deal) / 2);
}

void expect_marks(File& file, Deal const& deal) {
    std::string bytes(static_cast<std::size_t>(size_of(mine(deal))), ' ');
    EXPECT_OK(read_pieces(file, mine(deal), bytes));
    EXPECT_EQ(bytes, marks(rank(), mine(deal)));
}

TEST(LocalSet, on_other_nodes_a_pattern_may_come_again_elsewhere) {
    LocalSet const set;
    OpenFile file{set.path(), Mode::create, set.hints(1)};
    for (Offset const start : {0, 48, 480, 17}) {
        auto const deal = rotate({48, 3, 0, start});
        EXPECT_OK(write_marks(*file, deal));
        expect_marks(*file, deal);
    }
    auto const rows = Offset{2} * 48 * ranks();
    EXPECT_OK(write_marks(*file, rotate({48, 3, 0, 17 + rows})));
    EXPECT_TRUE(file->report().plan_reused) << "every stripe stays with its aggregator";
}

TEST(LocalSet, on_other_nodes_a_kept_plan_may_run_elsewhere) {
    LocalSet const set;
    OpenFile file{set.path(), Mode::create, set.hints(1)};
    auto const deal = rotate({48, 3, 0, 0});
    auto const bytes = marks(rank(), mine(deal));
    Segment const segment{bytes.data(), static_cast<Size>(bytes.size())};
    auto plan = file->plan_write(Pieces{mine(deal), {&segment, 1}});
    ASSERT_TRUE(plan.ok()) << plan.status().text();
    for (Offset const shift : {0, 48, 17, 960}) {
        auto const there = rotate({48, 3, 0, shift});
        EXPECT_OK(plan->write(marks(rank(), mine(there)).data(), shift));
        expect_marks(*file, there);
    }
}

TEST(LocalSet, a_program_may_go_to_another_directory_meanwhile) {
    auto const deal = rotate({64, 9});
    LocalSet const set;
    auto const home = std::filesystem::current_path();
    std::filesystem::current_path(std::filesystem::path{set.path()}.parent_path());
    auto hints = set.hints(0);
    hints.subfile_directory = std::filesystem::path{set.directory()}.filename();
    auto file = File::open(MPI_COMM_WORLD, std::filesystem::path{set.path()}.filename().string(), Mode::create, hints);
    std::filesystem::current_path("/");
    EXPECT_OK(file.status());
    EXPECT_OK(write_marks(*file, deal));
    EXPECT_OK(file->close());
    expect_readable(set, deal, 0);
    std::filesystem::current_path(home);
}

// On a cluster every node has memory of its own there, which the first rank does not see.
TEST(LocalSet, that_is_replaced_goes_from_every_node) {
    for (auto const* next : {"node", "off"}) {
        LocalSet const set;
        auto hints = set.hints(0);
        hints.subfile_directory = "/dev/shm";
        {
            OpenFile file{set.path(), Mode::create, hints};
            EXPECT_OK(write_marks(*file, rotate({64, 9})));
        }
        auto const old = **read_subfile_index(set.path());
        barrier(world());
        hints.subfiles = next;
        { OpenFile file{set.path(), Mode::create, hints}; }
        barrier(world());
        for (int piece = 0; piece < old.count; ++piece) {
            EXPECT_FALSE(std::filesystem::exists(old.piece_path(set.path(), piece))) << piece;
        }
    }
}

TEST(LocalSet, a_piece_that_was_lost_meanwhile_is_named_when_the_file_is_closed) {
    LocalSet const set;
    auto hints = set.hints(0);
    hints.subfiles = "2";
    {
        OpenFile file{set.path(), Mode::create, hints};
        EXPECT_OK(write_marks(*file, rotate({64, 9})));
    }
    auto file = File::open(MPI_COMM_WORLD, set.path(), Mode::update);
    EXPECT_OK(file.status());
    set.remove_directory();
    auto const closed = file->close();
    expect_failure(closed, Code::not_found);
    EXPECT_NE(closed.message().find("piece 0"), std::string::npos) << closed.text();
}

TEST(Declared, a_file_is_not_closed_while_a_declaration_is_under_way) {
    auto const deal = rotate({64, 9});
    SharedPath const path;
    auto file = File::open(MPI_COMM_WORLD, path.get(), Mode::create, settings()[0].hints);
    EXPECT_OK(file.status());
    std::vector<Part> const parts{{mine(deal)}};
    auto declared = Declared::write(*file, parts);
    auto const bytes = marks(rank(), mine(deal));
    if (rank() == 0) EXPECT_OK(declared->put(0, bytes.data(), 0, size_of(mine(deal)) / 2));
    expect_failure(file->close(), Code::invalid_argument);
    EXPECT_TRUE(file->is_open());
    auto const half = rank() == 0 ? size_of(mine(deal)) / 2 : 0;
    EXPECT_OK(declared->put(0, bytes.data() + half, half));
    EXPECT_OK(declared->finish());
    EXPECT_OK(file->close());
    EXPECT_FALSE(file->is_open());
    path.expect(written({}, deal));
}

TEST(Declared, a_file_that_is_dropped_stays_for_its_declarations) {
    auto const deal = rotate({64, 9});
    SharedPath const path;
    std::vector<Part> const parts{{mine(deal)}};
    auto const bytes = marks(rank(), mine(deal));
    std::optional<File> file;
    if (auto opened = File::open(MPI_COMM_WORLD, path.get(), Mode::create, settings()[0].hints); opened)
        file.emplace(std::move(*opened));
    auto declared = Declared::write(*file, parts);
    file.reset();
    EXPECT_OK(declared->put(0, bytes.data()));
    EXPECT_OK(declared->finish());
    path.expect(written({}, deal));
}

}  // namespace
}  // namespace muster
