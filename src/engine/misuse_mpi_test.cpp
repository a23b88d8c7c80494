// What one rank does wrong: all hear the same, and the file goes on working.
#include <stdlib.h>

#include <limits>

#include "engine/testing.hpp"
#include "mpi/datatype.hpp"
#include "muster/declared.hpp"

namespace muster {
namespace {

using namespace test;

// Collective. That nothing has been broken.
void expect_working(File& file) {
    auto const deal = rotate({5, 10, 0, 0});
    EXPECT_OK(write_marks(file, deal));
    std::string memory(static_cast<std::size_t>(size_of(mine(deal))), '#');
    EXPECT_OK(read_pieces(file, mine(deal), memory));
    EXPECT_EQ(memory, marks(rank(), mine(deal)));
}

TEST(Arguments, that_are_wrong_on_one_rank_fail_on_all) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    std::string memory(100, 'x');
    for (auto const target : chosen_ranks()) {
        auto const wrong = rank() == target;
        auto const expect_refusal = [&](Status const& status) {
            expect_failure_of(target, status, Code::invalid_argument);
            expect_working(*file);
        };
        expect_refusal(file->write_at_all(wrong ? -1 : 0, memory.data(), 4, MPI_BYTE).status());
        expect_refusal(file->read_at_all(0, memory.data(), wrong ? -4 : 4, MPI_BYTE).status());
        expect_refusal(file->write_at_all(0, memory.data(), 4, wrong ? MPI_DATATYPE_NULL : MPI_BYTE).status());
        expect_refusal(file->write_at_all(0, wrong ? nullptr : memory.data(), 4, MPI_BYTE).status());
        expect_refusal(file->read_all(wrong ? nullptr : memory.data(), 4, MPI_BYTE).status());
        expect_refusal(
            file->write_at_all(wrong ? std::numeric_limits<Offset>::max() : 0, memory.data(), 4, MPI_BYTE).status());
        Segment const segment{memory.data(), 10};
        Extents const right{{0, 10}}, longer{{0, 11}}, negative{{-3, 10}};
        expect_refusal(file->write_all(Pieces{wrong ? longer : right, {&segment, 1}}).status());
        expect_refusal(file->read_all(Pieces{wrong ? negative : right, {&segment, 1}}).status());
        Segment const nowhere{nullptr, 10};
        expect_refusal(file->read_all(Pieces{right, {wrong ? &nowhere : &segment, 1}}).status());
        expect_refusal(
            file->write_all(Subarray{{4, 4}, {2, wrong ? 5 : 2}, {0, 0}, 1, 0, false}, memory.data()).status());
        expect_refusal(
            file->read_all(Subarray{{4, 4}, {2, 2}, {0, wrong ? -1 : 0}, 1, 0, false}, memory.data()).status());
        expect_refusal(
            file->write_all(Subarray{{4, 4}, {2, 2}, {0, 0}, 1, wrong ? -8 : 0, false}, memory.data()).status());
        expect_refusal(file->plan_write(memory.data(), 4, MPI_BYTE, wrong ? -1 : 0).status());
        file->seek(wrong ? -1 : 0);
        expect_refusal(file->write_all(memory.data(), 4, MPI_BYTE).status());
        file->seek(0);
    }
}

TEST(Arguments, that_lead_beyond_the_largest_offset_on_one_rank_fail_on_all) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    std::string memory(100, 'x');
    Segment const segment{memory.data(), 10};
    constexpr auto highest = std::numeric_limits<Offset>::max();
    for (auto const target : chosen_ranks()) {
        auto const wrong = rank() == target;
        auto const expect_refusal = [&](Status const& status) {
            expect_failure_of(target, status, Code::invalid_argument);
            expect_working(*file);
        };
        Extents const right{{0, 10}}, beyond{{highest - 4, 10}};
        expect_refusal(file->write_all(Pieces{wrong ? beyond : right, {&segment, 1}}).status());
        expect_refusal(file->read_all(Pieces{wrong ? beyond : right, {&segment, 1}}).status());
        Offset const place = wrong ? highest - 3 : 0;
        expect_refusal(file->write_all(Subarray{{4, 4}, {2, 2}, {0, 0}, 1, place, false}, memory.data()).status());
        expect_refusal(file->plan_read(Subarray{{4, 4}, {2, 2}, {0, 0}, 1, place, false}).status());
        EXPECT_OK(file->set_view(wrong ? highest : 0, MPI_BYTE, MPI_BYTE));
        expect_refusal(file->write_at_all(0, memory.data(), 4, MPI_BYTE).status());
        EXPECT_OK(file->set_view(0, MPI_BYTE, MPI_BYTE));
        Size const far = wrong ? Size{1} << 40 : 1;
        expect_refusal(file->write_all(Subarray{{0, far, far}, {0, 0, 0}, {0, 0, 0}}, memory.data()).status());
    }
}

