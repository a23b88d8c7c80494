// A pattern that comes again is not planned again.
#include "engine/testing.hpp"

namespace muster {
namespace {

using namespace test;

// Ranks take turns in cells of 8 bytes; the last gap makes every rank's extents irregular.
Extents turns(Offset base) {
    Extents extents;
    for (Size i = 0; i < 40; ++i) extents.push_back({base + (i * ranks() + rank()) * 8 + i * i, 8});
    return extents;
}

Result<Size> write(File& file, Extents const& extents, char letter) {
    std::string const data(static_cast<std::size_t>(size_of(extents)), letter);
    Segment const segment{data.data(), static_cast<Size>(data.size())};
    return file.write_all(Pieces{extents, {&segment, 1}});
}

Result<std::string> read(File& file, Extents const& extents) {
    std::string data(static_cast<std::size_t>(size_of(extents)), untouched);
    Segment const segment{data.data(), static_cast<Size>(data.size())};
    auto const done = file.read_all(Pieces{extents, {&segment, 1}});
    if (!done) return done.status();
    data.resize(static_cast<std::size_t>(*done));
    return data;
}

// On one node, and on as many nodes as there are ranks.
class Recall : public testing::TestWithParam<int> {
protected:
    Recall() {
        char name[] = "/tmp/muster-recall-XXXXXX";
        if (rank() == 0) ::close(mkstemp(name));
        MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
        path_ = name;
        Hints hints;
        hints.ranks_per_node = GetParam();
        hints.direct_read = hints.direct_write = 0;
        auto opened = File::open(MPI_COMM_WORLD, path_, Mode::update, hints);
        file_ = std::make_unique<File>(std::move(*opened));
    }
    ~Recall() override {
        EXPECT_TRUE(file_->close().ok());
        if (rank() == 0) unlink(path_.c_str());
    }
    File& file() { return *file_; }

private:
    std::string path_;
    std::unique_ptr<File> file_;
};

TEST_P(Recall, a_pattern_elsewhere_in_the_file_runs_the_plan_of_the_first_time) {
    for (int step = 0; step < 3; ++step) {
        auto const base = Offset{step} * 100'000;
        ASSERT_TRUE(write(file(), turns(base), static_cast<char>('a' + step)).ok());
        EXPECT_EQ(file().report().plan_reused, step > 0) << "step " << step;
    }
    for (int step = 0; step < 3; ++step) {
        auto const got = read(file(), turns(Offset{step} * 100'000));
        ASSERT_TRUE(got.ok());
        EXPECT_EQ(*got, std::string(320, static_cast<char>('a' + step)));
        EXPECT_EQ(file().report().plan_reused, step > 0) << "step " << step;
    }
}

TEST_P(Recall, several_patterns_are_remembered_at_once) {
    for (int step = 0; step < 3; ++step) {
        auto const base = Offset{step} * 100'000;
        ASSERT_TRUE(write(file(), turns(base), 'x').ok());
        Extents const other{{base + 50'000 + rank() * 16, 16}};
        ASSERT_TRUE(write(file(), other, 'y').ok());
        EXPECT_EQ(file().report().plan_reused, step > 0);
        auto const got = read(file(), other);
        ASSERT_TRUE(got.ok());
        EXPECT_EQ(*got, std::string(16, 'y'));
    }
}

TEST_P(Recall, a_shift_of_one_rank_alone_is_another_pattern) {
    ASSERT_TRUE(write(file(), turns(0), 'a').ok());
    if (ranks() == 1) return;
    auto const base = rank() == 0 ? Offset{100'000} : Offset{0};
    ASSERT_TRUE(write(file(), turns(base), 'b').ok());
    EXPECT_FALSE(file().report().plan_reused);
    auto const got = read(file(), turns(base));
    ASSERT_TRUE(got.ok());
    EXPECT_EQ(*got, std::string(320, 'b'));
}

TEST_P(Recall, ranks_without_bytes_go_along) {
    auto const mine = [](Offset base) { return rank() == 0 ? Extents{{base, 24}, {base + 100, 24}} : Extents{}; };
    for (int step = 0; step < 2; ++step) {
        ASSERT_TRUE(write(file(), mine(step * 1000), 'z').ok());
        EXPECT_EQ(file().report().plan_reused, step > 0);
    }
    auto const got = read(file(), mine(1000));
    ASSERT_TRUE(got.ok());
    EXPECT_EQ(*got, std::string(rank() == 0 ? 48 : 0, 'z'));
}

TEST_P(Recall, a_read_that_meets_the_end_of_the_file_is_planned_anew) {
    Extents const extents{{rank() * 8, 8}};
    Extents const behind{{rank() * 8 + 4, 8}};
    ASSERT_TRUE(write(file(), extents, 'e').ok());
    ASSERT_TRUE(read(file(), extents).ok());
    auto const got = read(file(), behind);
    ASSERT_TRUE(got.ok());
    EXPECT_EQ(*got, std::string(is_last() ? 4 : 8, 'e'));
    EXPECT_FALSE(file().report().plan_reused);
}

// Large pieces, which every rank stores itself.
Extents one_piece(Offset base, Size length) { return {{base + rank() * length, length}}; }

TEST(RecallDirect, pieces_of_the_same_sizes_are_not_planned_again) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, Hints{}};
    constexpr Size length = 128 << 10;
    for (int step = 0; step < 3; ++step) {
        auto const extents = one_piece(step * ranks() * length, length);
        ASSERT_TRUE(write(*file, extents, static_cast<char>('a' + step)).ok());
        EXPECT_EQ(file->report().plan_reused, step > 0) << "step " << step;
        EXPECT_EQ(file->report().operation, "write");
        EXPECT_EQ(find_decision(file->report(), "route")->choice, "direct");
        EXPECT_EQ(file->report().mine.file_bytes_written, length);
        auto const got = read(*file, extents);
        ASSERT_TRUE(got.ok());
        EXPECT_EQ(*got, std::string(length, static_cast<char>('a' + step)));
        EXPECT_EQ(file->report().plan_reused, step > 0) << "step " << step;
        EXPECT_EQ(file->report().operation, "read");
        EXPECT_EQ(file->report().mine.file_bytes_written, 0);
    }
}

TEST(RecallDirect, other_sizes_are_another_plan) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, Hints{}};
    ASSERT_TRUE(write(*file, one_piece(0, 128 << 10), 'a').ok());
    ASSERT_TRUE(write(*file, one_piece(0, 256 << 10), 'b').ok());
    EXPECT_FALSE(file->report().plan_reused);
    EXPECT_EQ(find_decision(file->report(), "route")->reason, "every rank's pieces have 256 KiB or more on average");
    ASSERT_TRUE(write(*file, turns(0), 'c').ok());
    EXPECT_FALSE(file->report().plan_reused);
    ASSERT_TRUE(write(*file, one_piece(0, 256 << 10), 'd').ok());
    EXPECT_TRUE(file->report().plan_reused);
    EXPECT_EQ(find_decision(file->report(), "route")->choice, "direct");
}

TEST(RecallDirect, a_read_that_meets_the_end_of_the_file_is_cut) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, Hints{}};
    constexpr Size length = 128 << 10;
    ASSERT_TRUE(write(*file, one_piece(0, length), 'a').ok());
    ASSERT_TRUE(read(*file, one_piece(0, length)).ok());
    auto const got = read(*file, one_piece(100, length));
    ASSERT_TRUE(got.ok());
    EXPECT_EQ(got->size(), static_cast<std::size_t>(is_last() ? length - 100 : length));
    EXPECT_FALSE(file->report().plan_reused);
}

TEST(RecallDirect, the_report_of_a_call_that_was_not_planned_is_as_complete_as_the_first) {
    SharedPath path;
    for (Size const direct : {Size{0}, Hints{}.direct_write}) {
        Hints hints;
        hints.direct_write = direct;
        OpenFile file{path.get(), Mode::create, hints};
        Report reports[3];
        for (auto& report : reports) {
            ASSERT_TRUE(write(*file, one_piece(0, 128 << 10), 'a').ok());
            report = file->report();
        }
        EXPECT_EQ(reports[1].decisions, reports[0].decisions);
        for (auto& report : reports) report.mine.seconds = {}, report.flow.seconds_by_round = {};
        for (auto& report : reports)
            report.mine.total_seconds = report.mine.shortest_plan = report.mine.longest_plan = 0;
        EXPECT_EQ(reports[2].json(), reports[1].json());
        EXPECT_TRUE(reports[2].plan_reused);
    }
}

INSTANTIATE_TEST_SUITE_P(Nodes, Recall, testing::Values(0, 1));

}  // namespace
}  // namespace muster
