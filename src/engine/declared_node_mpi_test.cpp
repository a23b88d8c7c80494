// Declared I/O on one node, where windows lie in memory that all ranks see and sums tell what will come.
#include "engine/testing.hpp"
#include "muster/declared.hpp"

namespace muster {
namespace {

using namespace test;

using Parts = std::vector<Part>;

// Records of nine values, as many variables, each rank's records together.
constexpr Size values[] = {4, 4, 4, 4, 4, 4, 4, 8, 2};
constexpr Size record = 38;

Parts records_of(int owner, Size count) {
    Parts parts;
    Offset place = owner * count * record;
    for (auto const size : values) {
        Part part;
        for (Size i = 0; i < count; ++i) part.extents.push_back({place + i * record, size});
        parts.push_back(std::move(part));
        place += size;
    }
    return parts;
}

Deal deal_of(std::vector<Parts> const& all) {
    Deal deal;
    for (auto const& parts : all) {
        Extents extents;
        for (auto const& part : parts) extents.insert(extents.end(), part.extents.begin(), part.extents.end());
        deal.push_back(std::move(extents));
    }
    return deal;
}

Deal deal_of_records(Size count) {
    std::vector<Parts> all;
    for (int i = 0; i < ranks(); ++i) all.push_back(records_of(i, count));
    return deal_of(all);
}

void write_parts(File& file, Parts const& parts) {
    auto declared = Declared::write(file, parts);
    ASSERT_TRUE(declared.ok()) << declared.status().text();
    for (std::size_t i = 0; i < parts.size(); ++i) EXPECT_OK(declared->put(i, marks(rank(), parts[i].extents).data()));
    EXPECT_OK(declared->finish());
}

void expect_parts(File& file, Parts const& parts) {
    auto declared = Declared::read(file, parts);
    ASSERT_TRUE(declared.ok()) << declared.status().text();
    for (std::size_t i = parts.size(); i-- > 0;) {
        auto const expected = marks(rank(), parts[i].extents);
        std::string found(expected.size(), ' ');
        EXPECT_OK(declared->get(i, found.data()));
        EXPECT_EQ(found, expected);
    }
    EXPECT_OK(declared->finish());
}

// Little, which one window holds; much, which goes through them in rounds; more windows than are added up.
TEST(DeclaredOnANode, interleaved_variables_are_written_and_read) {
    struct Trial {
        Size count;
        Size window;
    };
    for (auto const& [count, window] :
         {Trial{10, 0}, Trial{2000, 0}, Trial{Size{40000} / ranks(), 65536}, Trial{600, 4096}}) {
        SharedPath const path;
        Hints hints;
        hints.window = window;
        hints.aggregators = 2;
        OpenFile file{path.get(), Mode::create, hints};
        write_parts(*file, records_of(rank(), count));
        path.expect(written({}, deal_of_records(count)));
        expect_parts(*file, records_of(rank(), count));
    }
}

TEST(DeclaredOnANode, the_same_bytes_twice_are_found_among_interleaved_variables) {
    SharedPath const path;
    OpenFile file{path.get(), Mode::create};
    auto parts = records_of(rank(), 100);
    if (is_last()) parts[3].extents[50].offset -= 1;
    expect_failure_of(ranks() - 1, Declared::write(*file, parts).status(), Code::invalid_argument);
    parts = records_of(rank(), 100);
    if (is_last()) parts[3] = parts[2];
    expect_failure_of(ranks() - 1, Declared::read(*file, parts).status(), Code::invalid_argument);
}

TEST(DeclaredOnANode, two_declarations_at_once_and_one_that_is_dropped_do_no_harm) {
    SharedPath const first_path, second_path;
    OpenFile first{first_path.get(), Mode::create};
    OpenFile second{second_path.get(), Mode::create};
    auto const parts = records_of(rank(), 50);
    for (int turn = 0; turn < 3; ++turn) {
        auto one = Declared::write(*first, parts);
        auto two = Declared::write(*second, parts);
        ASSERT_TRUE(one.ok() && two.ok());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            auto const bytes = marks(rank(), parts[i].extents);
            EXPECT_OK(one->put(i, bytes.data()));
            if (turn != 1) EXPECT_OK(two->put(i, bytes.data()));
        }
        if (turn != 1) EXPECT_OK(two->finish());
        EXPECT_OK(one->finish());
    }
    first_path.expect(written({}, deal_of_records(50)));
    second_path.expect(written({}, deal_of_records(50)));
}

// Windows of the MPI go only when all ranks let go of them, in the same order.
TEST(DeclaredOnNodes, declarations_that_are_dropped_in_any_order_do_no_harm) {
    SharedPath const path;
    Hints hints;
    hints.ranks_per_node = 1;
    hints.shared_memory = Toggle::off;
    hints.direct_write = 0;
    OpenFile file{path.get(), Mode::create, hints};
    auto const parts = records_of(rank(), 50);
    for (int turn = 0; turn < 2; ++turn) {
        std::vector<Result<Declared>> pair;
        for (int i = 0; i < 2; ++i) pair.push_back(Declared::write(*file, parts));
        ASSERT_TRUE(pair[0].ok() && pair[1].ok());
        if (rank() % 2 == 0) EXPECT_OK(pair[0]->put(0, marks(rank(), parts[0].extents).data()));
        pair.erase(pair.begin() + rank() % 2);
    }
    write_parts(*file, parts);
    path.expect(written({}, deal_of_records(50)));
}

TEST(DeclaredOnANode, a_file_that_an_aggregator_cannot_open_is_told_to_all) {
    if (ranks() == 1) GTEST_SKIP() << "rank 0 opens at once";
    for (auto const count : {Size{10}, Size{130000} / ranks()}) {
        SharedPath const path;
        path.fill(std::string(static_cast<std::size_t>(count * record * ranks()), 'x'));
        Hints hints;
        hints.aggregator_list = {ranks() - 1};
        hints.faults = "open:1:EACCES@" + std::to_string(ranks() - 1);
        auto const parts = records_of(rank(), count);
        OpenFile file{path.get(), Mode::update, hints};
        auto declared = Declared::write(*file, parts);
        ASSERT_TRUE(declared.ok()) << declared.status().text();
        for (std::size_t i = 0; i < parts.size(); ++i) {
            EXPECT_OK(declared->put(i, marks(rank(), parts[i].extents).data()));
        }
        expect_failure_of(ranks() - 1, declared->finish().status(), Code::permission_denied);
    }
}

TEST(DeclaredOnANode, few_pieces_are_stored_without_windows) {
    SharedPath const path;
    Deal deal(static_cast<std::size_t>(ranks()));
    for (int i = 0; i < ranks(); ++i) deal[static_cast<std::size_t>(i)] = {{i * 700, 700 - i % 3}};
    OpenFile file{path.get(), Mode::create};
    write_parts(*file, {{mine(deal)}});
    path.expect(written({}, deal));
    auto const& report = file->report();
    EXPECT_NE(report.text().find("direct"), std::string::npos) << report.text();
    expect_parts(*file, {{mine(deal)}});
}

TEST(DeclaredReport, tells_what_went_to_the_file_and_came_from_it) {
    auto const deal = rotate({64, 9});
    SharedPath const path;
    OpenFile file{path.get(), Mode::create, settings()[0].hints};
    std::vector<Part> const parts{{mine(deal)}};
    auto const bytes = marks(rank(), mine(deal));
    auto writing = Declared::write(*file, parts);
    EXPECT_OK(writing->put(0, bytes.data()));
    EXPECT_OK(writing->finish());
    Size written_bytes = file->report().mine.file_bytes_written;
    reduce_all(world(), std::span{&written_bytes, 1}, MPI_SUM);
    EXPECT_EQ(written_bytes, end_of(deal));
    auto reading = Declared::read(*file, parts);
    std::string taken(bytes.size(), ' ');
    EXPECT_OK(reading->get(0, taken.data()));
    EXPECT_OK(reading->finish());
    Size read_bytes = file->report().mine.file_bytes_read;
    reduce_all(world(), std::span{&read_bytes, 1}, MPI_SUM);
    EXPECT_GE(read_bytes, end_of(deal));
    EXPECT_EQ(file->report().mine.file_writes, 0);
}

TEST(DeclaredReport, names_no_local_aggregators_because_there_are_none) {
    SharedPath const path;
    Hints hints;
    hints.ranks_per_node = 2;
    hints.local_aggregators = 1;
    hints.direct_write = 0;
    OpenFile file{path.get(), Mode::create, hints};
    write_parts(*file, records_of(rank(), 20));
    EXPECT_EQ(file->report().text().find("local aggregators "), std::string::npos) << file->report().text();
    path.expect(written({}, deal_of_records(20)));
}

}  // namespace
}  // namespace muster