TEST(Arguments, of_a_view_that_go_back_from_tile_to_tile_on_one_rank_fail_on_all) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    Datatype backwards;
    MPI_Type_create_resized(MPI_INT, 0, -8, backwards.receive());
    auto const status = file->set_view(0, MPI_INT, is_last() ? backwards.get() : MPI_INT);
    expect_failure_of(ranks() - 1, status, Code::invalid_argument);
    expect_working(*file);
}

TEST(Arguments, of_a_view_that_are_wrong_on_one_rank_leave_the_old_view_on_all) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    ASSERT_TRUE(file->set_view(3, MPI_BYTE, MPI_BYTE).ok());
    file->seek(2 * rank());
    auto const wrong = is_last();
    expect_failure_of(ranks() - 1, file->set_view(wrong ? -1 : 0, MPI_BYTE, MPI_BYTE), Code::invalid_argument);
    expect_failure_of(ranks() - 1, file->set_view(0, MPI_INT, wrong ? MPI_SHORT : MPI_INT), Code::invalid_argument);
    EXPECT_EQ(file->position(), 2 * rank());
    auto const deal = rotate({2, 1, 0, 3});
    EXPECT_OK(file->write_all(marks(rank(), mine(deal)).data(), 2, MPI_BYTE));
    path.expect(written("", deal));
}

TEST(Arguments, of_a_kept_plan_that_are_wrong_on_one_rank_fail_on_all) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    auto const deal = rotate({6, 3, 0, 0});
    auto bytes = marks(rank(), mine(deal));
    Segment const segment{bytes.data(), static_cast<Size>(bytes.size())};
    auto plan = file->plan_write(Pieces{mine(deal), {&segment, 1}});
    ASSERT_TRUE(plan.ok()) << plan.status().text();
    auto const read_by_last = is_last() ? plan->read(bytes.data()) : plan->write(bytes.data());
    expect_failure_of(ranks() - 1, read_by_last.status(), Code::invalid_argument);
    expect_failure(plan->write(bytes.data(), -1).status(), Code::invalid_argument);
    EXPECT_OK(plan->write(bytes.data()));
    path.expect(written("", deal));
}

TEST(Arguments, of_a_kept_plan_that_lead_out_of_all_files_fail_on_all) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    auto const deal = rotate({6, 3, 0, 0});
    auto bytes = marks(rank(), mine(deal));
    Segment const segment{bytes.data(), static_cast<Size>(bytes.size())};
    EXPECT_OK(write_marks(*file, deal));
    auto write = file->plan_write(Pieces{mine(deal), {&segment, 1}});
    auto read = file->plan_read(Pieces{mine(deal), {&segment, 1}});
    auto nothing = file->plan_write(Pieces{});
    ASSERT_TRUE(write.ok() && read.ok() && nothing.ok());
    constexpr auto lowest = std::numeric_limits<Offset>::min(), highest = std::numeric_limits<Offset>::max();
    for (auto const shift : {highest, highest - 1, highest - end_of(deal) + 1, lowest, lowest + 1}) {
        expect_failure(write->write(bytes.data(), shift).status(), Code::invalid_argument);
        expect_failure(read->read(bytes.data(), shift).status(), Code::invalid_argument);
    }
    expect_failure(nothing->write(nullptr, lowest).status(), Code::invalid_argument);
    EXPECT_OK(nothing->write(nullptr, lowest + 1));
    auto const behind_the_end = read->read(bytes.data(), highest - end_of(deal));
    ASSERT_TRUE(behind_the_end.ok()) << behind_the_end.status().text();
    EXPECT_EQ(*behind_the_end, 0);
    path.expect(written("", deal));
}

TEST(DifferentCalls, of_the_ranks_are_a_mismatch_on_all) {
    if (ranks() == 1) GTEST_SKIP() << "needs two ranks";
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    std::string memory(10, 'x');
    for (auto const target : chosen_ranks()) {
        auto const done = rank() == target ? file->write_at_all(0, memory.data(), 10, MPI_BYTE)
                                           : file->read_at_all(0, memory.data(), 10, MPI_BYTE);
        expect_failure(done.status(), Code::mismatch);
        expect_working(*file);
    }
}

