#include "c/testing.hpp"

namespace muster::test {
namespace {

class CPlan : public testing::Test {
protected:
    ~CPlan() override { muster_plan_free(&plan_); }

    // All ranks' blocks of four letters, as `letter_of_first` for rank 0.
    std::string blocks(char letter_of_first) const {
        std::string text;
        for (int i = 0; i < ranks(); ++i) text += std::string(4, static_cast<char>(letter_of_first + i));
        return text;
    }
    std::string block(char letter_of_first) const {
        return std::string(4, static_cast<char>(letter_of_first + rank()));
    }
    void run_write(std::string const& data, int64_t shift) {
        int64_t bytes = -1;
        ASSERT_EQ(muster_plan_run_write(plan_, data.data(), shift, &bytes), MUSTER_OK) << muster_last_message();
        EXPECT_EQ(bytes, 4);
    }
    std::string run_read(int64_t shift) {
        std::string back(4, '?');
        EXPECT_EQ(muster_plan_run_read(plan_, back.data(), shift, nullptr), MUSTER_OK) << muster_last_message();
        return back;
    }
    // Runs a plan for this rank's four bytes twice, elsewhere the second time.
    void expect_writes() {
        run_write(block('a'), 0);
        run_write(block('A'), 4 * ranks());
        EXPECT_EQ(path_.contents(), blocks('a') + blocks('A'));
    }
    void expect_reads() {
        auto const text = blocks('a') + blocks('A');
        ASSERT_EQ(muster_write_at_all(file_, 0, text.data(), rank() == 0 ? 8 * ranks() : 0, MPI_CHAR, nullptr),
                  MUSTER_OK);
        EXPECT_EQ(run_read(0), block('a'));
        EXPECT_EQ(run_read(4 * ranks()), block('A'));
    }
    muster_pieces pieces() const { return {extents_.data(), 2, segments_.data(), 2}; }
    muster_subarray subarray() const { return {1, size_.data(), subsize_.data(), start_.data(), 1, 0, 0}; }

    SharedPath path_;
    OpenFile file_{path_.get()};
    muster_plan* plan_{nullptr};
    std::string origin_ = std::string(4, '.');
    std::array<muster_extent, 2> extents_{{{4 * rank(), 1}, {4 * rank() + 1, 3}}};
    std::array<muster_segment, 2> segments_{{{origin_.data(), 2}, {origin_.data() + 2, 2}}};
    std::array<int64_t, 1> size_{4 * ranks()};
    std::array<int64_t, 1> subsize_{4};
    std::array<int64_t, 1> start_{4 * rank()};
};

TEST_F(CPlan, of_a_view_writes_many_times) {
    ASSERT_EQ(muster_plan_write_view(file_, 4 * rank(), origin_.data(), 4, MPI_CHAR, &plan_), MUSTER_OK);
    expect_writes();
}

TEST_F(CPlan, of_a_view_reads_many_times) {
    ASSERT_EQ(muster_plan_read_view(file_, 4 * rank(), origin_.data(), 4, MPI_CHAR, &plan_), MUSTER_OK);
    expect_reads();
}

TEST_F(CPlan, of_extents_writes_many_times) {
    auto const own = pieces();
    ASSERT_EQ(muster_plan_write_extents(file_, &own, &plan_), MUSTER_OK);
    expect_writes();
}

TEST_F(CPlan, of_extents_reads_many_times) {
    auto const own = pieces();
    ASSERT_EQ(muster_plan_read_extents(file_, &own, &plan_), MUSTER_OK);
    expect_reads();
}

TEST_F(CPlan, of_a_subarray_writes_many_times) {
    auto const own = subarray();
    ASSERT_EQ(muster_plan_write_subarray(file_, &own, &plan_), MUSTER_OK);
    expect_writes();
}

TEST_F(CPlan, of_a_subarray_reads_many_times) {
    auto const own = subarray();
    ASSERT_EQ(muster_plan_read_subarray(file_, &own, &plan_), MUSTER_OK);
    expect_reads();
}

TEST_F(CPlan, of_extents_takes_a_buffer_from_the_lowest_address_on) {
    segments_ = {{{origin_.data() + 2, 2}, {origin_.data(), 2}}};
    auto const own = pieces();
    ASSERT_EQ(muster_plan_write_extents(file_, &own, &plan_), MUSTER_OK);
    run_write("cdab", 0);
    EXPECT_EQ(path_.contents().substr(static_cast<std::size_t>(4 * rank()), 4), "abcd");
}

TEST_F(CPlan, tells_what_was_decided) {
    Text text;
    ASSERT_EQ(muster_plan_write_view(file_, 4 * rank(), origin_.data(), 4, MPI_CHAR, &plan_), MUSTER_OK);
    ASSERT_EQ(muster_plan_text(plan_, text.receive()), MUSTER_OK);
    EXPECT_NE(text.str().find("write"), std::string::npos) << text.str();
    EXPECT_EQ(muster_plan_text(plan_, nullptr), MUSTER_INVALID_ARGUMENT);
}

TEST_F(CPlan, for_writing_cannot_read) {
    ASSERT_EQ(muster_plan_write_view(file_, 4 * rank(), origin_.data(), 4, MPI_CHAR, &plan_), MUSTER_OK);
    EXPECT_EQ(muster_plan_run_read(plan_, origin_.data(), 0, nullptr), MUSTER_INVALID_ARGUMENT);
}

TEST_F(CPlan, cannot_run_before_the_beginning_of_the_file) {
    ASSERT_EQ(muster_plan_write_view(file_, 4 * rank(), origin_.data(), 4, MPI_CHAR, &plan_), MUSTER_OK);
    EXPECT_EQ(muster_plan_run_write(plan_, origin_.data(), -1, nullptr), MUSTER_INVALID_ARGUMENT);
}

TEST_F(CPlan, is_freed_once) {
    ASSERT_EQ(muster_plan_write_view(file_, 0, origin_.data(), 0, MPI_CHAR, &plan_), MUSTER_OK);
    EXPECT_EQ(muster_plan_free(&plan_), MUSTER_OK);
    EXPECT_EQ(plan_, nullptr);
    EXPECT_EQ(muster_plan_free(&plan_), MUSTER_OK);
}

}  // namespace
}  // namespace muster::test
