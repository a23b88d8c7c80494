#include <thread>

#include "c/testing.hpp"

namespace muster::test {
namespace {

TEST(CErrors, have_names) {
    EXPECT_STREQ(muster_error_name(MUSTER_OK), "ok");
    EXPECT_STREQ(muster_error_name(MUSTER_NO_SPACE), "no_space");
    EXPECT_STREQ(muster_error_name(MUSTER_INTERNAL), "internal");
    EXPECT_STREQ(muster_error_name(99), "unknown");
}

TEST(CErrors, leave_a_message_to_the_thread_that_met_them) {
    EXPECT_EQ(muster_sync(nullptr), MUSTER_INVALID_ARGUMENT);
    EXPECT_STREQ(muster_last_message(), "the handle is NULL");
    EXPECT_EQ(muster_last_system_error(), 0);
    std::string elsewhere = "?";
    std::thread{[&] { elsewhere = muster_last_message(); }}.join();
    EXPECT_EQ(elsewhere, "");
}

TEST(CErrors, are_what_every_call_without_a_handle_returns) {
    muster_file* file = nullptr;
    muster_plan* plan = nullptr;
    char* text = nullptr;
    char const* word = nullptr;
    int64_t number = 17;
    int count = 17;
    muster_pieces const pieces{};
    muster_subarray const block{};
    std::vector<muster_error> const outcomes{muster_close(nullptr),
                                             muster_close(&file),
                                             muster_set_view(file, 0, MPI_BYTE, MPI_BYTE),
                                             muster_write_all(file, &number, 1, MPI_BYTE, &number),
                                             muster_read_all(file, &number, 1, MPI_BYTE, &number),
                                             muster_write_at_all(file, 0, &number, 1, MPI_BYTE, &number),
                                             muster_read_at_all(file, 0, &number, 1, MPI_BYTE, &number),
                                             muster_position(file, &number),
                                             muster_seek(file, 0),
                                             muster_write_extents(file, &pieces, &number),
                                             muster_read_extents(file, &pieces, &number),
                                             muster_write_subarray(file, &block, &number, &number),
                                             muster_read_subarray(file, &block, &number, &number),
                                             muster_size(file, &number),
                                             muster_resize(file, 0),
                                             muster_reserve(file, 0),
                                             muster_sync(file),
                                             muster_plan_write_view(file, 0, &number, 1, MPI_BYTE, &plan),
                                             muster_plan_read_view(file, 0, &number, 1, MPI_BYTE, &plan),
                                             muster_plan_write_extents(file, &pieces, &plan),
                                             muster_plan_read_extents(file, &pieces, &plan),
                                             muster_plan_write_subarray(file, &block, &plan),
                                             muster_plan_read_subarray(file, &block, &plan),
                                             muster_plan_run_write(plan, &number, 0, &number),
                                             muster_plan_run_read(plan, &number, 0, &number),
                                             muster_plan_text(plan, &text),
                                             muster_plan_free(nullptr),
                                             muster_report_text(file, &text),
                                             muster_report_json(file, &text),
                                             muster_gathered_report_text(file, &text),
                                             muster_gathered_report_json(file, &text),
                                             muster_hint_count(file, &count),
                                             muster_hint(file, 0, &word, &word),
                                             muster_open(MPI_COMM_NULL, "x", MUSTER_READ, MPI_INFO_NULL, &file)};
    EXPECT_EQ(outcomes, std::vector<muster_error>(outcomes.size(), MUSTER_INVALID_ARGUMENT));
    EXPECT_EQ(number, 17);
    EXPECT_EQ(count, 17);
    EXPECT_EQ(text, nullptr);
    EXPECT_EQ(word, nullptr);
}

TEST(CErrors, of_opening_without_path_or_mode_reach_all_ranks) {
    SharedPath path;
    muster_file* file = nullptr;
    EXPECT_NE(muster_open(MPI_COMM_WORLD, nullptr, MUSTER_CREATE, MPI_INFO_NULL, &file), MUSTER_OK);
    EXPECT_EQ(file, nullptr);
    EXPECT_NE(muster_open(MPI_COMM_WORLD, path.get(), 4, MPI_INFO_NULL, &file), MUSTER_OK);
    EXPECT_EQ(file, nullptr);
    EXPECT_NE(muster_open(MPI_COMM_WORLD, path.get(), MUSTER_CREATE, MPI_INFO_NULL, nullptr), MUSTER_OK);
    EXPECT_NE(::access(path.get(), F_OK), 0) << "created all the same";
}

TEST(CErrors, of_opening_without_a_path_on_the_last_rank_reach_all_ranks) {
    SharedPath path;
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    muster_file* file = nullptr;
    auto const* const name = rank == size - 1 ? nullptr : path.get();
    EXPECT_EQ(muster_open(MPI_COMM_WORLD, name, MUSTER_CREATE, MPI_INFO_NULL, &file), MUSTER_INVALID_ARGUMENT);
    EXPECT_EQ(file, nullptr);
    EXPECT_NE(::access(path.get(), F_OK), 0) << "created all the same";
}

TEST(CErrors, of_a_hint_reach_all_ranks) {
    SharedPath path;
    Info const info{"muster_window", "many"};
    muster_file* file = nullptr;
    EXPECT_EQ(muster_open(MPI_COMM_WORLD, path.get(), MUSTER_CREATE, info, &file), MUSTER_INVALID_HINT);
    EXPECT_EQ(file, nullptr);
}

// Each way to access a file, with an argument that is wrong on the last rank only.
class OneWrongRank : public testing::Test {
protected:
    template <class Item>
    Item const* unless_last(Item const* item) {
        return is_last() ? nullptr : item;
    }
    void expect_refused(muster_error error) {
        EXPECT_EQ(error, MUSTER_INVALID_ARGUMENT);
        EXPECT_TRUE(message_names_last_rank()) << muster_last_message();
    }