TEST(DifferentCalls, with_different_shifts_are_a_mismatch_on_all) {
    if (ranks() == 1) GTEST_SKIP() << "needs two ranks";
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    auto const deal = rotate({6, 3, 0, 50});
    auto const bytes = marks(rank(), mine(deal));
    Segment const segment{bytes.data(), static_cast<Size>(bytes.size())};
    auto plan = file->plan_write(Pieces{mine(deal), {&segment, 1}});
    ASSERT_TRUE(plan.ok()) << plan.status().text();
    expect_failure(plan->write(bytes.data(), is_last() ? 8 : 0).status(), Code::mismatch);
    EXPECT_OK(plan->write(bytes.data()));
    path.expect(written("", deal));
}

TEST(DifferentCalls, of_a_kept_plan_and_a_plain_call_are_a_mismatch_whatever_the_shift) {
    if (ranks() == 1) GTEST_SKIP() << "needs two ranks";
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    auto const deal = rotate({6, 3, 0, 50});
    auto const bytes = marks(rank(), mine(deal));
    Segment const segment{bytes.data(), static_cast<Size>(bytes.size())};
    auto plan = file->plan_write(Pieces{mine(deal), {&segment, 1}});
    ASSERT_TRUE(plan.ok()) << plan.status().text();
    for (Offset const shift : {-1, 0, 1}) {
        auto const done = is_last() ? plan->write(bytes.data(), shift) : write_marks(*file, deal);
        expect_failure(done.status(), Code::mismatch);
    }
    EXPECT_OK(plan->write(bytes.data()));
    path.expect(written("", deal));
}

TEST(DifferentCalls, of_different_kept_plans_are_a_mismatch_on_all) {
    if (ranks() == 1) GTEST_SKIP() << "needs two ranks";
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    auto const deal = rotate({6, 3, 0, 50});
    auto const bytes = marks(rank(), mine(deal));
    Segment const segment{bytes.data(), static_cast<Size>(bytes.size())};
    auto one = file->plan_write(Pieces{mine(deal), {&segment, 1}});
    auto two = file->plan_write(Pieces{mine(deal), {&segment, 1}});
    ASSERT_TRUE(one.ok() && two.ok());
    expect_failure((is_last() ? *one : *two).write(bytes.data()).status(), Code::mismatch);
    EXPECT_OK(two->write(bytes.data()));
    path.expect(written("", deal));
}

TEST(DifferentCalls, of_which_one_declares_are_a_mismatch_on_all) {
    if (ranks() == 1) GTEST_SKIP() << "needs two ranks";
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    auto const deal = rotate({6, 3, 0, 50});
    std::vector<Part> const parts{{mine(deal)}};
    auto const status = is_last() ? Declared::write(*file, parts).status() : write_marks(*file, deal).status();
    expect_failure(status, Code::mismatch);
    expect_working(*file);
}

// --- opening ---

Status open_status(std::string const& path, Mode mode, Hints const& hints = {}, MPI_Info info = MPI_INFO_NULL) {
    auto file = File::open(MPI_COMM_WORLD, path, mode, hints, info);
    if (!file) return file.status();
    return file->close();
}

TEST(Opening, fails_alike_on_all_ranks) {
    SharedPath path;
    expect_failure_of(0, open_status(path.get(), Mode::read), Code::not_found);
    expect_failure_of(0, open_status(path.get() + "/missing/file", Mode::create), Code::not_found);
    path.fill("old");
    expect_failure_of(0, open_status(path.get(), Mode::exclusive), Code::exists);
    path.expect("old");
    EXPECT_EQ(of_first_rank(open_status("/tmp", Mode::update).text()), open_status("/tmp", Mode::update).text());
    EXPECT_FALSE(open_status("/tmp", Mode::update).ok());
    Hints hints;
    hints.faults = "open:1:EACCES@0";
    expect_failure_of(0, open_status(path.get(), Mode::update, hints), Code::permission_denied);
    EXPECT_OK(open_status(path.get(), Mode::update));
    path.expect("old");
}

TEST(Opening, to_read_only_refuses_writes_on_all_ranks_and_goes_on_reading) {
    SharedPath path;
    path.fill("0123456789");
    OpenFile file{path.get(), Mode::read, all_aggregate()};
    char const byte = 'x';
    auto const done = file->write_at_all(rank(), &byte, 1, MPI_BYTE);
    EXPECT_FALSE(done.ok());
    EXPECT_EQ(done.status().text(), of_first_rank(done.status().text()));
    std::string memory(10, '#');
    EXPECT_OK(file->read_at_all(0, memory.data(), 10, MPI_BYTE));
    EXPECT_EQ(memory, "0123456789");
}

// --- hints ---

class Info {
public:
    Info(char const* key, char const* value) {
        MPI_Info_create(&handle_);
        MPI_Info_set(handle_, key, value);
    }
    ~Info() { MPI_Info_free(&handle_); }
    Info(Info const&) = delete;
    Info& operator=(Info const&) = delete;
    MPI_Info get() const { return handle_; }

private:
    MPI_Info handle_{MPI_INFO_NULL};
};

