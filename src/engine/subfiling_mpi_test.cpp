// Files kept as pieces: any number of ranks write and read them as one, and what is missing or damaged is named.
#include <filesystem>

#include "engine/testing.hpp"
#include "engine/testing_sets.hpp"
#include "muster/declared.hpp"

namespace muster {
namespace {

using namespace test;

TEST(Subfiling, every_way_to_write_and_read_works_on_pieces) {
    auto const deal = rotate({50, 7, 3});
    for (auto const& setting : settings()) {
        for (auto const* how : {"node", "aggregator", "3", "nodes:2"}) {
            if (ranks() > 4 && *how != 'n') continue;
            SharedSet const set;
            {
                OpenFile file{set.get(), Mode::create, in_pieces(setting.hints, how)};
                EXPECT_OK(write_marks(*file, deal));
                EXPECT_EQ(*file->size(), end_of(deal));
            }
            auto const text = set.contents();
            if (rank() == 0) {
                EXPECT_EQ(text, written({}, deal)) << setting.name << ", " << how;
            }
            OpenFile file{set.get(), Mode::read, setting.hints};
            EXPECT_EQ(*file->size(), end_of(deal));
            std::string bytes(static_cast<std::size_t>(size_of(mine(deal))), ' ');
            EXPECT_OK(read_pieces(*file, mine(deal), bytes));
            EXPECT_EQ(bytes, marks(rank(), mine(deal)));
        }
    }
}

TEST(Subfiling, one_rank_reads_what_all_have_written) {
    auto const deal = rotate({100, 5});
    SharedSet const set;
    {
        OpenFile file{set.get(), Mode::create, in_pieces({}, "5")};
        EXPECT_OK(write_marks(*file, deal));
    }
    barrier(world());
    OpenFile alone{set.get(), Mode::read, {}, MPI_COMM_SELF};
    std::string bytes(static_cast<std::size_t>(end_of(deal)), ' ');
    EXPECT_OK(read_pieces(*alone, {{0, end_of(deal)}}, bytes));
    EXPECT_EQ(bytes, written({}, deal));
    barrier(world());
}

TEST(Subfiling, a_set_can_be_changed_later) {
    auto const first = rotate({100, 3});
    auto const second = rotate({30, 4, 11, 37});
    SharedSet const set;
    {
        OpenFile file{set.get(), Mode::create, in_pieces({}, "2")};
        EXPECT_OK(write_marks(*file, first));
    }
    {
        OpenFile file{set.get(), Mode::update};
        EXPECT_OK(write_marks(*file, second));
    }
    auto const text = set.contents();
    if (rank() == 0) {
        EXPECT_EQ(text, written(written({}, first), second));
    }
}

TEST(Subfiling, missing_and_short_pieces_are_named_to_all) {
    SharedSet const set;
    {
        OpenFile file{set.get(), Mode::create, in_pieces({}, "3")};
        EXPECT_OK(write_marks(*file, rotate({200, 4})));
    }
    auto const victim = set.index().piece_path(set.get(), 1);
    if (rank() == 0) std::filesystem::resize_file(victim, 7);
    barrier(world());
    auto const damaged = File::open(MPI_COMM_WORLD, set.get(), Mode::read);
    expect_failure(damaged.status(), Code::io);
    EXPECT_NE(damaged.status().message().find("piece 1 of"), std::string::npos) << damaged.status().text();
    barrier(world());
    if (rank() == 0) std::filesystem::remove(victim);
    barrier(world());
    expect_failure(File::open(MPI_COMM_WORLD, set.get(), Mode::read).status(), Code::not_found);
}

TEST(Subfiling, pieces_in_a_directory_of_the_node_are_read_back_there) {
    SharedPath const place;  // a name for the directory
    if (rank() == 0) std::filesystem::create_directories(place.get());
    barrier(world());
    auto const deal = rotate({64, 9});
    for (int const ranks_per_node : {0, 1, 2}) {
        SharedSet const set;
        auto hints = in_pieces({}, "node");
        hints.ranks_per_node = ranks_per_node;
        hints.subfile_directory = place.get();
        {
            OpenFile file{set.get(), Mode::create, hints};
            EXPECT_OK(write_marks(*file, deal));
        }
        EXPECT_EQ(set.index().directory, place.get());
        OpenFile file{set.get(), Mode::read, hints};
        std::string bytes(static_cast<std::size_t>(size_of(mine(deal))), ' ');
        EXPECT_OK(read_pieces(*file, mine(deal), bytes));
        EXPECT_EQ(bytes, marks(rank(), mine(deal)));
    }
    barrier(world());
    if (rank() == 0) std::filesystem::remove_all(place.get());
}

TEST(Subfiling, declared_writes_go_to_pieces) {
    SharedSet const set;
    auto const deal = rotate({64, 6});
    {
        OpenFile file{set.get(), Mode::create, in_pieces(settings()[0].hints, "2")};
        std::vector<Part> const parts{{mine(deal)}};
        auto declared = Declared::write(*file, parts);
        ASSERT_TRUE(declared.ok()) << declared.status().text();
        EXPECT_OK(declared->put(0, marks(rank(), mine(deal)).data()));
        EXPECT_OK(declared->finish());
    }
    auto const text = set.contents();
    if (rank() == 0) {
        EXPECT_EQ(text, written({}, deal));
    }
}

TEST(Subfiling, an_exclusive_set_is_made_once_and_nonsense_is_refused) {
    SharedSet const set;
    { OpenFile file{set.get(), Mode::exclusive, in_pieces({}, "2")}; }
    expect_failure(File::open(MPI_COMM_WORLD, set.get(), Mode::exclusive, in_pieces({}, "2")).status(), Code::exists);
    expect_failure(File::open(MPI_COMM_WORLD, set.get() + "x", Mode::create, in_pieces({}, "many")).status(),
                   Code::invalid_hint);
}

TEST(Subfiling, a_set_that_is_there_is_left_alone_by_whoever_must_not_replace_it) {
    auto const deal = rotate({40, 3});
    SharedSet const set;
    {
        OpenFile file{set.get(), Mode::create, in_pieces({}, "2")};
        EXPECT_OK(write_marks(*file, deal));
    }
    expect_failure(File::open(MPI_COMM_WORLD, set.get(), Mode::exclusive).status(), Code::exists);
    expect_failure(File::open(MPI_COMM_WORLD, set.get(), Mode::exclusive, in_pieces({}, "2")).status(), Code::exists);
    OpenFile file{set.get(), Mode::read};
    EXPECT_EQ(set.contents(),
              rank() == 0 ? written({}, deal) : std::string(static_cast<std::size_t>(end_of(deal)), '\0'));
}

TEST(Subfiling, a_set_that_may_only_be_read_refuses_to_be_changed) {
    SharedSet const set;
    Deal deal(static_cast<std::size_t>(ranks()));
    deal[0] = {{50, 10}};
    {
        OpenFile file{set.get(), Mode::create, in_pieces({}, "3")};
        EXPECT_OK(write_marks(*file, deal));
    }
    OpenFile file{set.get(), Mode::read};
    EXPECT_FALSE(file->resize(5).ok());
    EXPECT_FALSE(file->reserve(5).ok());
    EXPECT_FALSE(write_marks(*file, rotate({48, 2})).ok());
    EXPECT_EQ(*file->size(), 60);
}

TEST(Subfiling, nonsense_for_new_sets_does_not_matter_to_files_that_are_there) {
    SharedPath path;
    path.fill("0123456789");
    OpenFile file{path.get(), Mode::read, in_pieces(all_aggregate(), "junk")};
    std::string memory(10, '#');
    EXPECT_OK(file->read_at_all(0, memory.data(), 10, MPI_BYTE));
    EXPECT_EQ(memory, "0123456789");
}

TEST(Subfiling, an_ordinary_file_may_take_the_place_of_a_set) {
    SharedSet const set;
    {
        OpenFile file{set.get(), Mode::create, in_pieces({}, "2")};
        EXPECT_OK(write_marks(*file, rotate({40, 2})));
    }
    auto const old = set.index().piece_path(set.get(), 0);
    barrier(world());
    {
        OpenFile file{set.get(), Mode::create};
        EXPECT_OK(write_marks(*file, rotate({40, 2})));
    }
    barrier(world());
    EXPECT_FALSE(std::filesystem::exists(old));
    EXPECT_FALSE(read_subfile_index(set.get())->has_value());
    barrier(world());
}

}  // namespace
}  // namespace muster