    SharedPath path_;
    OpenFile file_{path_.get()};
    std::array<char, 4> buffer_{};
    std::array<int64_t, 1> size_{4};
    std::array<int64_t, 1> zero_{0};
    muster_extent extent_{0, 4};
    muster_segment segment_{buffer_.data(), 4};
};

TEST_F(OneWrongRank, with_a_negative_count_makes_all_fail) {
    int64_t const count = is_last() ? -1 : 4;
    expect_refused(muster_write_all(file_, buffer_.data(), count, MPI_CHAR, nullptr));
    expect_refused(muster_read_all(file_, buffer_.data(), count, MPI_CHAR, nullptr));
    expect_refused(muster_write_at_all(file_, 0, buffer_.data(), count, MPI_CHAR, nullptr));
    expect_refused(muster_read_at_all(file_, 0, buffer_.data(), count, MPI_CHAR, nullptr));
}

TEST_F(OneWrongRank, without_a_buffer_makes_all_fail) {
    auto* const buffer = is_last() ? nullptr : buffer_.data();
    expect_refused(muster_write_all(file_, buffer, 4, MPI_CHAR, nullptr));
    expect_refused(muster_read_all(file_, buffer, 4, MPI_CHAR, nullptr));
    expect_refused(muster_write_at_all(file_, 0, buffer, 4, MPI_CHAR, nullptr));
    expect_refused(muster_read_at_all(file_, 0, buffer, 4, MPI_CHAR, nullptr));
    EXPECT_EQ(muster_write_all(file_, buffer, is_last() ? 0 : 4, MPI_CHAR, nullptr), MUSTER_OK);
}

TEST_F(OneWrongRank, without_a_datatype_makes_all_fail) {
    auto const type = is_last() ? MPI_DATATYPE_NULL : MPI_CHAR;
    expect_refused(muster_write_all(file_, buffer_.data(), 4, type, nullptr));
    expect_refused(muster_set_view(file_, 0, MPI_CHAR, type));
}

TEST_F(OneWrongRank, without_extents_makes_all_fail) {
    muster_pieces const no_extents{unless_last(&extent_), 1, &segment_, 1};
    expect_refused(muster_write_extents(file_, &no_extents, nullptr));
    expect_refused(muster_read_extents(file_, &no_extents, nullptr));
    muster_pieces const no_segments{&extent_, 1, unless_last(&segment_), 1};
    expect_refused(muster_write_extents(file_, &no_segments, nullptr));
    muster_pieces const negative{&extent_, is_last() ? -1 : 1, &segment_, 1};
    expect_refused(muster_write_extents(file_, &negative, nullptr));
    muster_pieces const right{&extent_, 1, &segment_, 1};
    expect_refused(muster_write_extents(file_, unless_last(&right), nullptr));
    EXPECT_EQ(path_.contents(), "");
}

TEST_F(OneWrongRank, without_a_block_makes_all_fail) {
    muster_subarray const no_starts{1, size_.data(), size_.data(), unless_last(zero_.data()), 1, 0, 0};
    expect_refused(muster_write_subarray(file_, &no_starts, buffer_.data(), nullptr));
    expect_refused(muster_read_subarray(file_, &no_starts, buffer_.data(), nullptr));
    muster_subarray const negative{is_last() ? -1 : 1, size_.data(), size_.data(), zero_.data(), 1, 0, 0};
    expect_refused(muster_write_subarray(file_, &negative, buffer_.data(), nullptr));
    muster_subarray const right{1, size_.data(), size_.data(), zero_.data(), 1, 0, 0};
    expect_refused(muster_write_subarray(file_, unless_last(&right), buffer_.data(), nullptr));
    EXPECT_EQ(path_.contents(), "");
}

TEST_F(OneWrongRank, without_a_place_for_the_plan_makes_all_fail) {
    muster_plan* plan = nullptr;
    auto** const place = is_last() ? nullptr : &plan;
    muster_pieces const pieces{&extent_, 1, &segment_, 1};
    muster_subarray const block{1, size_.data(), size_.data(), zero_.data(), 1, 0, 0};
    expect_refused(muster_plan_write_view(file_, 0, buffer_.data(), 4, MPI_CHAR, place));
    expect_refused(muster_plan_read_view(file_, 0, buffer_.data(), 4, MPI_CHAR, place));
    expect_refused(muster_plan_write_extents(file_, &pieces, place));
    expect_refused(muster_plan_read_extents(file_, &pieces, place));
    expect_refused(muster_plan_write_subarray(file_, &block, place));
    expect_refused(muster_plan_read_subarray(file_, &block, place));
    EXPECT_EQ(plan, nullptr);
}

TEST(CErrors, of_the_file_system_reach_all_ranks_with_their_number) {
    SharedPath path;
    Info const info{"muster_faults", "write:*:ENOSPC@*"};
    OpenFile file{path.get(), MUSTER_CREATE, info};
    EXPECT_EQ(muster_write_at_all(file, rank(), "a", 1, MPI_CHAR, nullptr), MUSTER_NO_SPACE);
    EXPECT_EQ(muster_last_system_error(), ENOSPC);
}

}  // namespace
}  // namespace muster::test