TEST(WrongHints, in_the_info_of_one_rank_fail_on_all) {
    SharedPath path;
    for (auto const target : chosen_ranks()) {
        Info const info{"muster_window", rank() == target ? "wide" : "4096"};
        expect_failure_of(target, open_status(path.get(), Mode::create, {}, info.get()), Code::invalid_hint);
        Info const unknown{rank() == target ? "muster_windo" : "muster_window", "4096"};
        expect_failure_of(target, open_status(path.get(), Mode::create, {}, unknown.get()), Code::invalid_hint);
    }
    EXPECT_OK(open_status(path.get(), Mode::create));
}

TEST(WrongHints, in_the_program_of_one_rank_fail_on_all) {
    SharedPath path;
    for (auto const target : chosen_ranks()) {
        Hints hints;
        if (rank() == target) hints.faults = "now and then";
        expect_failure_of(target, open_status(path.get(), Mode::create, hints), Code::invalid_hint);
    }
    Hints negative;
    negative.window = rank() == 0 ? -5 : 0;
    expect_failure(open_status(path.get(), Mode::create, negative), Code::invalid_hint);
}

TEST(WrongHints, in_the_environment_of_one_rank_fail_on_all) {
    SharedPath path;
    if (is_last()) ::setenv("MUSTER_WINDOW", "wide", 1);
    auto const status = open_status(path.get(), Mode::create);
    ::unsetenv("MUSTER_WINDOW");
    expect_failure_of(ranks() - 1, status, Code::invalid_hint);
}

TEST(WrongHints, with_line_ends_or_zero_bytes_fail_on_all) {
    SharedPath path;
    Hints lines;
    lines.machine = "a\n";
    expect_failure(open_status(path.get(), Mode::create, lines), Code::invalid_argument);
    lines.machine = "network tree 2 x 2\ntier DRAM";
    expect_failure(open_status(path.get(), Mode::create, lines), Code::invalid_argument);
    for (auto const target : chosen_ranks()) {
        Hints zero;
        if (rank() == target) zero.tier = std::string{"DRAM\0muster_window\0004096", 23};
        expect_failure_of(target, open_status(path.get(), Mode::create, zero), Code::invalid_hint);
    }
}

TEST(Hints, of_several_lines_are_taken_as_they_are) {
    SharedPath path;
    for (auto const everywhere : {true, false}) {
        Hints hints;
        if (everywhere || rank() == 0) hints.machine = "network tree 16 x 2\ntiers DRAM 90GB/s 20us\n";
        auto file = File::open(MPI_COMM_WORLD, path.get(), Mode::create, hints);
        ASSERT_TRUE(file.ok()) << file.status().text();
        EXPECT_EQ(file->hints().machine, "network tree 16 x 2\ntiers DRAM 90GB/s 20us\n");
        expect_working(*file);
        EXPECT_OK(file->close());
    }
}

TEST(Hints, that_differ_are_those_of_rank_0_everywhere) {
    SharedPath path;
    Hints hints;
    hints.window = 1000 + rank();
    hints.aggregators = rank() == 0 ? 1 : 3;
    hints.ranks_per_node = rank() == 0 ? 1 : 2;
    Info const info{"muster_windows", rank() == 0 ? "5" : "2"};
    auto file = File::open(MPI_COMM_WORLD, path.get(), Mode::create, hints, info.get());
    ASSERT_TRUE(file.ok()) << file.status().text();
    EXPECT_EQ(file->hints().window, 1000);
    EXPECT_EQ(file->hints().aggregators, 1);
    EXPECT_EQ(file->hints().windows, 5);
    expect_working(*file);
    EXPECT_OK(file->close());
}

TEST(Hints, of_the_environment_count_more_than_those_of_the_info_and_these_more_than_the_programs) {
    SharedPath path;
    Hints hints;
    hints.window = 1;
    hints.windows = 3;
    hints.throttle = 7;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "muster_window", "2k");
    MPI_Info_set(info, "muster_windows", "4");
    ::setenv("MUSTER_WINDOW", "3k", 1);
    auto file = File::open(MPI_COMM_WORLD, path.get(), Mode::create, hints, info);
    ::unsetenv("MUSTER_WINDOW");
    MPI_Info_free(&info);
    ASSERT_TRUE(file.ok()) << file.status().text();
    EXPECT_EQ(file->hints().window, 3072);
    EXPECT_EQ(file->hints().windows, 4);
    EXPECT_EQ(file->hints().throttle, 7);
    EXPECT_OK(file->close());
}

}  // namespace
}  // namespace muster
