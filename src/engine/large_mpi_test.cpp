// Far offsets, large counts, and many rounds and chapters, all with few bytes.
#include "engine/testing.hpp"
#include "mpi/datatype.hpp"

namespace muster {
namespace {

using namespace test;

constexpr Size MiB = Size{1} << 20;
constexpr Size GiB = Size{1} << 30;

std::string choice_of(Report const& report, std::string const& subject) {
    for (auto const& decision : report.decisions) {
        if (decision.subject == subject) return decision.choice;
    }
    return "not decided";
}

// Collective. Writes the deal and reads the neighbour's part back.
void expect_round_trip(File& file, Deal const& deal) {
    EXPECT_OK(write_marks(file, deal));
    auto const neighbour = (rank() + 1) % ranks();
    auto const& extents = deal[static_cast<std::size_t>(neighbour)];
    std::string memory(static_cast<std::size_t>(size_of(extents)), '#');
    EXPECT_OK(read_pieces(file, extents, memory));
    EXPECT_EQ(memory, marks(neighbour, extents));
}

TEST(Far, offsets_beyond_eight_gibibytes_are_like_others) {
    SharedPath path;
    for (auto const ranks_per_node : {0, 1}) {
        SCOPED_TRACE(ranks_per_node);
        Hints hints;
        hints.ranks_per_node = ranks_per_node;
        OpenFile file{path.get(), Mode::create, hints};
        auto const deal = rotate({100, 3, 3 * MiB + 7, 8 * GiB + 17});
        expect_round_trip(*file, deal);
        EXPECT_EQ(*file->size(), end_of(deal));
    }
}

TEST(Far, extents_a_hundred_gibibytes_apart_need_no_memory_in_between) {
    SharedPath path;
    Deal deal(static_cast<std::size_t>(ranks()));
    deal.front().push_back({5, 10});
    deal.back().push_back({100 * GiB, 10});
    Hints hints;
    hints.ranks_per_node = 1;
    OpenFile file{path.get(), Mode::create, hints};
    expect_round_trip(*file, deal);
}

TEST(Far, a_kept_plan_may_be_shifted_over_gibibytes) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    auto const near = rotate({8, 5, 1, 0});
    auto const far = rotate({8, 5, 1, 5 * GiB});
    auto const bytes = marks(rank(), mine(far));
    Segment const segment{bytes.data(), static_cast<Size>(bytes.size())};
    auto plan = file->plan_write(Pieces{mine(near), {&segment, 1}});
    ASSERT_TRUE(plan.ok()) << plan.status().text();
    EXPECT_OK(plan->write(bytes.data(), 5 * GiB));
    std::string memory(bytes.size(), '#');
    EXPECT_OK(read_pieces(*file, mine(far), memory));
    EXPECT_EQ(memory, bytes);
}

TEST(Counts, beyond_what_an_int_holds_are_read_up_to_the_end_of_the_file) {
    SharedPath path;
    auto const bytes = marks(99, {{0, 40 * ranks()}});
    path.fill(bytes);
    for (auto const ranks_per_node : {0, 1}) {
        Hints hints;
        hints.ranks_per_node = ranks_per_node;
        OpenFile file{path.get(), Mode::read, hints};
        std::string memory(bytes.size(), '#');  // far less than what is asked for, as much as there is
        auto const done = file->read_at_all(40 * rank(), memory.data(), (Size{1} << 32) + 5, MPI_INT);
        ASSERT_TRUE(done.ok()) << done.status().text();
        EXPECT_EQ(*done, 40 * (ranks() - rank()));
        auto const got = static_cast<std::size_t>(*done);
        EXPECT_EQ(memory, bytes.substr(bytes.size() - got) + std::string(bytes.size() - got, '#'));
    }
}

TEST(Counts, beyond_what_an_int_holds_move_the_file_pointer) {
    SharedPath path;
    path.fill("abc");
    OpenFile file{path.get(), Mode::read, all_aggregate()};
    std::string memory(3, '#');
    EXPECT_OK(file->read_all(memory.data(), Size{3} << 31, MPI_DOUBLE));
    EXPECT_EQ(memory, "abc");
    EXPECT_EQ(file->position(), Size{24} << 31);
}

TEST(Counts, of_elements_without_bytes_may_be_any) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    Datatype nothing;
    MPI_Type_contiguous(0, MPI_INT, nothing.receive());
    char const byte = 'x';
    auto const done = file->write_at_all(0, &byte, Size{1} << 40, nothing.get());
    ASSERT_TRUE(done.ok()) << done.status().text();
    EXPECT_EQ(*done, 0);
    EXPECT_EQ(*file->size(), 0);
}

TEST(Rounds, may_be_hundreds_of_stripes) {
    SharedPath path;
    for (auto const windows : {1, 2, 5}) {
        Hints hints = all_aggregate();
        hints.layout = Layout::striped;
        hints.stripe_size = hints.window = 16;
        hints.stripe_count = 2;
        hints.aggregators = 2;
        hints.windows = windows;
        path.fill("");
        OpenFile file{path.get(), Mode::update, hints};
        auto const deal = rotate({10, 640 / ranks() + 1, 1, 3});
        EXPECT_OK(write_marks(*file, deal));
        EXPECT_GE(file->report().rounds, 200);
        path.expect(written("", deal));
        expect_round_trip(*file, deal);
    }
}

// Pieces of irregular size at irregular places, which no coding makes small.
Deal irregular(Size pieces) {
    Deal deal(static_cast<std::size_t>(ranks()));
    std::uint64_t state = 12345;
    auto const next = [&](std::uint64_t below) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<Size>((state >> 33) % below);
    };
    Offset at = 0;
    for (Size i = 0; i < pieces; ++i) {
        auto const length = next(13) + 1;
        deal[static_cast<std::size_t>(next(static_cast<std::uint64_t>(ranks())))].push_back({at, length});
        at += length + next(5);
    }
    return deal;
}

TEST(Chapters, may_be_as_many_as_rounds) {
    SharedPath path;
    auto hints = all_aggregate();
    hints.metadata_memory = 1;
    hints.aggregators = 1;
    auto const deal = irregular(ranks() > 4 ? 500 : 1500);
    std::string const old(static_cast<std::size_t>(end_of(deal)) + 10, untouched);
    path.fill(old);
    OpenFile file{path.get(), Mode::update, hints};
    EXPECT_OK(write_marks(*file, deal));
    EXPECT_EQ(choice_of(file->report(), "chapters"), std::to_string(file->report().rounds));
    EXPECT_GE(file->report().rounds, ranks() > 4 ? 50 : 200);
    path.expect(written(old, deal));
    std::string memory(static_cast<std::size_t>(size_of(mine(deal))), '#');
    EXPECT_OK(read_pieces(*file, mine(deal), memory));
    EXPECT_EQ(memory, marks(rank(), mine(deal)));
}

TEST(Chapters, of_several_rounds_serve_kept_plans_too) {
    SharedPath path;
    auto hints = all_aggregate();
    hints.metadata_memory = 200;
    auto const deal = irregular(60 * ranks());
    auto bytes = marks(rank(), mine(deal));
    OpenFile file{path.get(), Mode::create, hints};
    Segment const segment{bytes.data(), static_cast<Size>(bytes.size())};
    auto plan = file->plan_write(Pieces{mine(deal), {&segment, 1}});
    ASSERT_TRUE(plan.ok()) << plan.status().text();
    for (int i = 0; i < 2; ++i) EXPECT_OK(plan->write(bytes.data()));
    path.expect(written("", deal));
}

}  // namespace
}  // namespace muster
